"""What ``--json`` answers is what the published schemas say, key by key."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import jsonschema
import pytest

from tests import schemas
from tests.command import Shell
from vault_memory.cli.main import root

TRANSCRIPT = b"### User\n\nCan you water the plants?\n\n### Assistant\n\nThey are watered.\n"

READING = [
    "where",
    "status",
    "consume",
    "consume --budget 200",
    "hooks status",
    "hooks status --project",
    "rebuild",
    "rebuild --full",
    "check",
    "search key",
    "search -C 3 bindings",
    "search nothing-of-the-sort",
    "config list",
    "config get ephemeral.max_entries",
    "config path",
    "config path --user",
    "graph status",
    "graph list",
    "graph list --all",
    "graph list --type person",
    "graph show NeoVim",
    "graph show Dani uses NeoVim",
    "graph show Ed",
    "graph show NeoVim --tier 0",
    "graph search boat",
    "graph search --kind all boat",
    "graph search --keyword Lisbon designer",
    "graph search --type person editor",
    "graph query editor",
    "graph query --depth 3 --episodes editor of Dani",
    "graph traverse Dani",
    "graph traverse Dani --depth 0",
    "graph traverse conversation-001",
    "graph traverse --type-filter person Rowing_club",
]
WRITING = [
    "init",
    "archive-session --transcript session.md",
    "archive-session --transcript session.md --dry-run",
    "checkpoint --transcript session.md",
    "archive --all-unarchived",
    "hooks install",
    "hooks install --project --dry-run",
    "hooks uninstall",
    "check --fix",
    "config set ephemeral.max_entries 7",
    "config trust",
    "graph init",
    "graph add-entity --name Kayak --type tool --abstract Boat_for_one.",
    "graph add-entity --name Kayak --type tool --abstract Boat_for_one. --dry-run",
    "graph relate Dani --rel knows --target Zoë",
    "graph relate Dani --rel knows --target Zoë --prior inferred --dry-run",
    "graph observe NeoVim --contradicts --by agent --source conversation-001#^t-0b1c2d3e4f50",
]


def words_of(line: str) -> list[str]:
    return [word.replace("_", " ") if word[0].isupper() else word for word in line.split()]


def command_of(line: str) -> str:
    first, *rest = line.split()
    return f"{first} {rest[0]}" if first in {"graph", "config", "hooks"} else first


@pytest.mark.parametrize("line", READING)
def test_a_reading_command_answers_what_its_schema_says(inside: Shell, line: str) -> None:
    answer = inside.run("--json", *words_of(line))

    assert answer.exit_code == 0, answer.err
    jsonschema.validate(json.loads(answer.out), schemas.schema(command_of(line), closed=True))


@pytest.mark.parametrize("line", WRITING)
def test_a_writing_command_answers_what_its_schema_says(inside: Shell, line: str) -> None:
    (inside.folder / "session.md").write_bytes(TRANSCRIPT)

    answer = inside.run("--json", *words_of(line))

    assert answer.exit_code == 0, answer.err
    jsonschema.validate(json.loads(answer.out), schemas.schema(command_of(line), closed=True))


@pytest.mark.parametrize(
    "line", ["status", "rebuild", "check", "graph list", "graph search x", "graph query x"]
)
def test_an_empty_vault_answers_what_the_schema_says(shell: Shell, line: str) -> None:
    (shell.folder / "notes").mkdir()

    answer = shell.run("--json", "--vault", "notes", *words_of(line))

    assert answer.exit_code == 0, answer.err
    jsonschema.validate(json.loads(answer.out), schemas.schema(command_of(line), closed=True))


@pytest.mark.parametrize(
    ("line", "exit_code", "code"),
    [
        ("nonsense", 2, "usage"),
        ("graph show", 2, "usage"),
        ("graph show Nobody", 3, "not_found"),
        ("--vault /nowhere status", 3, "not_found"),
        ("graph show Mercury", 1, "ambiguous"),
        ("graph add-entity --name NeoVim --type tool --abstract Other.", 5, "conflict"),
        ("archive", 2, "usage"),
        ("hooks install --user --project", 2, "usage"),
        ("graph add-entity --name Bus --type vehicle --abstract Big.", 2, "usage"),
    ],
)
def test_an_error_is_one_object_on_standard_error(
    inside: Shell, line: str, exit_code: int, code: str
) -> None:
    answer = inside.run("--json", *line.split())

    jsonschema.validate(answer.error, json.loads(schemas.files()["error.schema.json"]))
    assert (answer.exit_code, answer.error["code"]) == (exit_code, code)
    assert "\n" not in answer.error["error"]


def commands(command: click.Command, name: str = "") -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield name
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        below = command.get_command(context, each)
        assert below is not None
        yield from commands(below, f"{name} {each}".strip())


def test_every_command_has_a_schema_and_is_run_here() -> None:
    every = set(commands(root))

    assert set(schemas.ANSWERS) == every
    assert {command_of(line) for line in [*READING, *WRITING]} == every


def test_the_published_schemas_are_those_of_the_code() -> None:
    published = {path.name: path.read_text("utf-8") for path in schemas.FOLDER.iterdir()}

    assert published == schemas.files(), "run scripts/docs"


@pytest.mark.parametrize("name", schemas.files())
def test_a_published_schema_is_one_and_lets_new_keys_come(name: str) -> None:
    schema = json.loads(Path(schemas.FOLDER / name).read_text("utf-8"))

    jsonschema.Draft202012Validator.check_schema(schema)
    assert '"additionalProperties": false' not in json.dumps(schema)

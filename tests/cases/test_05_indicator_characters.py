"""Reported: values that begin with or hold YAML's own characters break the block."""

import random
import re

import pytest
import yaml

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths

TYPED = [
    *(f"{sign}scope" for sign in "@`%&*!|>-?:#,[]{}'\"~=\\"),
    *(f"{sign} scope" for sign in "@`%&*!|>-?:#,[]{}'\"~=\\"),
    '@scope/pkg: "core" - {{x}}',
    "{{date}}",
    "Plan: phase two",
    "ends in a colon:",
    "ends before # a hash",
    "a\ttab",
    "--- fence ---",
    "\N{ROCKET} and \N{LINE SEPARATOR}beyond",
    "[[link]] and `code`",
    "<<: *merge",
]
BROKEN = {
    "at.md": ("owner: @mara", 2),
    "colon.md": ("subject: Plan: phase two", 2),
    "tab.md": ("list:\n\t- a", 3),
    "star.md": ("star: *none", 2),
    "percent.md": ("share: %50", 2),
    "tick.md": ("code: `x`", 2),
    "open.md": ("list: [a, b", 2),
    "quote.md": ('text: "open', 2),
    "key.md": ("{{key}}: {{value}}", 2),
}
OTHER_IN_YAML_1_2 = re.compile(
    r"(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.nan)?"
)


def strict(text: str, key: str) -> object:
    """The value of a key for a reader of YAML 1.1, after what a reader of 1.2 would make of it."""
    block = text.split("---\n")[1]
    mapping = yaml.compose(block)
    assert mapping
    [node] = [value for name, value in mapping.value if name.value == key]
    scalars = node.value if isinstance(node, yaml.SequenceNode) else [node]
    assert not any(one.style is None and OTHER_IN_YAML_1_2.fullmatch(one.value) for one in scalars)
    return yaml.safe_load(block)[key]


def test_whatever_is_typed_is_read_back_by_strict_readers(holding: Holding) -> None:
    shell = holding({})
    chance = random.Random(5)  # noqa: S311 - the same strings each time
    random_ones = ["".join(chance.choices("@`%&*!|>-?:#,[]{}'\"~ ab", k=12)) for _ in range(20)]

    for number, given in enumerate([*TYPED, *random_ones]):
        abstract, name = " ".join(given.split()), f"{given.strip()} {number}"
        words = ("--name", name, "--type", "concept", "--abstract", given)
        [path] = shell.ask("graph", "add-entity", *words)["created"]

        text = (shell.folder / path).read_text("utf-8")
        assert strict(text, "abstract") == abstract
        stem = path.rpartition("/")[2].removesuffix(".md")
        assert stem == name or strict(text, "aliases") == [name]
        shown = shell.ask("graph", "show", "--", name)
        assert (shown["name"], shown["abstract"]) == (name, abstract)
    assert findings(shell) == []


def test_a_bad_block_costs_its_own_metadata_and_nothing_else(holding: Holding) -> None:
    notes = {
        path: f"---\n{block}\n---\nThe kite in {path} is red.\n"
        for path, (block, _) in BROKEN.items()
    }
    shell = holding(notes | {"good.md": "---\ntype: tool\nabstract: A kite.\n---\nGreen.\n"})

    rebuilt = shell.ask("rebuild")

    assert len(rebuilt["findings"]) == len(BROKEN)
    assert {(one["path"], one["line"]) for one in rebuilt["findings"]} == {
        (path, line) for path, (_, line) in BROKEN.items()
    }
    assert set(found_paths(shell, "red kite", "--limit", "20")) >= set(BROKEN)
    assert [one["name"] for one in shell.ask("graph", "list")["entities"]] == ["good"]


@pytest.mark.parametrize("path", BROKEN)
def test_the_warning_is_one_line_with_path_and_line(holding: Holding, path: str) -> None:
    block, line = BROKEN[path]
    shell = holding({path: f"---\n{block}\n---\nText.\n"})

    answer = shell.run("check")

    [told] = answer.out.splitlines()
    assert told.startswith(f"{path}:{line}: ")
    assert answer.exit_code == 4


def test_the_reported_notes(given: Given) -> None:
    shell = given(5, init=True)
    before = contents(shell.folder)
    name = '@scope/pkg: "core" - {{x}}'

    rebuilt = shell.ask("rebuild")
    hits = found_paths(shell, "kites")
    [path] = shell.ask("graph", "add-entity", "--name", name, "--type", "tool", "--abstract", name)[
        "created"
    ]

    assert [one["path"] for one in rebuilt["findings"]] == [
        *("amp.md", "at.md", "colon.md", "tab.md", "template.md")
    ]
    assert set(hits) >= {"amp.md", "at.md", "colon.md", "tab.md", "template.md"}
    text = (shell.folder / path).read_text()
    assert strict(text, "abstract") == name
    assert strict(text, "aliases") == [name]
    after = contents(shell.folder)
    assert after.keys() - before.keys() == {path}

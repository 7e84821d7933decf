"""Derived files that are cut, zeroed, foreign or gone: a right answer, and one line of why."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import Shell

Damage = Callable[[Path], None]


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def one_byte_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def garbage(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))  # noqa: S311 - no secret


def garbage_within(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(min(4096, size // 4))
        file.write(random.Random(8).randbytes(size // 2))  # noqa: S311 - no secret


def foreign(path: Path) -> None:
    path.write_bytes(b"#!/bin/sh\nrm -rf /\n" * 100)


def gone(path: Path) -> None:
    path.unlink()


DAMAGES: list[Damage] = [
    emptied, cut_in_half, one_byte_short, zeroed, garbage, garbage_within, foreign, gone,
]  # fmt: skip
FILES = ["index.db", "embeddings.db", "vectors.f32"]


def answers(shell: Shell) -> dict[str, Any]:
    """What a vault answers, whatever its index went through."""
    index = shell.ask("status")["index"]
    return {
        "digest": index["digest"],
        "stale": index["stale"],
        "list": shell.ask("graph", "list", "--all"),
        "walk": shell.ask("graph", "traverse", "Dani"),
        "search": shell.ask("graph", "search", "--kind", "all", "boats"),
        "query": shell.ask("graph", "query", "--episodes", "which editor"),
    }


@pytest.fixture(scope="module")
def right(
    tmp_path_factory: pytest.TempPathFactory, indexed_vault: Path, cache: Path
) -> dict[str, Any]:
    """What the undamaged vault answers."""
    shell = Shell(indexed_vault, tmp_path_factory.mktemp("home"), cache)
    return answers(shell)


def derived(folder: Path, name: str) -> Path:
    """The derived file, which must be there to be damaged."""
    path = folder / ".vaultmem" / name
    assert path.is_file(), sorted(path.parent.iterdir())
    for side in ("-wal", "-shm"):
        path.with_name(f"{name}{side}").unlink(missing_ok=True)
    return path


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_made_again(
    inside: Shell, right: dict[str, Any], name: str, damage: Damage
) -> None:
    damage(derived(inside.folder, name))

    said = inside.run("rebuild")

    assert said.exit_code == 0, said.err
    assert said.err.count("\n") <= 1
    assert answers(inside) == right


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("line", ["graph search --kind all boats", "graph traverse Dani"])
def test_a_damaged_file_does_not_show_in_an_answer(
    inside: Shell, name: str, damage: Damage, line: str
) -> None:
    before = inside.ask(*line.split())
    damage(derived(inside.folder, name))

    answer = inside.run("--json", *line.split())

    assert answer.exit_code == 0, answer.err
    assert answer.err.count("\n") <= 1
    assert "Traceback" not in answer.err
    assert answer.data == before


@pytest.mark.parametrize("at", [0.3, 0.45, 0.55, 0.8, 0.9])
@pytest.mark.parametrize("name", ["index.db", "embeddings.db"])
def test_damage_that_is_met_only_while_reading_is_made_good(
    inside: Shell, right: dict[str, Any], name: str, at: float
) -> None:
    path = derived(inside.folder, name)
    with path.open("r+b") as file:
        file.seek(int(path.stat().st_size * at))
        file.write(random.Random(9).randbytes(8192))  # noqa: S311 - no secret

    rebuilt = inside.run("rebuild", "--full")

    assert rebuilt.exit_code == 0, rebuilt.err
    assert rebuilt.err.count("\n") <= 1
    assert answers(inside) == right


def test_a_vault_whose_every_derived_file_is_damaged_answers_right(
    inside: Shell, right: dict[str, Any]
) -> None:
    for path in (inside.folder / ".vaultmem").iterdir():
        garbage(path)

    assert inside.run("rebuild").exit_code == 0
    assert answers(inside) == right


def test_a_command_that_begins_again_reads_its_input_once(inside: Shell) -> None:
    path = derived(inside.folder, "index.db")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(random.Random(9).randbytes(path.stat().st_size - 8192))  # noqa: S311 - no secret
    talk = b"### User\n\nIs the kettle on?\n\n### Assistant\n\nIt is.\n"

    answer = inside.run("archive-session", "--transcript", "-", stdin=talk)

    assert answer.exit_code == 0, answer.err
    assert answer.err.count("\n") == 1
    assert answer.out.startswith("Archived conversations/conversation-002.md: 2 messages")

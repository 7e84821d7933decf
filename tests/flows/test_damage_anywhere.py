"""Derived files damaged anywhere, mixed from two days, or no files at all: the same answers."""

import itertools
import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.command import Shell

FILES = ("index.db", "index.db-seal", "embeddings.db", "vectors.f32")
ASKED = ("graph search --kind all boats", "graph traverse Dani")


def answers(shell: Shell) -> list[Any]:
    """What a vault answers, each with one line at most about what happened to its index."""
    given = []
    for line in ASKED:
        answer = shell.run("--json", *line.split())
        assert answer.exit_code == 0, answer.err
        assert answer.err.count("\n") <= 1
        given.append(answer.data)
    return given


def notes(folder: Path) -> dict[Path, bytes]:
    """All that a person wrote."""
    return {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".vaultmem" not in path.parts
    }


@pytest.fixture
def two_days(inside: Shell) -> Iterator[tuple[Shell, Path, Path]]:
    """Somebody in a vault, and its derived files of yesterday and today; all stays as it was."""
    derived, yesterday, today = (
        inside.folder / ".vaultmem", inside.home / "yesterday", inside.home / "today",
    )  # fmt: skip
    shutil.copytree(derived, yesterday)
    (inside.folder / "Rowing club.md").write_text("The boats lie in the shed.\n")
    (inside.folder / "Shed.md").write_text("Oars and boats.\n\n# Door\n\nIt sticks.\n")
    inside.ask("rebuild")
    shutil.copytree(derived, today)
    written = notes(inside.folder)
    names = {path.name for path in derived.iterdir()}

    yield inside, yesterday, today

    assert notes(inside.folder) == written
    assert {path.name for path in derived.iterdir()} <= names


def restored(folder: Path, state: Path) -> Path:
    """The derived folder as it was in a state."""
    derived = folder / ".vaultmem"
    shutil.rmtree(derived)
    shutil.copytree(state, derived)
    return derived


@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.parametrize("name", FILES)
def test_random_bytes_in_any_part_of_a_file_do_not_show_in_an_answer(
    two_days: tuple[Shell, Path, Path], name: str, count: int
) -> None:
    shell, _, today = two_days
    right = answers(shell)
    chance = random.Random(f"{name} {count}")  # noqa: S311 - a reproducible damage, not a secret

    for _ in range(4):
        path = restored(shell.folder, today) / name
        data = bytearray(path.read_bytes())
        for at in chance.choices(range(len(data)), k=count):
            data[at] ^= chance.randrange(1, 256)
        path.write_bytes(data)
        assert answers(shell) == right


def test_files_of_two_days_do_not_show_in_an_answer(two_days: tuple[Shell, Path, Path]) -> None:
    shell, yesterday, today = two_days
    right = answers(shell)
    mixes = [mix for size in (1, 2, 3) for mix in itertools.combinations(FILES, size)]

    for mix in mixes:
        derived = restored(shell.folder, today)
        for name in mix:
            shutil.copy2(yesterday / name, derived / name)
        assert answers(shell) == right, mix


@pytest.mark.parametrize("name", [*FILES, ".gitignore", "index.lock", "index.db-wal"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_named_and_nothing_waits_for_it(
    inside: Shell,
    name: str,
    make: Any,  # noqa: ANN401 - one of two functions of os
) -> None:
    path = inside.folder / ".vaultmem" / name
    path.unlink(missing_ok=True)
    make(path)

    answer = inside.program("graph", "traverse", "Dani")

    assert answer.err.count("\n") <= 1
    assert "fault" not in answer.err
    assert answer.out.startswith("Dani") if answer.exit_code == 0 else str(path) in answer.err


def test_a_cache_of_pipes_holds_nobody_up(inside: Shell) -> None:
    cache = inside.home / "pipes"
    (cache / "vaultmem" / "graphs").mkdir(parents=True)
    os.mkfifo(cache / "vaultmem" / "checksums")
    os.mkfifo(cache / "vaultmem" / "graphs" / "draft")
    shell = replace(inside, cache=cache)

    answer = shell.program("graph", "search", "modal editor")

    assert (answer.exit_code, answer.err) == (0, "")
    assert answer.out.startswith("1. NeoVim")

"""Reported: a damaged index ends the process, or gives the wrong note at full score."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import found_paths
from tests.command import Shell

NOTES = {
    "Kiln.md": "The kiln is fired on Thursdays, with ash from the orchard.\n",
    "Loom.md": "The loom stands by the north window, threaded in blue.\n",
}
QUERY = "when is pottery baked"
FILES = ("index.db", "embeddings.db", "vectors.f32")


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    os.truncate(path, 100)


def foreign(path: Path) -> None:
    path.write_bytes(b"garbage")


def flipped(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(200)
        file.write(random.Random(33).randbytes(64))  # noqa: S311 - a reproducible damage


@pytest.mark.parametrize("damage", [emptied, cut, foreign, flipped])
@pytest.mark.parametrize("name", FILES)
def test_the_right_note_is_found_whatever_happened_to_the_index(
    holding: Holding, name: str, damage: Callable[[Path], None]
) -> None:
    shell = holding(NOTES)
    shell.ask("rebuild")
    assert found_paths(shell, QUERY)[0] == "Kiln.md"
    damage(shell.folder / ".vaultmem" / name)

    assert found_paths(shell, QUERY)[0] == "Kiln.md"
    assert shell.ask("rebuild")["notes"]["unchanged"] == 3


def exchanged(shell: Shell) -> None:
    """Let two notes change places, so that an older key map leads to the wrong one."""
    one, other = shell.folder / "Kiln.md", shell.folder / "Loom.md"
    text = one.read_text()
    one.write_text(other.read_text())
    other.write_text(text)


@pytest.mark.parametrize("name", FILES)
def test_vectors_and_an_older_key_map_are_not_taken_together(holding: Holding, name: str) -> None:
    shell = holding(NOTES)
    shell.ask("rebuild")
    path = shell.folder / ".vaultmem" / name
    old = shutil.copy2(path, shell.home)
    exchanged(shell)
    shell.ask("rebuild", "--full")
    assert found_paths(shell, QUERY)[0] == "Loom.md"

    shutil.copy2(old, path)

    assert found_paths(shell, QUERY)[0] == "Loom.md"


def test_the_reported_notes(given: Given) -> None:
    shell = given(33, init=True)
    shell.ask("rebuild")
    right = found_paths(shell, "a")
    for path in (shell.folder / ".vaultmem").iterdir():
        emptied(path)

    assert found_paths(shell, "a") == right

"""Many notes are taken in piece by piece: memory stays flat, and what is in stays in."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command import Shell
from tests.flows.conftest import Opened
from vault_memory.core.note import Note, Unit
from vault_memory.errors import LockedError
from vault_memory.flows.refresh import NOTES_AT_ONCE, refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.catalog import open_catalog
from vault_memory.index.manifest import Stamp
from vault_memory.vault.config import Config
from vault_memory.vault.layout import DERIVED, Vault
from vault_memory.vault.lock import intake_lock

MANY = 2 * NOTES_AT_ONCE + 5


class Interrupt:
    """Stands for somebody who presses Ctrl-C after so many notes."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, done: int, total: int) -> None:
        assert total >= done
        if done >= self.after:
            raise KeyboardInterrupt


@pytest.fixture
def many(notes: Path) -> Path:
    """A folder with so many notes that they are not taken in at once."""
    for number in range(MANY):
        (notes / f"Page {number:04}.md").write_text(f"Line w{number}.\n")
    return notes


@pytest.mark.usefixtures("many")
def test_only_so_many_notes_are_held_at_once(opened: Opened) -> None:
    held = []

    def count(done: int, total: int) -> None:
        assert total == MANY
        held.append((done, sum(isinstance(one, Note) for one in gc.get_objects())))

    with opened() as index:
        before = sum(isinstance(one, Note) for one in gc.get_objects())
        found = refresh(index, progress=count)

    assert found.added == MANY
    assert [done for done, _ in held] == [NOTES_AT_ONCE, 2 * NOTES_AT_ONCE, MANY]
    assert max(number for _, number in held) - before <= NOTES_AT_ONCE


def test_large_notes_are_taken_in_by_few(notes: Path, opened: Opened) -> None:
    for number in range(5):
        (notes / f"Page {number}.md").write_text(f"Line {number}.\n" * 80_000)
    pieces = []

    with opened() as index:
        refresh(index, progress=lambda done, total: pieces.append((done, total)))

    assert pieces == [(3, 5), (5, 5)]


@pytest.mark.usefixtures("many")
def test_what_was_interrupted_goes_on_where_it_stopped(opened: Opened) -> None:
    with opened() as index:
        with pytest.raises(KeyboardInterrupt):
            refresh(index, progress=Interrupt(1))
        known = index.catalog.counts().units
        found = index.catalog.search_words("w7")
        rest = refresh(index)

        assert known == NOTES_AT_ONCE
        assert len(found) == 1
        assert (rest.added, rest.changed, rest.unchanged) == (
            MANY - NOTES_AT_ONCE,
            0,
            NOTES_AT_ONCE,
        )


@pytest.mark.usefixtures("many")
def test_reading_every_note_again_goes_on_where_it_stopped(opened: Opened) -> None:
    with opened() as index:
        refresh(index)
        with pytest.raises(KeyboardInterrupt):
            refresh(index, full=True, progress=Interrupt(1))
        between = index.catalog.counts().units
        rest = refresh(index)

        assert between == MANY
        assert (rest.added, rest.changed) == (0, MANY - NOTES_AT_ONCE)


def test_a_file_that_might_have_changed_is_looked_at_after_an_interruption(
    many: Path, opened: Opened
) -> None:
    note = many / "Page 0000.md"
    written = note.stat().st_mtime_ns
    with opened(clock=lambda: written) as index:
        refresh(index)
        with note.open("r+") as file:
            file.write("Lime")
        os.utime(note, ns=(written, written))
        for number in range(MANY):
            (many / f"New {number:04}.md").write_text(f"Line n{number}.\n")
        index.clock_ns = lambda: written + 10**12
        with pytest.raises(KeyboardInterrupt):
            refresh(index, progress=Interrupt(1))
        rest = refresh(index)

        assert rest.changed == 1


class Overtaken(VaultIndex):
    """An index that another process writes to between the reading of notes and their writing."""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the index, a moment too late."""
        with open_catalog(self.folder, mode="write") as other:
            for path in ("one.md", "two.md", "new.md"):
                unit = Unit("note", "", 1, "theirs")
                note = Note(path, "note", "note", "", "theirs", units=(unit,))
                other.apply([(note, Stamp(1, 2, 3, b""))])
        with super().locked():
            yield


def test_what_another_process_took_in_meanwhile_is_left_as_it_is(
    notes: Path, opened: Opened, cache: Path
) -> None:
    for name in ("one", "two", "three", "four"):
        (notes / f"{name}.md").write_text("mine\n")
    with opened() as index:
        refresh(index)
    (notes / "one.md").write_text("mine again\n")
    (notes / "two.md").unlink()
    (notes / "three.md").unlink()
    vault = Vault(notes, None, Config(), notes / DERIVED)

    with Overtaken.open(vault, cache=cache, notify=print) as index:
        found = refresh(index)
        kept = {note.path: note.name for note in index.catalog.notes()}

    assert kept == {"four.md": "four", "new.md": "theirs", "one.md": "theirs", "two.md": "theirs"}
    assert (found.added, found.changed, found.removed) == (0, 0, 1)
    with opened() as index:
        refresh(index)
        names = {note.path: note.name for note in index.catalog.notes()}
    assert names == {"four.md": "four", "one.md": "one"}


@pytest.mark.usefixtures("many")
def test_the_index_can_be_asked_while_many_notes_are_taken_in(opened: Opened) -> None:
    seen = []

    with opened() as index, opened() as other:

        def ask(done: int, total: int) -> None:
            if done < total:
                with pytest.raises(LockedError, match="the intake is held by process"):
                    refresh(other, wait=False)
            seen.append(len(other.catalog.search_words("line", limit=2 * MANY)))

        refresh(index, progress=ask)

    assert seen == [NOTES_AT_ONCE, 2 * NOTES_AT_ONCE, MANY]


def test_a_search_does_not_wait_for_who_takes_in_many_notes(inside: Shell) -> None:
    for number in range(NOTES_AT_ONCE + 1):
        (inside.folder / f"Page {number}.md").write_text(f"Line {number}.\n")

    with intake_lock(inside.folder / ".vaultmem", timeout_seconds=0):
        answer = inside.run("graph", "show", "Emacs")

    assert answer.exit_code == 0
    assert answer.out.startswith("Emacs")
    assert answer.err.count("\n") == 1
    assert "answering from what was known before" in answer.err

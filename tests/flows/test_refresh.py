"""What a refresh takes in: notes that came, changed, went, moved, or cannot be read."""

import os
import shutil
from pathlib import Path

import pytest

from tests.command import Shell
from tests.flows.conftest import Opened
from vault_memory.flows.refresh import Refreshed, refresh
from vault_memory.flows.vault_index import VaultIndex

SECOND = 1_000_000_000


def counts(found: Refreshed) -> tuple[int, int, int, int]:
    return found.added, found.changed, found.removed, found.unchanged


def old(path: Path, *, seconds: int = 3600) -> None:
    """Make a file look as if it had been written long ago."""
    status = path.stat()
    time = status.st_mtime_ns - seconds * SECOND
    os.utime(path, ns=(time, time))


def words(index: VaultIndex, query: str) -> list[str]:
    """The paths of the notes that hold the words of a query."""
    found = dict(index.catalog.search_words(query))
    units = index.catalog.units_by_id(found)
    return [index.catalog.notes_by_key([units[one].note])[units[one].note].path for one in found]


def test_notes_that_come_change_and_go_are_counted(notes: Path, opened: Opened) -> None:
    for name in ("one", "two", "three"):
        (notes / f"{name}.md").write_text(f"note {name}\n")
    with opened() as index:
        first = refresh(index)
        again = refresh(index)
        (notes / "one.md").unlink()
        (notes / "two.md").write_text("note zwei\n")
        (notes / "four.md").write_text("note four\n")
        last = refresh(index)

        assert counts(first) == (3, 0, 0, 0)
        assert counts(again) == (0, 0, 0, 3)
        assert counts(last) == (1, 1, 1, 1)
        assert words(index, "zwei") == ["two.md"]
        assert words(index, "one") == []


def test_a_note_that_was_only_touched_is_as_it_was(notes: Path, opened: Opened) -> None:
    (notes / "one.md").write_text("note one\n")
    with opened() as index:
        refresh(index)
        generation = index.catalog.generation
        os.utime(notes / "one.md")
        touched = refresh(index)

        assert counts(touched) == (0, 0, 0, 1)
        assert len(index.catalog.ordered_units()) == 1
        assert index.catalog.generation >= generation


def test_a_note_that_moved_keeps_what_was_embedded(inside: Shell) -> None:
    shutil.move(inside.folder / "Rowing club.md", inside.folder / "entities" / "Club.md")
    (inside.folder / "entities" / "tool").rename(inside.folder / "entities" / "gadget")

    answer = inside.ask("rebuild")

    assert answer["notes"] == {"added": 5, "changed": 0, "removed": 5, "unchanged": 13}
    assert answer["embedded"] <= 2, "only texts that begin with the file's name are new"
    assert inside.ask("graph", "show", "nvim")["path"] == "entities/gadget/NeoVim.md"


def test_a_note_as_new_as_the_last_look_is_read_again(notes: Path, opened: Opened) -> None:
    note = notes / "one.md"
    note.write_text("note one\n")
    written = note.stat().st_mtime_ns
    with opened(clock=lambda: written + 1_000_000) as index:
        refresh(index)
        with note.open("r+") as file:
            file.write("note two\n")
        os.utime(note, ns=(written, written))

        found = refresh(index)

        assert counts(found) == (0, 1, 0, 0)
        assert words(index, "two") == ["one.md"]


def test_a_note_older_than_the_last_look_is_not_opened(notes: Path, opened: Opened) -> None:
    note = notes / "one.md"
    note.write_text("note one\n")
    old(note)
    with opened() as index:
        refresh(index)
        written = note.stat().st_mtime_ns
        with note.open("r+") as file:
            file.write("note two\n")
        os.utime(note, ns=(written, written))

        assert counts(refresh(index)) == (0, 0, 0, 1)
        assert counts(refresh(index, full=True)) == (0, 1, 0, 0)


def test_a_note_of_the_future_is_seen_when_it_changes(notes: Path, opened: Opened) -> None:
    note = notes / "one.md"
    note.write_text("note one\n")
    old(note, seconds=-86400)
    future = note.stat().st_mtime_ns
    with opened() as index:
        refresh(index)
        with note.open("r+") as file:
            file.write("note two\n")
        os.utime(note, ns=(future, future))

        assert counts(refresh(index)) == (0, 1, 0, 0)


def test_a_clock_that_was_set_back_hides_no_change(notes: Path, opened: Opened) -> None:
    note = notes / "one.md"
    note.write_text("note one\n")
    written = note.stat().st_mtime_ns
    with opened(clock=lambda: written - 3600 * SECOND) as index:
        refresh(index)
        with note.open("r+") as file:
            file.write("note two\n")
        os.utime(note, ns=(written, written))

        assert counts(refresh(index)) == (0, 1, 0, 0)


def test_a_note_that_is_too_large_is_found_by_its_name(inside: Shell) -> None:
    (inside.folder / "Chronicle.md").write_bytes(b"secret word\n" * 800_000)

    found = inside.ask("graph", "search", "--kind", "note", "chronicle")
    status, check = inside.ask("status"), inside.run("--json", "check")

    assert found["hits"][0]["path"] == "Chronicle.md"
    assert check.exit_code == 4
    assert [f["rule"] for f in check.data["findings"]] == ["note-too-large"]
    assert [f["path"] for f in status["findings"]] == ["Chronicle.md"]
    assert "over 8 MiB" in status["findings"][0]["message"]


def test_a_note_that_may_not_be_read_is_a_finding(
    inside: Shell, permitted: tuple[str, ...]
) -> None:
    (inside.folder / "Rowing club.md").chmod(0)

    check = inside.program("--json", "check", command=permitted)
    found = inside.program("--json", "graph", "search", "boat", command=permitted)

    assert check.exit_code == 4
    assert [f["rule"] for f in check.data["findings"]] == ["note-unreadable"]
    assert found.exit_code == 0, found.err


def test_a_folder_that_may_not_be_listed_loses_nothing(
    inside: Shell, permitted: tuple[str, ...]
) -> None:
    (inside.folder / "entities" / "tool").chmod(0)

    rebuilt = inside.program("--json", "rebuild", command=permitted)
    check = inside.program("--json", "check", command=permitted)
    listed = inside.program("--json", "graph", "list", command=permitted)
    (inside.folder / "entities" / "tool").chmod(0o755)

    assert rebuilt.data["notes"]["removed"] == 0
    assert [f["rule"] for f in check.data["findings"]] == ["folder-unreadable"]
    assert "Emacs" in {entity["name"] for entity in listed.data["entities"]}


@pytest.mark.parametrize(
    "path",
    [
        ".hidden/Note.md",
        ".Note.md",
        "templates/Note.md",
        "node_modules/x/Note.md",
        "EPHEMERAL.md",
        "ARCHIVE.md",
        "Note.txt",
        "Rowing.sync-conflict-20260301-101010-ABCDEFG.md",
    ],
)
def test_what_is_no_note_is_not_taken_in(inside: Shell, path: str) -> None:
    (inside.folder / path).parent.mkdir(parents=True, exist_ok=True)
    (inside.folder / path).write_text("zebra crossing\n")

    assert inside.ask("rebuild")["notes"]["unchanged"] == 18
    found = inside.ask("graph", "search", "--kind", "all", "--limit", "100", "zebra crossing")
    assert path not in {hit["path"] for hit in found["hits"]}


def test_a_link_out_of_the_vault_is_not_followed(inside: Shell) -> None:
    (inside.home / "Private.md").write_text("the key is under the mat\n")
    (inside.folder / "Linked.md").symlink_to(inside.home / "Private.md")
    (inside.folder / "Home").symlink_to(inside.home)

    found = inside.ask("graph", "search", "--kind", "all", "--limit", "100", "key under the mat")

    assert not {hit["path"] for hit in found["hits"]} & {"Linked.md", "Home/Private.md"}
    assert inside.ask("status")["notes"] == 3

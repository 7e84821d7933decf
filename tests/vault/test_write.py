"""Applying change sets to a folder."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import ConflictError, StorageError, UsageError
from vault_memory.vault.replace import is_temporary, place_new
from vault_memory.vault.write import ChangedError, apply


def of(*changes: Change) -> ChangeSet:
    return ChangeSet(changes)


def temporaries(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if is_temporary(file.name)]


def tree(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_change_set_creates_replaces_and_removes(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes(b"old")
    (tmp_path / "gone.md").write_bytes(b"gone")
    apply(
        tmp_path,
        of(
            Change("gone.md", b"gone", None),
            Change("old.md", b"old", b"newer\r\n"),
            Change("a/b/new.md", None, b""),
        ),
    )
    assert tree(tmp_path) == {"old.md": b"newer\r\n", "a/b/new.md": b""}


def test_a_new_note_and_its_folders_are_for_the_user_alone(tmp_path: Path) -> None:
    apply(tmp_path, of(Change("a/new.md", None, b"x")))
    assert stat.S_IMODE((tmp_path / "a/new.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o640, 0o444])
def test_a_note_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    (tmp_path / "a.md").chmod(mode)
    apply(tmp_path, of(Change("a.md", b"a", b"b")))
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == mode


def test_a_note_keeps_its_owner(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can own files for another")
    (tmp_path / "a.md").write_bytes(b"a")
    os.chown(tmp_path / "a.md", 1234, 5678)
    apply(tmp_path, of(Change("a.md", b"a", b"b")))
    status = (tmp_path / "a.md").stat()
    assert (status.st_uid, status.st_gid) == (1234, 5678)


def test_a_note_is_replaced_as_a_whole_and_never_written_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"old")
    with (tmp_path / "a.md").open("rb") as reader:
        apply(tmp_path, of(Change("a.md", b"old", b"new")))
        assert reader.read() == b"old"
    assert (tmp_path / "a.md").read_bytes() == b"new"


def test_what_does_not_change_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    before = (tmp_path / "a.md").stat()
    apply(tmp_path, of(Change("a.md", b"a", b"a"), Change("never.md", None, None)))
    assert (tmp_path / "a.md").stat().st_ino == before.st_ino
    assert tree(tmp_path) == {"a.md": b"a"}


@pytest.mark.parametrize(
    "change",
    [
        Change("a.md", b"other", b"new"),
        Change("a.md", b"other", None),
        Change("a.md", None, b"new"),
        Change("gone.md", b"was here", b"new"),
        Change("gone.md", b"was here", None),
        Change("gone/gone.md", b"was here", None),
    ],
)
def test_nothing_at_all_is_written_when_one_note_changed(tmp_path: Path, change: Change) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    (tmp_path / "b.md").write_bytes(b"b")
    with pytest.raises(ChangedError) as raised:
        apply(tmp_path, of(Change("b.md", b"b", b"new"), change, Change("c.md", None, b"c")))
    assert raised.value.path == change.path
    assert tree(tmp_path) == {"a.md": b"a", "b.md": b"b"}


@pytest.mark.parametrize("path", ["../x.md", "/x.md", "a/../../x.md", "", ".git/hooks/x", "x/"])
def test_nothing_is_written_outside_the_vault(tmp_path: Path, path: str) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    with pytest.raises(UsageError):
        apply(vault, of(Change(path, None, b"x")))
    assert tree(tmp_path) == {}


def test_no_link_is_followed_or_replaced(tmp_path: Path) -> None:
    vault, out = tmp_path / "vault", tmp_path / "out"
    vault.mkdir()
    out.mkdir()
    (out / "a.md").write_bytes(b"a")
    (vault / "note.md").symlink_to(out / "a.md")
    (vault / "nowhere.md").symlink_to(out / "gone.md")
    (vault / "folder").symlink_to(out)
    for change in (
        Change("note.md", b"a", b"x"),
        Change("note.md", None, b"x"),
        Change("nowhere.md", None, b"x"),
        Change("folder/a.md", b"a", b"x"),
        Change("folder/new.md", None, b"x"),
    ):
        with pytest.raises(StorageError, match="links are not followed"):
            apply(vault, of(change))
    assert tree(out) == {"a.md": b"a"}
    assert (vault / "note.md").is_symlink()
    assert not temporaries(tmp_path)


def test_a_folder_where_a_note_should_be_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    with pytest.raises(StorageError, match=r"a\.md: a folder or device stands in the way"):
        apply(tmp_path, of(Change("a.md", None, b"x")))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match=r"file/x\.md"):
        apply(tmp_path, of(Change("file/x.md", None, b"x")))


def test_a_path_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        apply(tmp_path, of(Change("a.md", None, b"1"), Change("a.md", None, b"2")))
    assert tree(tmp_path) == {}


def test_a_new_note_never_takes_the_place_of_one_that_came_meanwhile(tmp_path: Path) -> None:
    def come(path: str) -> None:
        (tmp_path / path).write_bytes(b"by somebody else")

    with pytest.raises(ChangedError):
        apply(tmp_path, of(Change("a.md", None, b"ours")), before_rename=come)
    assert tree(tmp_path) == {"a.md": b"by somebody else"}


def test_new_notes_come_first_and_removals_last(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes(b"old")
    (tmp_path / "gone.md").write_bytes(b"gone")
    order: list[str] = []
    apply(
        tmp_path,
        of(
            Change("gone.md", b"gone", None),
            Change("old.md", b"old", b"names new"),
            Change("new.md", None, b"new"),
        ),
        before_rename=order.append,
    )
    assert order == ["new.md", "old.md", "gone.md"]


def test_a_name_that_the_disk_takes_for_another_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_bytes(b"first")
    if not (tmp_path / "NOTE.md").exists():
        pytest.skip("this disk tells names apart by case")
    with pytest.raises(ConflictError, match="the name of another file"):
        apply(tmp_path, of(Change("NOTE.md", None, b"second")))
    assert (tmp_path / "note.md").read_bytes() == b"first"


def test_a_note_can_be_renamed_in_case_alone(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_bytes(b"first")
    apply(tmp_path, of(Change("note.md", b"first", None), Change("Note.md", None, b"second")))
    assert [file.name for file in tmp_path.iterdir()] == ["Note.md"]
    assert (tmp_path / "Note.md").read_bytes() == b"second"


def test_a_temporary_file_is_not_named_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "old").write_bytes(b"old")
    folder = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(FileExistsError):
        place_new(folder, "new", "old")
    os.close(folder)
    assert tree(tmp_path) == {"new": b"new", "old": b"old"}


def test_an_interrupt_leaves_the_old_notes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply(
            tmp_path,
            of(Change("a.md", b"a", b"b"), Change("new.md", None, b"n")),
            before_rename=interrupt,
        )
    assert tree(tmp_path) == {"a.md": b"a"}


def test_a_note_that_may_not_be_replaced_is_an_error_that_names_it(
    nobodys: Path, as_user: Callable[..., str]
) -> None:
    (nobodys / "a.md").write_bytes(b"a")
    (nobodys / "a.md").chmod(0o644)
    nobodys.chmod(0o555)
    told = as_user(
        "import sys, pathlib\n"
        "from vault_memory.core.changes import Change, ChangeSet\n"
        "from vault_memory.vault.write import apply\n"
        "from vault_memory.errors import StorageError\n",
        "try: apply(pathlib.Path(sys.argv[1]), ChangeSet((Change('a.md', b'a', b'b'),)))\n"
        "except StorageError as error: print(error)\n",
        nobodys,
    )
    nobodys.chmod(0o755)
    assert told == "a.md: cannot be written: Permission denied\n"
    assert tree(nobodys) == {"a.md": b"a"}


PATHS = st.sampled_from(["a.md", "b.md", "d/a.md", "d/e/b.md", "f/c.md"])
FILES = st.dictionaries(PATHS, st.binary(max_size=40))


@settings(max_examples=60, deadline=None)
@given(before=FILES, after=FILES)
def test_any_change_set_gives_just_what_it_says(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, bytes], after: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("vault")
    apply(folder, of(*(Change(path, None, data) for path, data in before.items())))
    assert tree(folder) == before
    paths = sorted({*before, *after})
    apply(folder, of(*(Change(path, before.get(path), after.get(path)) for path in paths)))
    assert tree(folder) == after

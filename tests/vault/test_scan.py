"""What a walk over a vault finds."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import NotFoundError, StorageError
from vault_memory.vault.exclude import Excluded
from vault_memory.vault.scan import scan


def make(vault: Path, *paths: str) -> None:
    for path in paths:
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("osprey", encoding="utf-8")


def names(vault: Path, *exclude: str) -> list[str]:
    return [path for path, *_ in scan(vault, exclude=exclude).files]


def test_notes_are_found_in_all_folders_sorted_by_path(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a.md", "a b/c.md", "a/y/x.MD", "notes.txt", "md")
    assert names(tmp_path) == ["a b/c.md", "a.md", "a/y/x.MD", "a/z.md", "b.md"]


def test_what_tells_a_change_is_what_the_disk_says(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", ns=(5, 1_700_000_000_123_456_789))
    (seen,) = scan(tmp_path).files
    status = (tmp_path / "a.md").stat()
    assert seen == ("a.md", 6, 1_700_000_000_123_456_789, status.st_ino)


@pytest.mark.parametrize(
    "path",
    [
        ".obsidian/plugins/x/README.md", ".git/x.md", ".trash/Gone.md", ".claude/worktrees/w/R.md",
        ".vaultmem/x.md", "a/.hidden/x.md", ".x.md", ".#Real.md", "~$Real.md", "a/~$Real.md",
        "node_modules/p/README.md", "a/node_modules/p/README.md", "templates/T.md",
        "Templates/T.md", "views/x.md", "trash/x.md", "EPHEMERAL.md", "ARCHIVE.md",
    ],
)  # fmt: skip
def test_what_is_no_note_of_the_vault_is_left_out(tmp_path: Path, path: str) -> None:
    make(tmp_path, path, "Real.md")
    assert names(tmp_path) == ["Real.md"]


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "a/templates/x.md", "a/views/x.md", "a/ARCHIVE.md", "~x.md", "-x.md"]
)
def test_names_that_only_look_like_the_tools_are_notes(tmp_path: Path, path: str) -> None:
    make(tmp_path, path)
    assert names(tmp_path) == [path]


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (".obsidian/templates.json", "folder"),
        (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
    ],
)
def test_the_template_folder_of_obsidian_is_left_out(
    tmp_path: Path, settings: str, key: str
) -> None:
    make(tmp_path, "Meta/Tpl/T.md", "Meta/Note.md", settings)
    (tmp_path / settings).write_text(f'{{"{key}": "/meta/Tpl/"}}', encoding="utf-8")
    assert names(tmp_path) == ["Meta/Note.md"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"folder": ""}', '{"folder": "/"}', '{"folder": 3}', "[" * 100_000]
)
def test_odd_settings_of_obsidian_leave_nothing_out(tmp_path: Path, text: str) -> None:
    make(tmp_path, "a/b.md", ".obsidian/templates.json")
    (tmp_path / ".obsidian/templates.json").write_text(text, encoding="utf-8")
    assert names(tmp_path) == ["a/b.md"]


@pytest.mark.parametrize(
    "copy",
    [
        "Real.sync-conflict-20260301-101010-ABCDEFG.md",
        "Real (conflicted copy 2026-03-01).md",
        "Real (Dani's conflicted copy 2026-03-01).md",
        "Real (Conflicted copy laptop 202603011010).md",
        "Real (Case Conflict 1).md",
        "Real_conflict-20260301-101010.md",
    ],
)
def test_copies_of_sync_programs_are_left_out_and_listed(tmp_path: Path, copy: str) -> None:
    make(tmp_path, "Real.md", f"a/{copy}")
    found = scan(tmp_path)
    assert [path for path, *_ in found.files] == ["Real.md"]
    assert found.copies == [f"a/{copy}"]


@pytest.mark.parametrize("name", ["How to mend a conflicted copy.md", "conflict-2026.md"])
def test_a_note_about_conflicts_is_a_note(tmp_path: Path, name: str) -> None:
    make(tmp_path, name)
    assert names(tmp_path) == [name]


def test_links_are_not_followed_and_listed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    make(vault, "real.md", "folder/in.md")
    make(tmp_path, "out/secret.md")
    (vault / "note.md").symlink_to(tmp_path / "out/secret.md")
    (vault / "away").symlink_to(tmp_path / "out")
    (vault / "twice.md").symlink_to("real.md")
    (vault / "again").symlink_to("folder")
    (vault / "folder/loop").symlink_to("..")
    (vault / "nowhere.md").symlink_to("gone.md")
    found = scan(vault)
    assert [path for path, *_ in found.files] == ["folder/in.md", "real.md"]
    assert found.links == ["again", "away", "folder/loop", "note.md", "nowhere.md", "twice.md"]


def test_a_vault_that_is_itself_a_link_is_read(tmp_path: Path) -> None:
    make(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to("real")
    assert names(tmp_path / "link") == ["a.md"]


def test_pipes_and_folders_with_a_notes_name_are_no_notes(tmp_path: Path) -> None:
    make(tmp_path, "folder.md/in.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert names(tmp_path) == ["folder.md/in.md"]


def test_a_name_in_bad_utf8_is_kept_as_found(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(raw)).write_bytes(b"x")
    except OSError:
        pytest.skip("this disk holds no names but UTF-8")
    (seen,) = scan(tmp_path).files
    assert os.fsencode(seen[0]) == b"caf\xe9.md"


def test_names_in_both_unicode_forms_are_kept_as_found(tmp_path: Path) -> None:
    make(tmp_path, "Zoe\u0308.md", "Zo\u00eb.md")
    assert set(names(tmp_path)) <= {"Zoe\u0308.md", "Zo\u00eb.md"}
    assert names(tmp_path)


def test_very_deep_folders_are_walked(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(1200):
        folder = Path(f"{folder}/d")
        folder.mkdir()
    (folder / "a.md").touch()
    found = names(tmp_path)
    (folder / "a.md").unlink()
    while folder != tmp_path:  # shutil.rmtree cannot go so deep
        folder.rmdir()
        folder = folder.parent
    assert found == ["d/" * 1200 + "a.md"]


def test_a_folder_that_may_not_be_listed_is_told(
    nobodys: Path, as_user: Callable[..., str]
) -> None:
    make(nobodys, "shut/a.md", "open.md")
    (nobodys / "shut").chmod(0)
    told = as_user(
        "import sys, pathlib\nfrom vault_memory.vault.scan import scan\n",
        "found = scan(pathlib.Path(sys.argv[1]))\n"
        "print([path for path, *_ in found.files], found.unreadable)\n",
        nobodys,
    )
    (nobodys / "shut").chmod(0o700)
    assert told == "['open.md'] ['shut']\n"


def test_a_vault_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="No vault at"):
        scan(tmp_path / "gone")


def test_a_vault_whose_name_is_too_long_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        scan(tmp_path / ("x" * 300))


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("drafts/", ["a.md", "b/a.md", "b/drafts.md"]),
        ("drafts", ["a.md", "b/a.md", "b/drafts.md"]),
        ("a.md", ["b/drafts.md", "drafts/x.md", "b/drafts/x.md"]),
        ("/a.md", ["b/a.md", "b/drafts.md", "b/drafts/x.md", "drafts/x.md"]),
        ("b/*.md", ["a.md", "b/drafts/x.md", "drafts/x.md"]),
        ("b/**", ["a.md", "drafts/x.md"]),
        ("**/x.md", ["a.md", "b/a.md", "b/drafts.md"]),
        ("b/**/x.md", ["a.md", "b/a.md", "b/drafts.md", "drafts/x.md"]),
        ("[ab].md", ["b/drafts.md", "drafts/x.md", "b/drafts/x.md"]),
        ("", ["a.md", "b/a.md", "b/drafts.md", "b/drafts/x.md", "drafts/x.md"]),
        ("/", ["a.md", "b/a.md", "b/drafts.md", "b/drafts/x.md", "drafts/x.md"]),
    ],
)
def test_globs_leave_out_what_they_fit(tmp_path: Path, pattern: str, left: list[str]) -> None:
    make(tmp_path, "a.md", "b/a.md", "b/drafts.md", "b/drafts/x.md", "drafts/x.md")
    assert names(tmp_path, pattern) == sorted(left)


@given(st.lists(st.sampled_from(["*", "a", "?", "**", "/", "[", "]", "b"]), max_size=200))
def test_no_glob_fails_however_odd(pieces: list[str]) -> None:
    path = "/".join(["a" * 120] * 20)
    assert Excluded(["".join(pieces)]).matches(path, is_folder=False) in {True, False}


def test_hidden_folders_templates_and_copies_of_a_real_vault_leave_one_note(
    tmp_path: Path, shared: Path
) -> None:
    vault = tmp_path / "vault"
    shutil.copytree(shared / "cases/22-index-hidden-and-templates/vault", vault)
    make(vault, ".git/x.md")
    found = scan(vault)
    assert [path for path, *_ in found.files] == ["Real.md"]
    assert len(found.copies) == 2

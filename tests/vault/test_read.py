"""Reading files of a vault."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.errors import UsageError
from vault_memory.notes.text import MAX_NOTE_BYTES
from vault_memory.vault.read import fingerprint, oversized, read_bytes


@pytest.mark.parametrize("data", [b"", b"a", b"\xef\xbb\xbfa\r\nb\n\xff\xfe", b"x" * 3_000_000])
def test_the_bytes_are_read_as_they_are(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert read_bytes(tmp_path, "a.md") == data


def test_a_note_in_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c.md").write_bytes(b"c")
    assert read_bytes(tmp_path, "a/b/c.md") == b"c"


@pytest.mark.parametrize("path", ["gone.md", "gone/gone.md", "file.md/x.md", "x" * 300 + ".md"])
def test_what_is_not_there_is_none(tmp_path: Path, path: str) -> None:
    (tmp_path / "file.md").write_bytes(b"")
    assert read_bytes(tmp_path, path) is None


@pytest.mark.parametrize(
    "path",
    ["../secret", "/etc/hostname", "a/../../secret", "", "a//b", "./a", "a\0b", ".git/config"],
)
def test_a_path_out_of_the_vault_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError):
        read_bytes(tmp_path, path)


def test_no_link_is_followed_out_of_the_vault(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (tmp_path / "out").mkdir()
    vault.mkdir()
    (tmp_path / "out/secret.md").write_bytes(b"secret")
    (vault / "note.md").symlink_to(tmp_path / "out/secret.md")
    (vault / "folder").symlink_to(tmp_path / "out")
    assert read_bytes(vault, "note.md") is None
    assert read_bytes(vault, "folder/secret.md") is None


def test_a_vault_that_is_itself_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.md").write_bytes(b"a")
    (tmp_path / "link").symlink_to("real")
    assert read_bytes(tmp_path / "link", "a.md") == b"a"


def test_a_folder_or_pipe_with_a_notes_name_is_none_and_does_not_block(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    assert read_bytes(tmp_path, "folder.md") is None
    assert read_bytes(tmp_path, "pipe.md") is None


def test_a_name_in_bad_utf8_is_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    (tmp_path / name).write_bytes(b"x")
    assert read_bytes(tmp_path, name) == b"x"


def test_a_note_that_may_not_be_read_is_an_error_that_names_it(
    nobodys: Path, as_user: Callable[..., str]
) -> None:
    (nobodys / "a.md").write_bytes(b"a")
    (nobodys / "a.md").chmod(0)
    told = as_user(
        "import sys, pathlib\n"
        "from vault_memory.vault.read import read_bytes\n"
        "from vault_memory.errors import StorageError\n",
        "try: read_bytes(pathlib.Path(sys.argv[1]), 'a.md')\n"
        "except StorageError as error: print(error)\n",
        nobodys,
    )
    assert told == "a.md: cannot be read: Permission denied\n"


def test_too_large_a_note_is_a_finding() -> None:
    assert oversized("a.md", MAX_NOTE_BYTES) is None
    found = oversized("a.md", MAX_NOTE_BYTES + 1)
    assert found is not None
    assert (found.path, found.rule) == ("a.md", "note-too-large")


def test_a_fingerprint_is_the_sha256_of_the_bytes() -> None:
    assert fingerprint(b"abc") == hashlib.sha256(b"abc").hexdigest()

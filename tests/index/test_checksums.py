"""Checksums are computed once for a file that does not change."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.index.checksums import remembered_sha256, sha256_of


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    first = remembered_sha256(path, tmp_path)
    memory = (tmp_path / "checksums").stat()

    assert remembered_sha256(path, tmp_path) == first
    assert os.path.samestat((tmp_path / "checksums").stat(), memory)


def test_a_file_that_changed_and_got_its_old_time_back_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    remembered_sha256(path, tmp_path)
    times = path.stat()
    path.write_bytes(b"two")
    while path.stat().st_ctime_ns == times.st_ctime_ns:
        path.write_bytes(b"two")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert remembered_sha256(path, tmp_path) == hashlib.sha256(b"two").hexdigest()


def test_no_byte_that_changes_in_the_memory_changes_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    right = remembered_sha256(path, tmp_path)
    memory = tmp_path / "checksums"
    good = memory.read_bytes()

    for at in range(len(good)):
        memory.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert remembered_sha256(path, tmp_path) == right


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    remembered_sha256(path, tmp_path)
    path.write_bytes(b"three")

    assert remembered_sha256(path, tmp_path) == hashlib.sha256(b"three").hexdigest()


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")

    assert remembered_sha256(path, path / "cache") == sha256_of(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"\xff", b"1 2 3 PATH", b"1 2 3 4 PATH", b"0" * 64 + b" 1 \xd9\xa1 x PATH"],
)
def test_a_broken_memory_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    memory = tmp_path / "checksums"
    memory.write_bytes(content.replace(b"PATH", os.fsencode(path)))

    assert remembered_sha256(path, tmp_path) == sha256_of(path)
    assert sha256_of(path).encode() in memory.read_bytes()


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path in (old, new):
        path.write_bytes(b"one")
    remembered_sha256(old, tmp_path)
    old.unlink()
    remembered_sha256(new, tmp_path)

    assert str(old) not in (tmp_path / "checksums").read_text()


def test_only_the_user_can_look_into_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    remembered_sha256(path, tmp_path / "cache")

    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "cache" / "checksums").stat().st_mode & 0o777 == 0o600
    assert [found.name for found in (tmp_path / "cache").iterdir()] == ["checksums"]


def test_a_path_that_does_not_fit_on_a_line_is_hashed_each_time(tmp_path: Path) -> None:
    path = tmp_path / "one\ntwo"
    path.write_bytes(b"one")

    for _ in range(2):
        assert remembered_sha256(path, tmp_path) == sha256_of(path)
    assert (tmp_path / "checksums").read_bytes() == b""


def test_a_path_that_is_not_utf_8_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff x")
    path.write_bytes(b"one")

    remembered_sha256(path, tmp_path)
    before = (tmp_path / "checksums").stat().st_ino
    remembered_sha256(path, tmp_path)

    assert (tmp_path / "checksums").stat().st_ino == before


def test_what_a_killed_process_left_of_the_memory_is_cleared_away(tmp_path: Path) -> None:
    path, old, new = tmp_path / "file", tmp_path / "checksums0", tmp_path / "checksums1"
    for one in (path, old, new):
        one.write_bytes(b"one")
    os.utime(old, (0, 0))

    remembered_sha256(path, tmp_path)

    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_has_no_checksum_and_nobody_waits_for_one(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "odd"
    make(path)

    with pytest.raises(OSError, match="odd"):
        remembered_sha256(path, tmp_path)

"""Checksums are computed once for a file that does not change."""

import hashlib
import os
from pathlib import Path

import pytest

from vault_memory.index.checksums import remembered_sha256, sha256_of


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    first = remembered_sha256(path, tmp_path / "cache")
    times = path.stat()
    with path.open("r+b") as file:
        file.write(b"two")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert remembered_sha256(path, tmp_path / "cache") == first


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
    "content", [b"", b"[]", b"{", b"\xff", b'{"PATH": [1, 2, 3]}', b'{"PATH": 1}']
)
def test_a_broken_memory_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    memory = tmp_path / "checksums.json"
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

    assert str(old) not in (tmp_path / "checksums.json").read_text()


def test_only_the_user_can_look_into_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    remembered_sha256(path, tmp_path / "cache")

    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "cache" / "checksums.json").stat().st_mode & 0o777 == 0o600
    assert [found.name for found in (tmp_path / "cache").iterdir()] == ["checksums.json"]

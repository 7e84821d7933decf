"""Checksums of big files, remembered so that an unchanged file is hashed only once."""

import os
import time
from binascii import crc32
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from vault_memory.index.regular import open_regular

_MEMORY = "checksums"
_LONGEST_MEMORY = 1 << 20
_WRITTEN_WITHIN_SECONDS = 60
"""After so long what was being written was left behind by a process that was killed."""


class Stamp(NamedTuple):
    """What tells, without reading it, that a file is still the one that was checked."""

    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int


def stamp_of(found: os.stat_result) -> Stamp:
    """The stamp of a file from what the system says about it."""
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)


def sha256_of(path: Path) -> str:
    """The sha256 of a whole file, in hex.

    Raises:
        OSError: The file cannot be read.
    """
    import hashlib

    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path, cache: Path) -> str:
    """The sha256 of a file, from memory when path, size, times and inode are what they were.

    Args:
        path: The file.
        cache: The user's cache folder, where the checksum is remembered. One that cannot be
            read or written costs only the time to hash again.

    Raises:
        OSError: The file cannot be read.
    """
    stamp = stamp_of(path.stat())
    known = _read_memory(cache)
    name = str(path.absolute())
    if name in known and known[name][0] == stamp:
        return known[name][1]
    digest = sha256_of(path)
    with suppress(OSError):
        known[name] = (stamp, digest)
        _write_memory(cache, {key: value for key, value in known.items() if Path(key).exists()})
    return digest


def _read_memory(cache: Path) -> dict[str, tuple[Stamp, str]]:
    """What is remembered by path; a line that is not what was written is passed over.

    Each line is a checksum of the rest of it, and a file's sha256, stamp and path.
    """
    known = {}
    try:
        with open_regular(cache / _MEMORY) as file:
            lines = file.read(_LONGEST_MEMORY).decode("utf-8", "surrogateescape").split("\n")
    except OSError:
        return {}
    for line in lines:
        check, _, rest = line.partition(" ")
        if rest and check == _check(rest):
            digest, *numbers, name = rest.split(" ", len(Stamp._fields) + 1)
            known[name] = (Stamp(*map(int, numbers)), digest)
    return known


def _check(text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'surrogateescape')):08x}"


def _write_memory(cache: Path, known: dict[str, tuple[Stamp, str]]) -> None:
    import tempfile

    lines = [
        f"{digest} {' '.join(map(str, stamp))} {name}"
        for name, (stamp, digest) in known.items()
        if "\n" not in name
    ]
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=cache, prefix=_MEMORY)
    try:
        with os.fdopen(descriptor, "wb") as file:
            text = "".join(f"{_check(line)} {line}\n" for line in lines)
            file.write(text.encode("utf-8", "surrogateescape"))
        Path(temporary).replace(cache / _MEMORY)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
    for left in cache.glob(f"{_MEMORY}?*"):
        if time.time() - left.stat().st_mtime > _WRITTEN_WITHIN_SECONDS:
            left.unlink(missing_ok=True)

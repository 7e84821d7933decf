"""Checksums of big files, remembered so that an unchanged file is hashed only once."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

_MEMORY = "checksums.json"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells, without reading it, that a file is still the one that was checked."""

    size: int
    mtime_ns: int
    inode: int


def stamp_of(found: os.stat_result) -> Stamp:
    """The stamp of a file from what the system says about it."""
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def sha256_of(path: Path) -> str:
    """The sha256 of a whole file, in hex.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path, cache: Path) -> str:
    """The sha256 of a file, from memory when path, size, time and inode are what they were.

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
    match known.get(name):
        case [*numbers, str(digest)] if numbers == list(astuple(stamp)):
            return digest
    digest = sha256_of(path)
    with suppress(OSError):
        known[name] = [*astuple(stamp), digest]
        _write_memory(cache, {key: value for key, value in known.items() if Path(key).exists()})
    return digest


def _read_memory(cache: Path) -> dict[str, object]:
    try:
        found = json.loads((cache / _MEMORY).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_memory(cache: Path, known: dict[str, object]) -> None:
    import tempfile

    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=cache, prefix=_MEMORY)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        Path(temporary).replace(cache / _MEMORY)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise

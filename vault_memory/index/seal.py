"""The seal of a database: who has it open, and what it was when the last of them left.

SQLite tells when its structure is broken, not when other words or numbers stand in it than were
written. So a small file beside the database records the checksum of its content, and the size,
times and number of the file, by which an untouched one is known without reading it. Whoever opens
the database holds the seal together with others; who is alone with it may check the database, make
it anew and seal it. So no process ever takes a file away that another one works on.
"""

import fcntl
import os
from binascii import crc32
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from vault_memory.index.checksums import Stamp, stamp_of
from vault_memory.index.regular import open_regular

SUFFIX = "-seal"

_SIZE = 512
"""Bytes of a seal, always the same, so that a full disk cannot refuse another one in its place."""

_CONDEMNED = "condemned"
_SEALED = "sealed"
_BLOCK = 1 << 20


class Sealed(NamedTuple):
    """What a database was when the last process left it.

    Attributes:
        stamp: Of its file.
        crc: The CRC-32 of its bytes.
    """

    stamp: Stamp
    crc: int

    @property
    def content(self) -> str:
        """What a log says that was written on top of this content."""
        return f"{self.stamp.size:x}-{self.crc:08x}"


def sealed_now(path: Path) -> Sealed:
    """Read a whole database that nobody has open.

    Nobody in this process either: to close a file lets go of SQLite's locks on it.

    Raises:
        OSError: It cannot be read.
    """
    crc = 0
    with open_regular(path) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
        while block := file.read(_BLOCK):
            crc = crc32(block, crc)
    return Sealed(stamp, crc)


class Seal:
    """An open seal, which is held as long as it is open.

    Args:
        database: The path of the database; the seal lies beside it.
        make: Whether to make the seal where there is none, and write to it.

    Raises:
        OSError: The disk refuses.
    """

    def __init__(self, database: Path, *, make: bool) -> None:
        self._path = database.with_name(database.name + SUFFIX)
        way = os.O_RDWR | os.O_CREAT if make else os.O_RDONLY
        flags = way | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        self._handle = os.open(self._path, flags, 0o600)

    def take(self) -> bool:
        """Hold it alone, if nobody else holds it; else not even together with them."""
        return self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def join(self) -> bool:
        """Hold it together with others, unless somebody holds it alone."""
        return self._lock(fcntl.LOCK_SH | fcntl.LOCK_NB)

    def share(self) -> None:
        """Let others hold it too, after it was held alone."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._handle)

    @property
    def stands(self) -> bool:
        """Whether it is still the file that others will find."""
        try:
            found = self._path.stat(follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._handle))

    def read(self) -> Sealed | str | None:
        """What the database was, or why it must not be used, or None when nothing is known."""
        word, _, rest = os.pread(self._handle, _SIZE, 0).decode("utf-8", "replace").partition(" ")
        if word == _CONDEMNED:
            return rest.strip()
        numbers = rest.split()
        if word != _SEALED or len(numbers) != 1 + len(Stamp._fields):
            return None
        if not all(number.isascii() and number.isdecimal() for number in numbers):
            return None
        crc, *stamp = map(int, numbers)
        return Sealed(Stamp(*stamp), crc)

    def write(self, sealed: Sealed) -> None:
        """Record what the database is.

        Raises:
            OSError: The disk refuses; nothing is known then.
        """
        self._write(f"{_SEALED} {sealed.crc} {' '.join(map(str, sealed.stamp))}")

    def clear(self) -> None:
        """Record that nothing is known, and have room for what will be.

        Raises:
            OSError: The disk refuses.
        """
        self._write("")

    def condemn(self, reason: str) -> None:
        """Have whoever is next alone with the database make it anew; a disk may refuse that."""
        with suppress(OSError):
            self._write(f"{_CONDEMNED} {reason[: _SIZE // 4]}")

    def _write(self, text: str) -> None:
        os.pwrite(self._handle, text.encode("utf-8", "replace").ljust(_SIZE), 0)

    def _lock(self, how: int) -> bool:
        try:
            fcntl.flock(self._handle, how)
        except BlockingIOError:
            return False
        return True


def log_bytes(path: Path) -> int:
    """How much a database's log holds that is not in its file yet."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def is_in_use(path: Path, sealed: Sealed) -> bool:
    """Whether others have written to a file since it was sealed."""
    return log_bytes(path) > 0 or stamp_of(path.stat()) != sealed.stamp


def seal_again(seal: Seal, path: Path) -> None:
    """Seal a file that was changed, if nobody else has it open, who would do so."""
    with suppress(OSError):
        if seal.take() and seal.stands and not log_bytes(path):
            seal.write(sealed_now(path))

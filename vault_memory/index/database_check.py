"""A database that nobody else has open: checked, finished, mended, or made whole."""

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import StorageError
from vault_memory.index.checksums import stamp_of
from vault_memory.index.database import BASE, DamagedIndexError, Database, connect, told
from vault_memory.index.durable import put_in_place
from vault_memory.index.regular import open_regular
from vault_memory.index.seal import Seal, Sealed, log_bytes, sealed_now

UNKNOWN = "nothing tells what was written to it"

_HEADER = struct.Struct(">16xH10xI28xI4xI28x")


class Mending(NamedTuple):
    """What to do about a damaged file, which is then made anew.

    Attributes:
        tell: Told in a few words what is wrong.
        rescue: Given the damaged file and the new one, brings over what is sound.
    """

    tell: Callable[[str], None]
    rescue: Callable[[Path, Database], None] | None = None


class Kind(NamedTuple):
    """A kind of database.

    Attributes:
        application: The number of the kind, in the header of the file.
        version: The version of its tables, in the header too.
        tables: The statements that make them; one is ``meta``, of keys and values.
        page_bytes: The size of a page.
        sealed: Whether it is known by a checksum of all of it that no other content stands in it;
            without, every row that matters must have its own.
        drafts: Names of files beside it that only who has it open may be writing; what is there
            when nobody has was left behind by a process that was killed.
    """

    application: int
    version: int
    tables: str
    page_bytes: int = 4096
    sealed: bool = True
    drafts: tuple[str, ...] = ()


def check(path: Path, kind: Kind, seal: Seal, mending: Mending | None) -> None:
    """Check a file that nobody else has open; make it when it is not there or damaged."""
    for draft in (*_drafts(path), *map(path.with_name, kind.drafts)):
        draft.unlink(missing_ok=True)
    try:
        if path.exists():
            _check_content(path, kind, seal)
    except DamagedIndexError as damage:
        if mending is None:
            raise
        mending.tell(damage.reason)
        if mending.rescue:
            _put_aside(path)
        else:
            discard(path)
    if not path.exists():
        discard(path)
        _create(path, kind, seal)
    damaged = _aside(path)
    if damaged.exists():
        if mending and mending.rescue:
            with closing(connect(path, "mode=rw")) as database:
                mending.rescue(damaged, database)
            seal.write(sealed_now(path))
        discard(damaged)


def check_unchanged(path: Path, kind: Kind, seal: Seal) -> None:
    """Check a file that nobody else has open and that cannot be mended."""
    _check_header(path, kind)
    known = seal.read()
    if isinstance(known, str):
        raise DamagedIndexError(path, known)
    if log_bytes(path) and (kind.sealed or not os.access(path.parent, os.W_OK)):
        raise DamagedIndexError(path, "a write was cut off")
    if kind.sealed:
        _compare(path, known)


def _check_content(path: Path, kind: Kind, seal: Seal) -> None:
    """Check a file that nobody else has open, finish what was cut off, and seal it again."""
    _check_header(path, kind)
    known = seal.read()
    if isinstance(known, str):
        raise DamagedIndexError(path, known)
    if not kind.sealed:
        return
    now = _compare(path, known)
    if log_bytes(path):
        _finish(path, now)
        now = sealed_now(path)
    if now != known:
        seal.write(now)


def _check_header(path: Path, kind: Kind) -> None:
    try:
        with open_regular(path) as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise StorageError(
            f"it cannot be read ({error.strerror})",
            where=str(path),
            cure="Mend its permissions.",
        ) from error
    if not head:
        raise DamagedIndexError(path, "it is empty")
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0"):
        raise DamagedIndexError(path, "it is not a database")
    page, pages, version, application = _HEADER.unpack(head)
    if application != kind.application:
        raise DamagedIndexError(path, "it was made by another program")
    if version != kind.version:
        age = "a newer" if version > kind.version else "an older"
        raise DamagedIndexError(path, f"it was made by {age} version")
    if size < pages * (65536 if page == 1 else page) and not log_bytes(path):
        raise DamagedIndexError(path, "part of it is missing")


def _compare(path: Path, known: Sealed | None) -> Sealed:
    """Return what a file is now, whose content is what it was when it was sealed."""
    if known is None:
        raise DamagedIndexError(path, UNKNOWN)
    if stamp_of(path.stat()) == known.stamp:
        return known
    now = sealed_now(path)
    if now.content != known.content:
        raise DamagedIndexError(path, "it is not what was written to it")
    return now


def _finish(path: Path, sealed: Sealed) -> None:
    """Take in the log of a process that was killed, if it was written on top of this file."""
    database = connect(path, "mode=rw")
    try:
        [(_, frames, _)] = database.all("PRAGMA wal_checkpoint(PASSIVE)")
        base = database.one("SELECT value FROM meta WHERE key = ?", (BASE,))
        if frames > 0 and base != (sealed.content,):
            raise DamagedIndexError(path, "its log belongs to another state")
    finally:
        database.close()


def _create(path: Path, kind: Kind, seal: Seal) -> None:
    """Make a file under another name first, so that there is a whole one or none."""
    draft = _drafts(path)[0]
    try:
        seal.clear()
        with told(path):
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute(f"PRAGMA page_size={kind.page_bytes:d}")
                connection.execute("PRAGMA journal_mode=OFF")
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(f"PRAGMA application_id={kind.application:d}")
                connection.execute(f"PRAGMA user_version={kind.version:d}")
                connection.executescript(f"BEGIN;{kind.tables}COMMIT;")
                connection.execute("PRAGMA journal_mode=WAL")
            finally:
                connection.close()
        draft.chmod(0o600)
        put_in_place(draft, path)
        seal.write(sealed_now(path))
    finally:
        for left in _drafts(path):
            left.unlink(missing_ok=True)


def _drafts(path: Path) -> list[Path]:
    """A file that is being made, and its side files."""
    return [path.with_name(f"{path.name}.new{end}") for end in ("", "-wal", "-shm")]


def _put_aside(path: Path) -> None:
    discard(_aside(path))
    for end in ("-wal", ""):
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}{end}").replace(f"{_aside(path)}{end}")


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")


def discard(path: Path) -> None:
    """Remove a database with its side files; the caller is alone with it.

    Raises:
        OSError: The disk refuses.
    """
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)

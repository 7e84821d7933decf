"""One SQLite file: made whole, opened for what the disk allows, its errors told in our words."""

import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from vault_memory.errors import LockedError, StorageError, VaultmemError

Row = tuple[Any, ...]

BUSY_SECONDS = 30.0
"""How long a process waits for another one's transaction."""

_HEADER = struct.Struct(">16xH10xI28xI4xI28x")

_REFUSALS = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
}


class DamagedIndexError(VaultmemError):
    """A derived file that is missing, damaged, foreign or of another version: make it anew.

    Attributes:
        reason: What is wrong with it, in a few words.
        missing: Whether it is simply not there.
    """

    code = "index_damaged"

    def __init__(self, path: Path, reason: str, *, missing: bool = False) -> None:
        self.reason = reason
        self.missing = missing
        super().__init__(reason, where=str(path), cure="Make it anew with: vaultmem rebuild")


class Database:
    """An open SQLite file.

    Every method raises ``DamagedIndexError`` when the file is not what it should be,
    ``LockedError`` when another process writes for too long and ``StorageError`` when the disk
    refuses.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection

    def all(self, sql: str, values: Iterable[object] = ()) -> list[Row]:
        """Return every row that the statement gives."""
        with told(self.path):
            return self._connection.execute(sql, tuple(values)).fetchall()

    def one(self, sql: str, values: Iterable[object] = ()) -> Row | None:
        """Return the first row that the statement gives."""
        rows = self.all(sql, values)
        return rows[0] if rows else None

    def run(self, sql: str, values: Iterable[object] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        with told(self.path):
            return self._connection.execute(sql, tuple(values)).rowcount

    def many(self, sql: str, rows: Iterable[Row]) -> None:
        """Run a statement once for each row of values."""
        with told(self.path):
            self._connection.executemany(sql, rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction: all of it is seen by others, or none."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let everything inside see one and the same state, whatever others write meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        self.run("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self._connection.rollback()

    def close(self) -> None:
        """Close the file; the last to close it leaves it whole in one file."""
        with suppress(sqlite3.Error):
            self._connection.close()


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Raise what SQLite raises inside as an error of ours that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_our_words(error, path) from error
    except UnicodeDecodeError as error:
        raise DamagedIndexError(path, "it is damaged (text in it is not UTF-8)") from error


def open_database(
    path: Path, *, tables: str, application: int, version: int, page_bytes: int = 4096
) -> Database:
    """Open a file for writing, and make it first when it is not there.

    Raises:
        DamagedIndexError: It is there and is not an undamaged file of this application and version.
        StorageError: The folder cannot be written.
    """
    if not path.exists():
        _create(path, tables, application, version, page_bytes)
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise _unwritable(path, "read-only")
    short = _check_header(path, application, version)
    database = _connect(path, "mode=rw")
    _check_tables(database, short=short)
    database.run("PRAGMA synchronous=NORMAL")
    database.run("PRAGMA cache_size=-32768")
    return database


def open_for_reading(path: Path, *, application: int, version: int) -> Database:
    """Open a file that will not be written to, also where the disk cannot be.

    Raises:
        DamagedIndexError: It is not there or not an undamaged file of this application and version.
    """
    if not path.exists():
        raise DamagedIndexError(path, "there is no index yet", missing=True)
    short = _check_header(path, application, version)
    if os.access(path.parent, os.W_OK):
        database = _connect(path, "mode=ro")
    else:
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise DamagedIndexError(path, "a write was cut off and the disk is read-only")
        database = _connect(path, "mode=ro&immutable=1")
    _check_tables(database, short=short)
    return database


def discard(path: Path) -> None:
    """Remove a database with its side files; the caller holds the lock of the index.

    Raises:
        StorageError: The disk refuses.
    """
    try:
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"it cannot be removed ({error.strerror})", where=str(path), cure="Remove it by hand."
        ) from error


def _connect(path: Path, options: str) -> Database:
    with told(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{options}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
    return Database(connection, path)


def _create(path: Path, tables: str, application: int, version: int, page_bytes: int) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with told(draft):
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute(f"PRAGMA page_size={page_bytes:d}")
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(f"PRAGMA application_id={application:d}")
                connection.execute(f"PRAGMA user_version={version:d}")
                connection.executescript(f"BEGIN;{tables}COMMIT;")
            finally:
                connection.close()
        draft.chmod(0o600)
        _publish(draft, path)
    except OSError as error:
        raise _unwritable(path, error.strerror) from error


def _publish(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another process was first."""
    if not path.exists():
        for name in (f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:
        draft.replace(path)
        return
    draft.unlink()


def _check_header(path: Path, application: int, version: int) -> bool:
    """Return whether the file is shorter than its own header says."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
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
    *_, found_version, found_application = _HEADER.unpack(head)
    if found_application != application:
        raise DamagedIndexError(path, "it was made by another program")
    if found_version != version:
        age = "a newer" if found_version > version else "an older"
        raise DamagedIndexError(path, f"it was made by {age} version")
    return _is_short(path)


def _check_tables(database: Database, *, short: bool) -> None:
    """Read the schema; look through the whole file only if it looks cut off.

    While another process copies its log into the file, a short one may still be whole; without a
    log, what is missing was cut off.
    """
    try:
        if short and not _is_whole(database):
            raise DamagedIndexError(database.path, "part of it is missing")
        database.all("SELECT count(*) FROM meta")
    except VaultmemError:
        database.close()
        raise


def _is_whole(database: Database) -> bool:
    try:
        if database.all("PRAGMA quick_check(1)") != [("ok",)]:
            return False
    except DamagedIndexError:
        return False
    log = database.path.with_name(f"{database.path.name}-wal")
    try:
        return log.stat().st_size > 0 or not _is_short(database.path)
    except FileNotFoundError:
        return not _is_short(database.path)


def _is_short(path: Path) -> bool:
    with path.open("rb") as file:
        page, pages, *_ = _HEADER.unpack(file.read(100))
        return bool(file.seek(0, os.SEEK_END) < pages * (65536 if page == 1 else page))


def _unwritable(path: Path, why: str | None) -> StorageError:
    return StorageError(
        f"it cannot be written ({why})",
        where=str(path),
        cure="Make the folder writable or set [index] dir.",
    )


def _in_our_words(error: sqlite3.Error, path: Path) -> VaultmemError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return LockedError(
            "another process is writing the index",
            where=str(path),
            cure="Try again when it is done.",
        )
    if code in _REFUSALS:
        return StorageError(
            f"the disk refused ({error})",
            where=str(path),
            cure="See whether the disk is full or the folder read-only.",
        )
    return DamagedIndexError(path, f"it is damaged ({error})")

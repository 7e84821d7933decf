"""One open SQLite file, its errors told in our words."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from vault_memory.errors import LockedError, StorageError, VaultmemError
from vault_memory.index.seal import Seal, Sealed, is_in_use, seal_again

Row = tuple[Any, ...]

BUSY_SECONDS = 30.0
"""How long a process waits for another one's transaction."""

BASE = "base"
"""The key in ``meta`` of what the file was when the log was begun."""

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

    Args:
        connection: SQLite's own.
        path: The file.
        seal: Held as long as the file is open; None where there is none to hold.
        sealed: What the file was when nobody had it open; None when that is not kept.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        seal: Seal | None = None,
        sealed: Sealed | None = None,
    ) -> None:
        self.path = path
        self._connection = connection
        self._seal = seal
        self._base = sealed.content if sealed else ""
        self._based = False
        self._before = 0 if sealed is None or is_in_use(path, sealed) else self._version()

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
            if self._base and not self._based:
                self.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (BASE, self._base))
            yield
            self.run("COMMIT")
            self._based = True
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

    def condemn(self, reason: str) -> None:
        """Have the file made anew by whoever is next alone with it, since it proved damaged."""
        if self._seal:
            self._seal.condemn(reason)

    def close(self) -> None:
        """Close the file; the last to close it leaves it whole in one file, and seals it."""
        changed = self._before != self._version()
        with suppress(sqlite3.Error):
            self._connection.close()
        if self._seal:
            try:
                if changed and self._base:
                    seal_again(self._seal, self.path)
            finally:
                self._seal.close()
                self._seal = None

    def _version(self) -> int:
        """A number that is another one after any change, by this process or another; 0 if none."""
        try:
            [(others,)] = self._connection.execute("PRAGMA data_version").fetchall()
        except sqlite3.Error:
            return 0
        return (int(others) << 32) + self._connection.total_changes + 1


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Raise what SQLite raises inside as an error of ours that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_our_words(error, path) from error
    except UnicodeDecodeError as error:
        raise DamagedIndexError(path, "it is damaged (text in it is not UTF-8)") from error


def connect(path: Path, way: str, *, seal: Seal | None = None, sealed: bool = False) -> Database:
    """Open a file that was checked.

    Args:
        path: The file.
        way: The part of its address that tells SQLite how.
        seal: What is held for it.
        sealed: Whether what the seal says of its content is to be kept up.

    Raises:
        DamagedIndexError: It is no sound database.
        StorageError: The disk refuses.
    """
    known = seal.read() if seal and sealed else None
    with told(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{way}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
    try:
        with told(path):
            connection.execute("SELECT count(*) FROM meta").fetchall()
        return Database(
            connection, path, seal=seal, sealed=known if isinstance(known, Sealed) else None
        )
    except BaseException:
        connection.close()
        raise


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

"""One SQLite file: made whole, opened for what the disk allows, its errors told in our words."""

import os
import sqlite3
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from vault_memory.errors import LockedError, StorageError, VaultmemError
from vault_memory.index.checksums import stamp_of
from vault_memory.index.durable import put_in_place
from vault_memory.index.regular import open_regular
from vault_memory.index.seal import Seal, Sealed, sealed_now

Row = tuple[Any, ...]

BUSY_SECONDS = 30.0
"""How long a process waits for another one's transaction."""

WAIT_SECONDS = 0.01
"""How often it looks whether it is alone with a damaged file."""

LOG_BYTES = 16 * 1024 * 1024
"""How far a log grows before it is copied into its file, which only then differs from its seal."""

BASE = "base"
"""The key in ``meta`` of what the file was when the log was begun."""

UNKNOWN = "nothing tells what was written to it"

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
        self._before = 0 if sealed is None or _is_in_use(path, sealed) else self._version()

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
                    _seal_again(self._seal, self.path)
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


def open_database(path: Path, kind: Kind, *, mending: Mending | None = None) -> Database:
    """Open a file for writing, and make it first when it is not there.

    Args:
        path: The file.
        kind: What it must be.
        mending: Have a damaged file made anew, once nobody else has it open.

    Raises:
        DamagedIndexError: It is there and is not an undamaged file of this application and version.
        LockedError: A damaged one is in use by others for too long.
        StorageError: The folder cannot be written.
    """
    try:
        return _open_checked(path, kind, mending)
    except DamagedIndexError:
        if mending is None:
            raise
    return _open_checked(path, kind, mending)


def _open_checked(path: Path, kind: Kind, mending: Mending | None) -> Database:
    """Open a file for writing; one that proves damaged only then is made anew by the next to."""
    seal = _entered(path, kind, lambda seal: _check(path, kind, seal, mending))
    try:
        return _connect_for_writing(path, kind, seal)
    except DamagedIndexError as damage:
        seal.condemn(damage.reason)
        seal.close()
        raise
    except BaseException:
        seal.close()
        raise


def open_for_reading(path: Path, kind: Kind) -> Database:
    """Open a file that will not be written to, also where the disk cannot be.

    Raises:
        DamagedIndexError: It is not there or not an undamaged file of this application and version.
    """
    if not path.exists():
        raise DamagedIndexError(path, "there is no index yet", missing=True)
    seal = _entered(path, kind, lambda seal: _check_unchanged(path, kind, seal), make=False)
    try:
        return _connect_for_reading(path, kind, seal)
    except BaseException:
        seal.close()
        raise


def _connect_for_reading(path: Path, kind: Kind, seal: Seal) -> Database:
    """Open a file, for writing where it may be: only so its side files go when it is closed."""
    way = "mode=ro" if kind.sealed or not os.access(path, os.W_OK) else "mode=rw"
    if not os.access(path.parent, os.W_OK):
        way = "mode=ro&immutable=1"
    database = _connect(path, way, seal=seal)
    database.run("PRAGMA query_only=1")
    return database


def _entered(path: Path, kind: Kind, check: Callable[[Seal], None], *, make: bool = True) -> Seal:
    """Hold the seal together with others, once whoever was alone with the file has checked it."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        seal = _opened(path, make=make)
        try:
            alone = seal.take()
            if alone:
                check(seal)
                seal.share()
            if (alone or seal.join()) and seal.stands and _is_usable(seal, kind):
                return seal
        except OSError as error:
            seal.close()
            raise _unwritable(path, error.strerror) from error
        except BaseException:
            seal.close()
            raise
        seal.close()
        if time.monotonic() > deadline:
            raise LockedError(
                "the index is damaged, and another process has it open",
                where=str(path),
                cure="End the other process.",
            )
        time.sleep(WAIT_SECONDS)


def _opened(path: Path, *, make: bool) -> Seal:
    try:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        return Seal(path, make=make)
    except FileNotFoundError as error:
        raise DamagedIndexError(path, UNKNOWN) from error
    except OSError as error:
        raise _unwritable(path, error.strerror) from error


def _is_usable(seal: Seal, kind: Kind) -> bool:
    known = seal.read()
    return not isinstance(known, str) and not (kind.sealed and known is None)


def _check(path: Path, kind: Kind, seal: Seal, mending: Mending | None) -> None:
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
            with closing(_connect(path, "mode=rw")) as database:
                mending.rescue(damaged, database)
            seal.write(sealed_now(path))
        discard(damaged)


def _put_aside(path: Path) -> None:
    discard(_aside(path))
    for end in ("-wal", ""):
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}{end}").replace(f"{_aside(path)}{end}")


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")


def _check_content(path: Path, kind: Kind, seal: Seal) -> None:
    """Check a file that nobody else has open, finish what was cut off, and seal it again."""
    _check_header(path, kind)
    known = seal.read()
    if isinstance(known, str):
        raise DamagedIndexError(path, known)
    if not kind.sealed:
        return
    now = _compare(path, known)
    if _log_bytes(path):
        _finish(path, now)
        now = sealed_now(path)
    if now != known:
        seal.write(now)


def _check_unchanged(path: Path, kind: Kind, seal: Seal) -> None:
    """Check a file that nobody else has open and that cannot be mended."""
    _check_header(path, kind)
    known = seal.read()
    if isinstance(known, str):
        raise DamagedIndexError(path, known)
    if _log_bytes(path) and (kind.sealed or not os.access(path.parent, os.W_OK)):
        raise DamagedIndexError(path, "a write was cut off")
    if kind.sealed:
        _compare(path, known)


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
    database = _connect(path, "mode=rw")
    try:
        [(_, frames, _)] = database.all("PRAGMA wal_checkpoint(PASSIVE)")
        base = database.one("SELECT value FROM meta WHERE key = ?", (BASE,))
        if frames > 0 and base != (sealed.content,):
            raise DamagedIndexError(path, "its log belongs to another state")
    finally:
        database.close()


def _seal_again(seal: Seal, path: Path) -> None:
    """Seal a file that was changed, if nobody else has it open, who would do so."""
    with suppress(OSError):
        if seal.take() and seal.stands and not _log_bytes(path):
            seal.write(sealed_now(path))


def _is_in_use(path: Path, sealed: Sealed) -> bool:
    """Whether others have written to a file since it was sealed."""
    return _log_bytes(path) > 0 or stamp_of(path.stat()) != sealed.stamp


def _log_bytes(path: Path) -> int:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def discard(path: Path) -> None:
    """Remove a database with its side files; the caller is alone with it.

    Raises:
        OSError: The disk refuses.
    """
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _connect_for_writing(path: Path, kind: Kind, seal: Seal) -> Database:
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise _unwritable(path, "read-only")
    database = _connect(path, "mode=rw", seal=seal, kind=kind)
    database.run("PRAGMA synchronous=NORMAL")
    database.run("PRAGMA cache_size=-32768")
    database.run(f"PRAGMA wal_autocheckpoint={LOG_BYTES // kind.page_bytes:d}")
    return database


def _connect(
    path: Path, way: str, *, seal: Seal | None = None, kind: Kind | None = None
) -> Database:
    """Open a file that was checked, with the seal that is held for it."""
    known = seal.read() if seal and kind and kind.sealed else None
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
    if size < pages * (65536 if page == 1 else page) and not _log_bytes(path):
        raise DamagedIndexError(path, "part of it is missing")


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

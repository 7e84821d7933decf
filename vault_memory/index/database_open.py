"""Opening a database for what the disk allows, once whoever was alone with it has checked it."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from vault_memory.errors import LockedError, StorageError
from vault_memory.index.database import BUSY_SECONDS, DamagedIndexError, Database, connect
from vault_memory.index.database_check import UNKNOWN, Kind, Mending, check, check_unchanged
from vault_memory.index.seal import Seal

WAIT_SECONDS = 0.01
"""How often a process looks whether it is alone with a damaged file."""

LOG_BYTES = 16 * 1024 * 1024
"""How far a log grows before it is copied into its file, which only then differs from its seal."""


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


def open_for_reading(path: Path, kind: Kind) -> Database:
    """Open a file that will not be written to, also where the disk cannot be.

    Raises:
        DamagedIndexError: It is not there or not an undamaged file of this application and version.
    """
    if not path.exists():
        raise DamagedIndexError(path, "there is no index yet", missing=True)
    seal = _entered(path, kind, lambda seal: check_unchanged(path, kind, seal), make=False)
    try:
        return _connect_for_reading(path, kind, seal)
    except BaseException:
        seal.close()
        raise


def _open_checked(path: Path, kind: Kind, mending: Mending | None) -> Database:
    """Open a file for writing; one that proves damaged only then is made anew by the next to."""
    seal = _entered(path, kind, lambda seal: check(path, kind, seal, mending))
    try:
        return _connect_for_writing(path, kind, seal)
    except DamagedIndexError as damage:
        seal.condemn(damage.reason)
        seal.close()
        raise
    except BaseException:
        seal.close()
        raise


def _connect_for_writing(path: Path, kind: Kind, seal: Seal) -> Database:
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise _unwritable(path, "read-only")
    database = connect(path, "mode=rw", seal=seal, sealed=kind.sealed)
    database.run("PRAGMA synchronous=NORMAL")
    database.run("PRAGMA cache_size=-32768")
    database.run(f"PRAGMA wal_autocheckpoint={LOG_BYTES // kind.page_bytes:d}")
    return database


def _connect_for_reading(path: Path, kind: Kind, seal: Seal) -> Database:
    """Open a file, for writing where it may be: only so its side files go when it is closed."""
    way = "mode=ro" if kind.sealed or not os.access(path, os.W_OK) else "mode=rw"
    if not os.access(path.parent, os.W_OK):
        way = "mode=ro&immutable=1"
    database = connect(path, way, seal=seal)
    database.run("PRAGMA query_only=1")
    return database


def _entered(path: Path, kind: Kind, checked: Callable[[Seal], None], *, make: bool = True) -> Seal:
    """Hold the seal together with others, once whoever was alone with the file has checked it."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        seal = _opened(path, make=make)
        try:
            alone = seal.take()
            if alone:
                checked(seal)
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


def _unwritable(path: Path, why: str | None) -> StorageError:
    return StorageError(
        f"it cannot be written ({why})",
        where=str(path),
        cure="Make the folder writable or set [index] dir.",
    )

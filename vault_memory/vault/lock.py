"""Locks between processes that the kernel frees, however their holder ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from vault_memory.errors import LockedError, StorageError
from vault_memory.vault.layout import DERIVED, make_derived

_FIRST_WAIT = 0.001
_LONGEST_WAIT = 0.05


@contextmanager
def vault_lock(vault_path: Path, *, timeout_seconds: float) -> Iterator[bool]:
    """Hold the vault: nobody else writes notes meanwhile. Not for while a model works.

    The lock lies in the vault itself, wherever its derived data is kept, so that all writers of
    a vault meet.

    Args:
        vault_path: The vault.
        timeout_seconds: How long to wait for another process; 0 does not wait.

    Yields:
        Whether the last holder ended without letting go, and may have left temporary files.

    Raises:
        LockedError: Another process held it for all that time.
        StorageError: The vault cannot be written.
    """
    folder = vault_path / DERIVED
    if folder.is_symlink():
        raise StorageError("is a link, and is not followed", where=str(folder), cure="Remove it")
    with _lock(folder, "vault", timeout_seconds) as left:
        yield left


@contextmanager
def index_lock(derived: Path, *, timeout_seconds: float) -> Iterator[bool]:
    """Hold the index: nobody else rebuilds it meanwhile; arguments and errors as `vault_lock`."""
    with _lock(derived, "index", timeout_seconds) as left:
        yield left


@contextmanager
def cover_lock(derived: Path) -> Iterator[bool]:
    """Hold the making of the approximate index, which takes long; does not wait for another.

    Yields and raises as `vault_lock`.
    """
    with _lock(derived, "cover", 0) as left:
        yield left


@contextmanager
def intake_lock(derived: Path, *, timeout_seconds: float) -> Iterator[bool]:
    """Hold the taking in of many notes, which takes long; arguments and errors as `vault_lock`."""
    with _lock(derived, "intake", timeout_seconds) as left:
        yield left


@contextmanager
def embed_lock(derived: Path, *, timeout_seconds: float) -> Iterator[bool]:
    """Hold the embedding, lest two embed the same text; arguments and errors as `vault_lock`."""
    with _lock(derived, "embed", timeout_seconds) as left:
        yield left


@contextmanager
def _lock(folder: Path, what: str, timeout_seconds: float) -> Iterator[bool]:
    path = folder / f"{what}.lock"
    handle = _acquire(path, what, timeout_seconds)
    try:
        left = bool(os.pread(handle, 1, 0))
        _sign(handle, f"{os.getpid()}\n")
        try:
            yield left
        finally:
            _sign(handle, "")
    finally:
        os.close(handle)


def _sign(handle: int, text: str) -> None:
    """Write who holds the lock, which is only a hint and may fail on a full disk."""
    with suppress(OSError):
        os.ftruncate(handle, 0)
        os.pwrite(handle, text.encode(), 0)


def _acquire(path: Path, what: str, timeout_seconds: float) -> int:
    deadline = time.monotonic() + timeout_seconds
    wait = _FIRST_WAIT
    while True:
        handle = _open(path)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
            os.close(handle)
        except OSError as error:
            os.close(handle)
            raise StorageError(f"cannot be locked: {error.strerror}", where=str(path)) from None
        else:
            if _is_still(path, handle):
                return handle
            os.close(handle)
            continue
        if time.monotonic() + wait > deadline:
            by = f" by process {holder}" if holder.isdigit() else ""
            long = f" for longer than {timeout_seconds:g} seconds" if timeout_seconds else ""
            raise LockedError(
                f"the {what} is held{by}{long}",
                where=str(path),
                cure="Try again, or raise [serve] lock_timeout_secs",
            )
        time.sleep(wait)
        wait = min(wait * 1.5, _LONGEST_WAIT)


def _open(path: Path) -> int:
    make_derived(path.parent)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageError(f"cannot be written: {error.strerror}", where=str(path)) from None


def _is_still(path: Path, handle: int) -> bool:
    """Whether the file that was locked is still the one that others will find."""
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(handle))
    except FileNotFoundError:
        return False

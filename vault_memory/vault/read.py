"""Reading one file of a vault: its bytes, and what they are known by."""

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import StorageError
from vault_memory.notes.text import MAX_NOTE_BYTES
from vault_memory.vault.inside import NOT_FOLLOWED, parent_of

if TYPE_CHECKING:
    from vault_memory.core.findings import Finding

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_bytes(vault_path: Path, path: str) -> bytes | None:
    """Read a file of the vault, as it is.

    Args:
        vault_path: The vault.
        path: Relative to the vault, with ``/``, in the form found on disk.

    Returns:
        The bytes; None when there is no such file, or only a link, folder or device.

    Raises:
        StorageError: The disk or its permissions refuse.
        UsageError: The path does not lie in the vault.
    """
    try:
        with parent_of(vault_path, path) as (folder, name):
            return read_in(folder, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in NOT_FOLLOWED or error.errno == errno.ENAMETOOLONG:
            return None
        raise StorageError(f"cannot be read: {error.strerror}", where=path) from None


def read_in(folder: int, name: str) -> bytes | None:
    """Read a regular file in an open folder; None when the name is a folder or device.

    Raises:
        OSError: There is none, it is a link (``NOT_FOLLOWED``), or the disk refuses.
    """
    handle = os.open(name, _FILE, dir_fd=folder)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        return _all_of(handle, status.st_size)
    finally:
        os.close(handle)


def _all_of(handle: int, size: int) -> bytes:
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    pieces = [data]
    while piece := os.read(handle, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def oversized(path: str, size: int) -> "Finding | None":
    """The finding that a note is too large to be read; None when it is not.

    Args:
        path: Relative to the vault.
        size: In bytes, as a scan saw it.
    """
    if size <= MAX_NOTE_BYTES:
        return None
    from vault_memory.core.findings import Finding

    limit = MAX_NOTE_BYTES >> 20
    message = f"over {limit} MiB, so only its name is indexed; split it or exclude it"
    return Finding(path, 0, "note-too-large", message, "error")


def fingerprint(data: bytes) -> str:
    """The sha256 of a note's bytes, in hex: what says that it is still the same."""
    import hashlib

    return hashlib.sha256(data).hexdigest()

"""The steps by which one file is replaced: written aside, synced, and put in its place."""

import errno
import os
from contextlib import suppress

_TEMPORARY = (".vaultmem-", ".tmp")
TEMPORARY_GLOB = "*".join(_TEMPORARY)
"""Temporary files of a write, for ``.gitignore``; no scan reads them."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})


def temporary_name() -> str:
    """A new name for a temporary file."""
    return os.urandom(8).hex().join(_TEMPORARY)


def is_temporary(name: str) -> bool:
    """Whether a file's name is that of a temporary file of ours."""
    return name.startswith(_TEMPORARY[0]) and name.endswith(_TEMPORARY[1])


def write_aside(folder: int, temporary: str, data: bytes, *, old: str = "") -> None:
    """Write a new file, for the user alone, or with mode and owner of the one it will replace.

    Args:
        folder: An open folder.
        temporary: The name to write to.
        data: All bytes.
        old: The file in the folder that will be replaced; empty for none.

    Raises:
        OSError: The disk refuses.
    """
    handle = os.open(temporary, _NEW, 0o600, dir_fd=folder)
    try:
        if old:
            _take_over(handle, old, folder)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def _take_over(handle: int, name: str, folder: int) -> None:
    with suppress(FileNotFoundError):
        old = os.stat(name, dir_fd=folder, follow_symlinks=False)
        ours = os.fstat(handle)
        if (old.st_uid, old.st_gid) != (ours.st_uid, ours.st_gid):
            with suppress(PermissionError):
                os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, old.st_mode & 0o777)


def sync(folder: int, name: str) -> None:
    """Have a file's bytes on the disk before it is renamed.

    Raises:
        OSError: The disk refuses, now at the latest.
    """
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def place_new(folder: int, temporary: str, name: str) -> None:
    """Give a temporary file its name; unlike a rename this never takes another file's place.

    Raises:
        FileExistsError: The name is taken, perhaps by one that is the same on this disk.
        OSError: The disk refuses.
    """
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if exists(folder, name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name) from None
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        os.unlink(temporary, dir_fd=folder)


def exists(folder: int, name: str) -> bool:
    """Whether a name leads to anything, be it a link to nowhere."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_spelled(folder: int, name: str) -> bool:
    """Whether a folder lists a name in just this form, and not one that its disk calls the same."""
    return name in os.listdir(folder)

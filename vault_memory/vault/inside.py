"""Opening what lies in a vault, one folder at a time, so that no link leads out of it."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vault_memory.errors import UsageError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NOT_FOLLOWED = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""What opening a link (or what is no folder) without following it fails with."""


def parts_of(path: str) -> list[str]:
    """The names of a path within the vault.

    Raises:
        UsageError: It is absolute, leads out of the vault, or into git's own folder.
    """
    parts = path.split("/")
    if "\0" in path or any(part in {"", ".", ".."} for part in parts):
        raise UsageError("not a path within the vault", where=path.replace("\0", "\\0"))
    if any(part.casefold() == ".git" for part in parts):
        raise UsageError("git's own folder is not part of the vault", where=path)
    return parts


@contextmanager
def parent_of(vault_path: Path, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Open the folder that holds a path, for calls that take ``dir_fd``.

    Args:
        vault_path: The vault, which may itself be reached by a link.
        path: Relative to the vault, with ``/``.
        make: Whether to make folders that are missing, for the user alone.

    Yields:
        A file descriptor of the folder, and the name in it.

    Raises:
        OSError: A folder is missing (``ENOENT``), or is a link or file (``NOT_FOLLOWED``).
        UsageError: The path does not lie in the vault.
    """
    *folders, name = parts_of(path)
    handle = os.open(vault_path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            if make:
                _make(folder, handle)
            below = os.open(folder, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = below
        yield handle, name
    finally:
        os.close(handle)


def _make(folder: str, handle: int) -> None:
    try:
        os.mkdir(folder, 0o700, dir_fd=handle)
    except FileExistsError:
        return
    os.fsync(handle)

"""Putting a finished file in the place of an old one so that a crash leaves one of the two."""

import os
from pathlib import Path


def put_in_place(temporary: Path, path: Path) -> None:
    """Waits until a file is on disk, gives it its name, and waits until that is on disk too.

    Args:
        temporary: The finished file, in the same folder.
        path: Its name from now on; what bore it before is gone, but stays with those who have
            it open.

    Raises:
        OSError: The disk refused.
    """
    _sync(temporary, os.O_RDWR)
    temporary.replace(path)
    if os.name == "posix":
        _sync(path.parent, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

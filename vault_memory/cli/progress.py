"""A progress bar on standard error, on a terminal; nothing elsewhere."""

import sys
from typing import Self

_WIDTH = 30


class Bar:
    """A progress bar that goes when the work is done.

    Args:
        enabled: Whether to draw it.
    """

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, what: str, done: int, total: int) -> None:
        """Draw how far the work is.

        Args:
            what: What is being done, such as ``Embedding``.
            done: How much of it is.
            total: How much there is to do.
        """
        if not self._enabled or not total:
            return
        self._shown = True
        filled = _WIDTH * done // total
        bar = f"{what:<9} [{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total}"
        sys.stderr.write(f"\r{bar}\x1b[K")
        sys.stderr.flush()

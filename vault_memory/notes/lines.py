"""The numbers of a note's lines."""

import re

_LONE_CR = re.compile(r"\r(?!\n)")


class LineCounter:
    """Numbers of lines for positions that are asked for in ascending order, in linear time.

    Args:
        text: The whole note.
        position: A position whose line is known.
        line: The 1-based line of that position.
    """

    __slots__ = ("_line", "_position", "_text")

    def __init__(self, text: str, position: int = 0, line: int = 1) -> None:
        self._text = text
        self._position = position
        self._line = line

    def at(self, position: int) -> int:
        """Return the 1-based line that holds ``position``, which may not be before the last."""
        self._line += self._text.count("\n", self._position, position)
        if self._text.find("\r", self._position, position) >= 0:
            self._line += sum(1 for _ in _LONE_CR.finditer(self._text, self._position, position))
        self._position = position
        return self._line

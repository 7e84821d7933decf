"""Lines of a note and their numbers, without translating any line end."""

import re
from collections.abc import Iterator

_LONE_CR = re.compile(r"\r(?!\n)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")


def line_spans(text: str, start: int = 0) -> Iterator[tuple[int, int, int]]:
    r"""Yield ``(start, end, next)`` of each line from ``start`` on.

    ``end`` leaves out the line end, which is ``\n``, ``\r\n`` or ``\r``; ``next`` is where the next
    line begins.
    """
    size = len(text)
    if _LONE_CR.search(text, start):
        while start < size:
            match = _LINE.match(text, start)
            after = match.end() if match else size
            yield start, start + len(text[start:after].rstrip("\r\n")), after
            start = after
        return
    while start < size:
        feed = text.find("\n", start)
        if feed < 0:
            yield start, size, size
            return
        end = feed - 1 if feed > start and text[feed - 1] == "\r" else feed
        yield start, end, feed + 1
        start = feed + 1


class LineCounter:
    """Numbers of lines for positions that are asked for in ascending order, in linear time.

    Args:
        text: The whole note.
        position: A position whose line is known.
        line: The 1-based line of that position.
    """

    __slots__ = ("_line", "_lone", "_position", "_text")

    def __init__(self, text: str, position: int = 0, line: int = 1) -> None:
        self._text = text
        self._position = position
        self._line = line
        self._lone = "\r" in text and _LONE_CR.search(text, position) is not None

    def at(self, position: int) -> int:
        """Return the 1-based line that holds ``position``, which may not be before the last."""
        self._line += self._text.count("\n", self._position, position)
        if self._lone:
            self._line += sum(1 for _ in _LONE_CR.finditer(self._text, self._position, position))
        self._position = position
        return self._line

"""Which lines of a text are fenced code, decided so that no markdown reader can think otherwise.

A fence marker that could be read in two ways (deep in what may or may not be a list) counts as
text. A fence that could end in two places gets an explicit end, so that all readers agree on what
comes after.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_BLANKS = re.compile(r"[ \t]*")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"(?:([-*+])|(\d{1,9})[.)])( {1,4})(?=[^ \t])")


class Line(NamedTuple):
    """One line, without its line end.

    Attributes:
        text: The line.
        code: Whether it is fenced code, its fences included.
        number: Which line of the given text this is, from 0; -1 for an end that was added.
    """

    text: str
    code: bool
    number: int


class _Fence(NamedTuple):
    char: str
    length: int
    indent: int
    deepest_end: int

    @property
    def end(self) -> str:
        return " " * self.indent + self.char * self.length

    def ends_at(self, content: str) -> bool:
        return content.startswith(self.char * self.length) and not content.rstrip(" \t").strip(
            self.char
        )


def close_fences(lines: Iterable[str]) -> Iterator[Line]:
    """Yield the lines, told apart into code and text, and an end for every fence that lacks one.

    Args:
        lines: Without their line ends.
    """
    given = list(lines)
    if not any("```" in text or "~~~" in text for text in given):
        yield from (Line(text, code=False, number=number) for number, text in enumerate(given))
        return
    scanner = _Scanner()
    for number, text in enumerate(given):
        yield from scanner.take(text, number)
    if scanner.fence:
        yield Line(scanner.fence.end, code=True, number=-1)


class _Scanner:
    def __init__(self) -> None:
        self.fence: _Fence | None = None
        self.items: list[int] = []
        """Columns where the contents of the list items begin that are open for certain."""
        self.after_blank = True

    def take(self, text: str, number: int) -> Iterator[Line]:
        start = _BLANKS.match(text)
        blanks = start[0] if start else ""
        indent = len(blanks.expandtabs(4)) if "\t" in blanks else len(blanks)
        content = text[len(blanks) :]
        if self.fence:
            if self._inside(self.fence, indent, content):
                yield Line(text, code=True, number=number)
                return
            yield Line(self.fence.end, code=True, number=-1)
            self.fence = None
        yield Line(text, code=self._outside(indent, content), number=number)

    def _inside(self, fence: _Fence, indent: int, content: str) -> bool:
        """Return whether the line still belongs to the fence, as code or as its end."""
        if not content:
            return True
        if fence.indent > 1 and indent < fence.indent:
            return False
        if fence.ends_at(content):
            if indent <= fence.deepest_end:
                self.fence = None
            elif 1 < fence.indent <= 3:
                return False
        return True

    def _outside(self, indent: int, content: str) -> bool:
        """Return whether the line opens a fence, and keep track of lists."""
        if not content:
            self.after_blank = True
            return False
        in_list = bool(self.items)
        while self.items and indent < self.items[-1]:
            self.items.pop()
        if opening := _FENCE.match(content):
            if indent <= 3:
                self.fence = _Fence(content[0], len(opening[1]), indent, 3)
            elif self.items and indent - self.items[-1] <= 3:
                deepest = self.items[-1] + 3
                self.fence = _Fence(content[0], len(opening[1]), indent, deepest)
        elif indent - (self.items[-1] if self.items else 0) <= 3:
            self._open_items(indent, content, may_begin=in_list or self.after_blank)
        self.after_blank = False
        return self.fence is not None

    def _open_items(self, indent: int, content: str, *, may_begin: bool) -> None:
        position = 0
        only = {mark: len(content.rstrip(f"{mark} \t")) for mark in "*-"}
        while item := _ITEM.match(content, position):
            is_rule = position >= only.get(item[1], len(content))
            if is_rule and content.count(item[1], position) >= 3:
                return
            if item[2] and int(item[2]) != 1 and not may_begin:
                return
            position = item.end()
            self.items.append(indent + position)
            may_begin = True

"""Quotes and list items: which of them a line lies in, and where its own content begins."""

import re

MAX_DEPTH = 32
"""Containers inside each other that are followed; a deeper one is read as prose."""

_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t\n]|\Z)")


class Cursor:
    """A place in a line, and the containers that are open.

    A container is the number of columns a line must be indented to belong to it, 0 for a quote.

    Attributes:
        text: The note, with line feeds for all line ends.
        containers: What is open, outermost first.
        hollow: How many containers are open when the last of them began with a blank line, else 0.
        pos: Where the next character that is no blank stands.
        end: Where the line ends.
        indent: Columns of blanks before ``pos`` that no container has taken.
    """

    __slots__ = ("_column", "containers", "end", "hollow", "indent", "pos", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.containers: list[int] = []
        self.hollow = 0
        self.pos = self.end = self.indent = self._column = 0

    def begin(self, start: int, end: int) -> None:
        """Go to the beginning of a line, or of what is left of it."""
        self.pos, self.end, self._column, self.indent = start, end, 0, 0
        self._skip_blanks()

    def match(self) -> int:
        """Pass the marks of the open containers; return how many of them the line lies in."""
        matched = 0
        for need in self.containers:
            if need == 0:
                if self.pos == self.end or self.indent > 3 or self.text[self.pos] != ">":
                    break
                self.enter(">", new=False)
            elif self.pos == self.end:
                if matched + 1 == self.hollow:
                    break
            elif self.indent >= need:
                self._take(need)
            else:
                break
            matched += 1
        return matched

    def match_spaces(self, indent: int) -> tuple[int, int]:
        """How many containers a line of that many spaces lies in, and the spaces left over."""
        matched = 0
        for need in self.containers:
            if not 0 < need <= indent:
                break
            indent -= need
            matched += 1
        return matched, indent

    def mark(self, *, interrupts: bool) -> str:
        """The mark of a container that begins here, or nothing.

        Args:
            interrupts: Whether a paragraph would end by it, which not every list item may do.
        """
        if self.text[self.pos] == ">":
            return ">"
        item = _ITEM.match(self.text, self.pos)
        if not item or self.is_rule():
            return ""
        mark = item.group()
        if interrupts:
            blank = not self.text[item.end() : self.end].strip(" \t")
            if blank or (len(mark) > 1 and int(mark[:-1]) != 1):
                return ""
        return mark

    def enter(self, mark: str, *, new: bool = True) -> None:
        """Pass the mark of a container, and open it when it is new."""
        before = self.indent
        self.pos += len(mark)
        self._column += before + len(mark)
        self.indent = 0
        self._skip_blanks()
        blank = self.pos == self.end
        if mark == ">":
            self._take(min(self.indent, 1))
            if new:
                self.containers.append(0)
            return
        inner = self.indent if 1 <= self.indent <= 4 and not blank else 1
        if not blank:
            self._take(inner)
        self.containers.append(before + len(mark) + inner)

    def is_rule(self) -> bool:
        """Whether the rest of the line is a thematic break."""
        mark = self.text[self.pos]
        if mark not in "*-_" or self.text[self.end - 1] not in (mark, " ", "\t"):
            return False
        rest = self.rest()
        return rest.count(mark) >= 3 and not rest.strip(mark + " \t")

    def rest(self) -> str:
        """The rest of the line."""
        return self.text[self.pos : self.end]

    def _take(self, columns: int) -> None:
        self._column += columns
        self.indent -= columns

    def _skip_blanks(self) -> None:
        text, pos, end, column = self.text, self.pos, self.end, self._column + self.indent
        while pos < end and text[pos] in " \t":
            column += 1 if text[pos] == " " else 4 - column % 4
            pos += 1
        self.pos, self.indent = pos, column - self._column

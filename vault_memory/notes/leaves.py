"""The block structure of a note as CommonMark sees it, so far as links and headings need it.

One pass over the lines finds the leaf blocks: prose, headings, code, comments and math. Containers
(quotes, list items) are followed only to know what a line belongs to. HTML blocks other than
``<pre>`` and its like are read as prose, because Obsidian's readers look for links in them.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

LeafKind = Literal["text", "heading", "code", "comment", "math", "conflict"]

MAX_DEPTH = 32
"""Containers inside each other that are followed; a deeper one is read as prose."""

_FENCE = re.compile(r"`{3,}+(?=[^`\n]*(?:\n|\Z))|~{3,}+")
_ATX = re.compile(r"(#{1,6})(?=[ \t\n]|\Z)[^\n]*")
_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t\n]|\Z)")
_RAW = re.compile(r"<(?:pre|script|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_RAW_END = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_COMMENT_END = re.compile("-->")
_PERCENT = re.compile("%%")
_DISPLAY = re.compile(r"\$\$")
_DELIMITERS = re.compile(r"[-:| \t]+")
_OPENERS = frozenset("`~#>*_-+=<%$|:0123456789")
_PLAIN_START = r"[^ \t\n`~#>*_\-+=<%$|:0-9]|\*\*?(?=[^\s*])|_(?=[^\s_])|`(?!``)"
_PLAIN = rf"(?:{_PLAIN_START}|[0-9](?![0-9]{{0,8}}[.)]))[^\n]*"
_PROSE = re.compile(rf"{_PLAIN}(?:\n{_PLAIN})*+")
_BULLET = re.compile(rf"( *)[-+*] (?={_PLAIN})[^\n]*")


class Leaf(NamedTuple):
    r"""One leaf block.

    Attributes:
        kind: What sort of text it is; ``text`` and ``heading`` hold inline markup, others nothing.
        start: Where its content begins, without the marks of its containers.
        end: Where its last line ends, before its ``\n``; that of a setext heading is the
            underline, so that a heading of several lines is always setext.
        level: 1 to 6 for a heading, else 0.
        depth: How many containers it lies in.
    """

    kind: LeafKind
    start: int
    end: int
    level: int = 0
    depth: int = 0


@lru_cache(maxsize=2)
def leaves(text: str, start: int = 0) -> tuple[Leaf, ...]:
    """The leaf blocks of a note's body, in order, in time linear in its length.

    The last answers are kept, since links and sections are asked for in turn.

    Args:
        text: The whole note.
        start: Where the body begins.
    """
    return _Scanner(text, {}).scan(start)


def leaves_between_conflicts(
    text: str, start: int, conflicts: Mapping[int, int]
) -> tuple[Leaf, ...]:
    """The leaf blocks of a body that may hold git conflicts, those among them.

    Args:
        text: The whole note.
        start: Where the body begins.
        conflicts: Starts of lines, each with the end of the conflict that begins there unless the
            line is code.
    """
    return _Scanner(text, conflicts).scan(start)


class _Scanner:
    """Where the pass stands: open containers, the open leaf, and the line's cursor.

    A container is the number of columns a line must be indented to belong to it, 0 for a quote.
    The text is read with line feeds for all line ends, its length unchanged.
    """

    __slots__ = (
        "ahead",
        "col",
        "conflicts",
        "containers",
        "end",
        "fence",
        "found",
        "hollow",
        "indent",
        "leaf_end",
        "leaf_start",
        "open",
        "pos",
        "table",
        "text",
    )

    def __init__(self, text: str, conflicts: Mapping[int, int]) -> None:
        self.text = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
        self.conflicts = conflicts
        self.found: list[Leaf] = []
        self.containers: list[int] = []
        self.open = ""
        self.leaf_start = self.leaf_end = 0
        self.fence = ""
        self.table = False
        self.hollow = 0
        self.pos = self.col = self.indent = self.end = 0
        self.ahead: dict[re.Pattern[str], tuple[int, int]] = {}

    def scan(self, position: int) -> tuple[Leaf, ...]:
        """Take the body from ``position`` to the end."""
        text = self.text
        size = len(text)
        while position < size:
            stop = self._quick(position)
            if stop < 0:
                end = text.find("\n", position)
                stop = self._line(position, end if end >= 0 else size)
            position = self._rest(stop)
        self.close()
        return tuple(self.found)

    def _quick(self, start: int) -> int:
        """Take at once lines whose part is plain from how they begin; -1 when there are none."""
        text = self.text
        if self.open == "fence" and not self.containers:
            return self._to_fence_end(start)
        if text[start] == "\n" and not self.hollow and 0 not in self.containers:
            if self.open == "text":
                self.close()
            return start
        if self.table:
            return -1
        if prose := _PROSE.match(text, start):
            if self.open != "text":
                self._settle(0)
                self.open, self.leaf_start = "text", start
            self.leaf_end = prose.end()
            return prose.end()
        if text[start] == "#" and (heading := _ATX.match(text, start)):
            self._settle(0)
            self._add("heading", start, heading.end(), len(heading.group(1)))
            return heading.end()
        return self._bullet(start)

    def _bullet(self, start: int) -> int:
        """Take a list item of one plain line; -1 when there is none."""
        bullet = _BULLET.match(self.text, start)
        if not bullet:
            return -1
        indent, matched = bullet.end(1) - start, 0
        for need in self.containers:
            if not 0 < need <= indent:
                break
            indent -= need
            matched += 1
        inside = matched == len(self.containers)
        if indent > 3 or matched >= MAX_DEPTH or (inside and self.open == "fence"):
            return -1
        self._settle(matched)
        self.containers.append(indent + 2)
        self.open = "text"
        self.leaf_start, self.leaf_end = bullet.end(1) + 2, bullet.end()
        return bullet.end()

    def _line(self, start: int, end: int) -> int:
        """Take one line; return where it ends, or where a longer region does."""
        self.pos, self.end, self.col, self.indent = start, end, 0, 0
        self._skip_blanks()
        matched = self._match_containers()
        whole = matched == len(self.containers)
        if self.open == "fence" and whole:
            return self._fence_line()
        if start in self.conflicts:
            self._settle(0)
            self._add("conflict", start, self.conflicts[start])
            return self.conflicts[start]
        if self.pos == end:
            return self._blank_line(matched)
        if self.open == "code" and whole and self.indent >= 4:
            self.leaf_end = end
            return end
        return self._open_line(matched)

    def _rest(self, start: int) -> int:
        """Take as prose what follows a region in its line; return where the next line begins."""
        text = self.text
        if text.startswith("\n", start):
            return start + 1
        end = text.find("\n", start)
        self.end = end if end >= 0 else len(text)
        self.pos, self.col, self.indent = start, 0, 0
        self._skip_blanks()
        if self.pos < self.end:
            self._text_line()
        return self.end + 1

    def close(self) -> None:
        """End the open leaf."""
        if self.open == "text":
            self._add("text", self.leaf_start, self.leaf_end)
        elif self.open:
            self._add("code", self.leaf_start, self.leaf_end)
        self.open = ""
        self.table = False

    def _add(self, kind: LeafKind, start: int, end: int, level: int = 0) -> None:
        self.found.append(Leaf(kind, start, end, level, len(self.containers)))

    def _skip_blanks(self) -> None:
        text, pos, end, column = self.text, self.pos, self.end, self.col + self.indent
        while pos < end and text[pos] in " \t":
            column += 1 if text[pos] == " " else 4 - column % 4
            pos += 1
        self.pos, self.indent = pos, column - self.col

    def _match_containers(self) -> int:
        matched = 0
        for need in self.containers:
            if need:
                if self.pos == self.end:
                    if matched + 1 == self.hollow:
                        break
                elif self.indent >= need:
                    self.col += need
                    self.indent -= need
                else:
                    break
            elif not self._take_quote():
                break
            matched += 1
        return matched

    def _take_quote(self) -> bool:
        if self.pos == self.end or self.indent > 3 or self.text[self.pos] != ">":
            return False
        self._take_mark(1)
        if self.indent:
            self.col += 1
            self.indent -= 1
        return True

    def _take_mark(self, length: int) -> None:
        self.pos += length
        self.col += self.indent + length
        self.indent = 0
        self._skip_blanks()

    def _fence_line(self) -> int:
        self.leaf_end = self.end
        if self.indent <= 3 and self._closes_fence(self.text[self.pos : self.end]):
            self.close()
        return self.end

    def _closes_fence(self, line: str) -> bool:
        bare = line.rstrip(" \t")
        return bare.startswith(self.fence) and not bare.strip(self.fence[0])

    def _to_fence_end(self, position: int) -> int:
        """Take the rest of a fence outside all containers."""
        text = self.text
        while (mark := text.find(self.fence, position)) >= 0:
            begin = text.rfind("\n", position, mark) + 1 or position
            end = text.find("\n", mark)
            end = len(text) if end < 0 else end
            line = text[begin:end]
            if line.find(self.fence) <= 3 and self._closes_fence(line.lstrip(" ")):
                self.leaf_end = end
                self.close()
                return end
            position = end + 1
        self.leaf_end = len(text)
        return self.leaf_end

    def _blank_line(self, matched: int) -> int:
        if self.open in ("text", "fence"):
            self.close()
        if matched < len(self.containers):
            self.close()
            del self.containers[matched:]
        self.hollow = 0
        return self.end

    def _open_line(self, matched: int) -> int:
        paragraph = self.open == "text"
        whole = matched == len(self.containers)
        while self.indent <= 3 and self.text[self.pos] in _OPENERS:
            if paragraph and whole and self._setext():
                return self.end
            if not self._container(matched, paragraph and whole):
                done = self._leaf(matched)
                if done >= 0:
                    return done
                break
            paragraph, whole = False, True
            matched = len(self.containers)
            if self.pos == self.end:
                self.hollow = matched
                return self.end
        if paragraph:
            return self._text_line()
        self._settle(matched)
        if self.indent >= 4:
            self.open = "code"
            self.leaf_start, self.leaf_end = self.pos, self.end
            return self.end
        return self._text_line()

    def _settle(self, matched: int) -> None:
        """End what the line does not belong to."""
        self.close()
        del self.containers[matched:]
        self.hollow = 0

    def _container(self, matched: int, interrupts: bool) -> bool:
        """Open a quote or list item at the cursor, if one begins there."""
        if matched >= MAX_DEPTH:
            return False
        text, pos = self.text, self.pos
        if text[pos] == ">":
            self._settle(matched)
            self._take_quote()
            self.containers.append(0)
            return True
        item = _ITEM.match(text, pos)
        if not item or self._rule():
            return False
        if interrupts and not self._may_interrupt(item.group()):
            return False
        self._settle(matched)
        need = self.indent + len(item.group())
        self._take_mark(len(item.group()))
        inner = self.indent if self.pos < self.end and self.indent <= 4 else 1
        inner = max(inner, 1)
        self.containers.append(need + inner)
        if self.pos < self.end:
            self.col += inner
            self.indent -= inner
        return True

    def _may_interrupt(self, mark: str) -> bool:
        if not self.text[self.pos + len(mark) : self.end].strip(" \t"):
            return False
        return len(mark) == 1 or int(mark[:-1]) == 1

    def _rule(self) -> bool:
        """Whether the rest of the line is a thematic break."""
        mark = self.text[self.pos]
        if mark not in "*-_" or self.text[self.end - 1] not in (mark, " ", "\t"):
            return False
        rest = self.text[self.pos : self.end]
        return rest.count(mark) >= 3 and not rest.strip(mark + " \t")

    def _setext(self) -> bool:
        mark = self.text[self.pos]
        if mark not in "=-" or self.table:
            return False
        rest = self.text[self.pos : self.end].rstrip(" \t")
        if rest.strip(mark):
            return False
        self._add("heading", self.leaf_start, self.end, 1 if mark == "=" else 2)
        self.open = ""
        return True

    def _leaf(self, matched: int) -> int:
        """Open or take a leaf other than prose at the cursor; -1 when none begins there."""
        text, pos, end = self.text, self.pos, self.end
        if fence := _FENCE.match(text, pos):
            self._settle(matched)
            self.open, self.fence = "fence", fence.group()
            self.leaf_start, self.leaf_end = pos, end
            return end
        if heading := _ATX.match(text, pos):
            self._settle(matched)
            self._add("heading", pos, end, len(heading.group(1)))
            return end
        if self._rule():
            self._settle(matched)
            return end
        if text[pos] in "<%$":
            return self._region(matched)
        if self.open == "text" and not self.table and matched == len(self.containers):
            self._start_table()
        return -1

    def _start_table(self) -> None:
        """Read the open paragraph as rows of a table, if the line is the one below its head."""
        text, pos, end = self.text, self.pos, self.end
        if "|" in text[pos:end] and "-" in text[pos:end] and _DELIMITERS.fullmatch(text, pos, end):
            self.table = "|" in text[self.leaf_start : self.leaf_end]

    def _region(self, matched: int) -> int:
        """Open a comment, display math or raw HTML, to its closing mark wherever that is."""
        text, pos = self.text, self.pos
        kind: LeafKind = "comment"
        if text.startswith("<!--", pos):
            close = _COMMENT_END
        elif text.startswith("%%", pos):
            close = _PERCENT
        elif text.startswith("$$", pos):
            kind, close = "math", _DISPLAY
        elif _RAW.match(text, pos):
            kind, close = "code", _RAW_END
        else:
            return -1
        stop = self._end_of(close, pos + 2)
        if stop < 0:
            if kind == "math" or matched:
                return -1
            stop = len(text)
        self._settle(matched)
        self._add(kind, pos, stop)
        return stop

    def _end_of(self, close: re.Pattern[str], start: int) -> int:
        """Where the next closing mark ends, or -1; each stretch of text is searched once."""
        begin, end = self.ahead.get(close, (-2, -2))
        if begin != -1 and begin < start:
            match = close.search(self.text, start)
            begin, end = match.span() if match else (-1, -1)
            self.ahead[close] = begin, end
        return end

    def _text_line(self) -> int:
        if self.open != "text" or self.table:
            table = self.table
            self.close()
            self.open, self.table = "text", table
            self.leaf_start = self.pos
        self.leaf_end = self.end
        return self.end

"""The block structure of a note as CommonMark sees it, so far as links and headings need it.

One pass over the lines finds the leaf blocks: prose, headings, code, comments and math. Containers
(quotes, list items) are followed only to know what a line belongs to. HTML blocks other than
``<pre>`` and its like are read as prose, because Obsidian's readers look for links in them.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from vault_memory.notes.containers import MAX_DEPTH, Cursor

LeafKind = Literal["text", "heading", "code", "comment", "math", "conflict"]

_FENCE = re.compile(r"`{3,}+(?=[^`\n]*(?:\n|\Z))|~{3,}+")
_ATX = re.compile(r"(#{1,6})(?=[ \t\n]|\Z)[^\n]*")
_REGIONS: tuple[tuple[LeafKind, re.Pattern[str], re.Pattern[str]], ...] = (
    ("comment", re.compile("<!--"), re.compile("-->")),
    ("comment", re.compile("%%"), re.compile("%%")),
    ("math", re.compile(r"\$\$"), re.compile(r"\$\$")),
    (
        "code",
        re.compile(r"<(?:pre|script|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE),
        re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE),
    ),
)
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
    """Where the pass stands: the cursor with its containers, and the open leaf."""

    __slots__ = (
        "conflicts",
        "cursor",
        "fence",
        "found",
        "leaf_end",
        "leaf_start",
        "missing",
        "open",
        "table",
        "text",
    )

    def __init__(self, text: str, conflicts: Mapping[int, int]) -> None:
        self.text = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
        self.cursor = Cursor(self.text)
        self.conflicts = conflicts
        self.found: list[Leaf] = []
        self.open = ""
        self.leaf_start = self.leaf_end = 0
        self.fence = ""
        self.table = False
        self.missing: set[re.Pattern[str]] = set()

    def scan(self, position: int) -> tuple[Leaf, ...]:
        """Take the body from ``position`` to the end."""
        size = len(self.text)
        position = max(position, self.text.startswith("\ufeff"))
        while position < size:
            stop = self._plain_lines(position)
            if stop < 0:
                stop = self._line(position)
            position = self._after(stop)
        self._close()
        return tuple(self.found)

    def _plain_lines(self, start: int) -> int:
        """Take at once lines whose part is plain from how they begin; -1 when there are none."""
        text, cursor = self.text, self.cursor
        if self.open == "fence" and not cursor.containers:
            return self._to_fence_end(start)
        if text[start] == "\n" and not cursor.hollow and 0 not in cursor.containers:
            if self.open == "text":
                self._close()
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
        return self._plain_item(start)

    def _plain_item(self, start: int) -> int:
        bullet = _BULLET.match(self.text, start)
        if not bullet:
            return -1
        containers = self.cursor.containers
        matched, indent = self.cursor.match_spaces(bullet.end(1) - start)
        inside = matched == len(containers)
        if indent > 3 or matched >= MAX_DEPTH or (inside and self.open == "fence"):
            return -1
        self._settle(matched)
        containers.append(indent + 2)
        self.open = "text"
        self.leaf_start, self.leaf_end = bullet.end(1) + 2, bullet.end()
        return bullet.end()

    def _line(self, start: int) -> int:
        """Take one line; return where it ends, or where a longer region does."""
        cursor = self.cursor
        end = self.text.find("\n", start)
        cursor.begin(start, end if end >= 0 else len(self.text))
        matched = cursor.match()
        whole = matched == len(cursor.containers)
        if self.open == "fence" and whole:
            return self._fence_line()
        if start in self.conflicts:
            self._settle(0)
            self._add("conflict", start, self.conflicts[start])
            return self.conflicts[start]
        if cursor.pos == cursor.end:
            return self._blank_line(matched)
        if self.open == "code" and whole and cursor.indent >= 4:
            self.leaf_end = cursor.end
            return cursor.end
        return self._open_line(matched)

    def _after(self, stop: int) -> int:
        """Take as prose what follows a region in its line; return where the next line begins."""
        if self.text.startswith("\n", stop):
            return stop + 1
        end = self.text.find("\n", stop)
        cursor = self.cursor
        cursor.begin(stop, end if end >= 0 else len(self.text))
        if cursor.pos < cursor.end:
            self._text_line()
        return cursor.end + 1

    def _close(self) -> None:
        """End the open leaf."""
        if self.open:
            kind: LeafKind = "text" if self.open == "text" else "code"
            self._add(kind, self.leaf_start, self.leaf_end)
        self.open = ""
        self.table = False

    def _settle(self, matched: int) -> None:
        """End the open leaf and the containers that the line does not lie in."""
        self._close()
        del self.cursor.containers[matched:]
        self.cursor.hollow = 0

    def _add(self, kind: LeafKind, start: int, end: int, level: int = 0) -> None:
        self.found.append(Leaf(kind, start, end, level, len(self.cursor.containers)))

    def _fence_line(self) -> int:
        self.leaf_end = self.cursor.end
        if self.cursor.indent <= 3 and self._closes_fence(self.cursor.rest()):
            self._close()
        return self.cursor.end

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
            if mark - begin <= 3 and self._closes_fence(line.lstrip(" ")):
                self.leaf_end = end
                self._close()
                return end
            position = end + 1
        self.leaf_end = len(text)
        return self.leaf_end

    def _blank_line(self, matched: int) -> int:
        if self.open == "text" or matched < len(self.cursor.containers):
            self._settle(matched)
        self.cursor.hollow = 0
        return self.cursor.end

    def _open_line(self, matched: int) -> int:
        """Take a line that may begin containers and a leaf, or go on with a paragraph."""
        cursor = self.cursor
        paragraph = self.open == "text"
        whole = matched == len(cursor.containers)
        while cursor.indent <= 3 and self.text[cursor.pos] in _OPENERS:
            if paragraph and whole and self._setext():
                return cursor.end
            mark = cursor.mark(interrupts=paragraph and whole) if matched < MAX_DEPTH else ""
            if not mark:
                stop = self._leaf(matched)
                if stop >= 0:
                    return stop
                break
            self._settle(matched)
            cursor.enter(mark)
            paragraph, whole = False, True
            matched = len(cursor.containers)
            if cursor.pos == cursor.end:
                cursor.hollow = matched
                return cursor.end
        if paragraph:
            return self._text_line()
        self._settle(matched)
        if cursor.indent < 4:
            return self._text_line()
        self.open = "code"
        self.leaf_start, self.leaf_end = cursor.pos, cursor.end
        return cursor.end

    def _setext(self) -> bool:
        mark = self.text[self.cursor.pos]
        if mark not in "=-" or self.table or self.cursor.rest().rstrip(" \t").strip(mark):
            return False
        self._add("heading", self.leaf_start, self.cursor.end, 1 if mark == "=" else 2)
        self.open = ""
        return True

    def _leaf(self, matched: int) -> int:
        """Open or take a leaf other than prose at the cursor; -1 when none begins there."""
        text, pos, end = self.text, self.cursor.pos, self.cursor.end
        if fence := _FENCE.match(text, pos):
            self._settle(matched)
            self.open, self.fence = "fence", fence.group()
            self.leaf_start, self.leaf_end = pos, end
            return end
        if heading := _ATX.match(text, pos):
            self._settle(matched)
            self._add("heading", pos, end, len(heading.group(1)))
            return end
        if self.cursor.is_rule():
            self._settle(matched)
            return end
        if text[pos] in "<%$":
            return self._region(matched)
        if self.open == "text" and matched == len(self.cursor.containers):
            self.table = self.table or self._under_table_head()
        return -1

    def _under_table_head(self) -> bool:
        """Whether the line makes the open paragraph a table, each line of which stands alone."""
        line = self.cursor.rest()
        marked = "|" in line and "-" in line and not line.strip("-:| \t")
        return marked and "|" in self.text[self.leaf_start : self.leaf_end]

    def _region(self, matched: int) -> int:
        """Take a comment, display math or raw HTML, to its closing mark wherever that is."""
        text, pos = self.text, self.cursor.pos
        for kind, begin, close in _REGIONS:
            if begin.match(text, pos):
                stop = self._end_of(close, pos + 2)
                if stop < 0:
                    if kind == "math" or matched:
                        return -1
                    stop = len(text)
                self._settle(matched)
                self._add(kind, pos, stop)
                return stop
        return -1

    def _end_of(self, close: re.Pattern[str], start: int) -> int:
        """Where the next closing mark ends, or -1; what is not there is looked for once."""
        match = None if close in self.missing else close.search(self.text, start)
        if match:
            return match.end()
        self.missing.add(close)
        return -1

    def _text_line(self) -> int:
        if self.open != "text" or self.table:
            table = self.table
            self._close()
            self.open, self.table = "text", table
            self.leaf_start = self.cursor.pos
        self.leaf_end = self.cursor.end
        return self.cursor.end

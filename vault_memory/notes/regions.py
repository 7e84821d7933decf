"""The parts of a note where nothing is a link: code, comments, math and escaped characters.

Blocks follow CommonMark; comments (``%%``) and math follow Obsidian. Inline marks pair only within
one paragraph, heading or table row, from left to right, so a wikilink covers the marks inside it.
"""

import re

from vault_memory.notes.leaves import leaves

WIKILINK = re.compile(
    r"\[\[([^\[\]|#\r\n]*)(?:#([^\[\]|\r\n]*))?"
    r"(\|(?:[^\[\]\r\n]|\[(?!\[)|\](?!\]))*)?\]\]"
)
"""A whole wikilink: its target, its anchor, and its shown text with the bar before it.

In a table the bar is escaped, and the backslash ends the target or the anchor.
"""

_SUSPECTS = ("`", "\\", "$", "\t", "    ", "%%", "~~~")
_TAG = re.compile(r"<(?:!--|pre|script|style|textarea)", re.IGNORECASE)
_MARK = re.compile(r"[`$\\%<](?:(?<=[`$\\])|(?<=%)%|(?<=<)!--)")
_TOKEN = re.compile(
    r"[\\`<%$\[](?:(?<=\\)[!-/:-@\[-`{-~]|(?<=`)`*|(?<=<)!--|(?<=%)%|(?<=\$)\$?|(?<=\[)(?=\[))"
)
_TICKS = re.compile(r"`+")
_DOLLAR = re.compile(r"(?<![\s\\])\$(?![\d$])|[`\r\n]")

Span = tuple[int, int]


def hidden_spans(text: str, start: int = 0) -> list[Span]:
    """The spans of a note's body where nothing is a link, in order and apart from each other.

    An unclosed fence, and an unclosed comment outside lists and quotes, reach to the end; any other
    mark that is not closed hides nothing. No span cuts a wikilink outside in two.

    Args:
        text: The whole note.
        start: Where the body begins.
    """
    if not _suspect(text, start):
        return []
    spans: list[Span] = []
    marked = -1
    for leaf in leaves(text, start):
        if leaf.kind not in ("text", "heading"):
            spans.append((leaf.start, leaf.end))
            continue
        if marked < leaf.start:
            mark = _MARK.search(text, leaf.start)
            marked = mark.start() if mark else len(text)
        if marked < leaf.end:
            _Inline(text, leaf.end, spans).scan(leaf.start)
    return spans


def _suspect(text: str, start: int) -> bool:
    """Whether anything at all could be hidden."""
    found = any(text.find(mark, start) >= 0 for mark in _SUSPECTS)
    return found or _TAG.search(text, start) is not None


class _Inline:
    """One paragraph, read from left to right; every search for a closing mark is made once."""

    __slots__ = ("dollar", "end", "found", "text", "ticks", "unclosed")

    def __init__(self, text: str, end: int, found: list[Span]) -> None:
        self.text = text
        self.end = end
        self.found = found
        self.ticks: dict[int, list[int]] | None = None
        self.unclosed: set[str] = set()
        self.dollar = -1

    def scan(self, position: int) -> None:
        """Add the hidden spans from ``position`` to the end of the paragraph."""
        text, end = self.text, self.end
        while token := _TOKEN.search(text, position, end):
            begin, mark = token.start(), token.group()
            if mark == "[":
                link = WIKILINK.match(text, begin, end)
                position = link.end() if link else begin + 1
                continue
            stop = self._closing(mark, begin)
            if stop < 0:
                position = token.end()
            else:
                self.found.append((begin, stop))
                position = stop

    def _closing(self, mark: str, begin: int) -> int:
        """Where the region opened by ``mark`` ends, or -1."""
        if mark[0] == "\\":
            return begin + 2
        if mark[0] == "`":
            return self._code(begin, len(mark))
        if mark == "$":
            return self._math(begin)
        if mark in self.unclosed:
            return -1
        close = "-->" if mark == "<!--" else mark
        at = self.text.find(close, begin + 2, self.end)
        if at < 0:
            self.unclosed.add(mark)
            return -1
        return at + len(close)

    def _code(self, begin: int, length: int) -> int:
        if self.ticks is None:
            self.ticks = {}
            for run in _TICKS.finditer(self.text, begin, self.end):
                self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
            for starts in self.ticks.values():
                starts.reverse()
        starts = self.ticks.get(length, [])
        while starts and starts[-1] < begin + length:
            starts.pop()
        return starts[-1] + length if starts else -1

    def _math(self, begin: int) -> int:
        if self.text[begin + 1 : begin + 2].isspace() or begin + 1 >= self.end:
            return -1
        if self.dollar < begin + 2:
            close = _DOLLAR.search(self.text, begin + 2, self.end)
            self.dollar = close.start() if close else self.end
        closed = self.dollar < self.end and self.text[self.dollar] == "$"
        return self.dollar + 1 if closed else -1

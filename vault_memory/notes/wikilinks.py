"""Links in prose: wikilinks, embeds and markdown links, found and written as Obsidian does."""

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from vault_memory.core.note import Link
from vault_memory.notes.lines import LineCounter
from vault_memory.notes.regions import WIKILINK, hidden_spans

_BRACKET = re.compile(r"[\[\]]")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_GAP = r"[ \t]*+(?:\r?\n[ \t]*+)?"
_DESTINATION = re.compile(
    r"\]\(" + _GAP + r"(?:<([^<>\r\n]+)>"
    r"|((?:[^\s()<\\]|\\.|\([^\s()]*+\))(?:[^\s()\\]|\\.|\([^\s()]*+\))*+))"
    r"(?:(?=\s)" + _GAP + r"(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?" + _GAP + r"\)"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_NEVER = (sys.maxsize, sys.maxsize)
_SHOWN = str.maketrans("[]|\r\n", "()/  ")


class LinkSpan(NamedTuple):
    """A link and where it stands, for those who mend links.

    Attributes:
        link: What it says.
        start: Where it begins, the ``!`` of an embed included.
        end: Where it ends.
        target: The span of the target as written, without anchor and shown text.
        wiki: Whether it is a wikilink rather than a markdown link.
    """

    link: Link
    start: int
    end: int
    target: tuple[int, int]
    wiki: bool


def find_links(text: str, body_start: int = 0) -> tuple[Link, ...]:
    """The links of a note's body that lead to other files, in order.

    Links in code, comments and math are none; nor are addresses on the web and links to a place in
    the same note.

    Args:
        text: The whole note.
        body_start: Where the body begins, behind the frontmatter.
    """
    lines = LineCounter(text)
    return tuple(
        Link(parts[0], parts[1], lines.at(match.start()), text[start] == "!")
        for start, match in _matches(text, body_start)
        if (parts := _parts(match))
    )


def link_spans(text: str, body_start: int = 0) -> list[LinkSpan]:
    """What `find_links` finds, with the spans that an edit needs."""
    lines = LineCounter(text)
    found = []
    for start, match in _matches(text, body_start):
        if parts := _parts(match):
            target, anchor, span = parts
            link = Link(target, anchor, lines.at(match.start()), text[start] == "!")
            found.append(LinkSpan(link, start, match.end(), span, match.re is WIKILINK))
    return found


def _matches(text: str, position: int) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield each visible link: where it begins, ``!`` included, and the match of its target."""
    token = WIKILINK if text.find("](", position) < 0 else _BRACKET
    if token.search(text, position) is None:
        return
    hidden = iter(hidden_spans(text, position))
    hide, show = next(hidden, _NEVER)
    brackets = _Brackets(text)
    while match := token.search(text, position):
        at = match.start()
        while show <= at:
            hide, show = next(hidden, _NEVER)
        if hide <= at:
            position = show
            continue
        if text.startswith("[[", at) and (match := WIKILINK.match(text, at)):
            position = match.end()
            yield _with_mark(text, at), match
            continue
        position = at + 1
        if text[at] == "[":
            brackets.opened.append(at)
        elif (begin := brackets.close(at)) >= 0 and (destination := _DESTINATION.match(text, at)):
            position = destination.end()
            yield _with_mark(text, begin), destination


def _with_mark(text: str, begin: int) -> int:
    """Where a link begins when the ``!`` before it is counted, unless that is escaped."""
    marked = text.startswith("!", begin - 1) and begin > 0
    return begin - 1 if marked and not text.startswith("\\", max(begin - 2, 0)) else begin


class _Brackets:
    """Square brackets that are open; a blank line between two means they are no pair."""

    __slots__ = ("before", "blank", "opened", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.opened: list[int] = []
        self.before = self.blank = -1

    def close(self, at: int) -> int:
        """Where the bracket opened that closes at ``at`` and has a destination; else -1."""
        begin = self.opened.pop() if self.opened else -1
        if begin < 0 or not self.text.startswith("(", at + 1):
            return -1
        while self.blank < at:
            self.before = self.blank
            match = _BLANK_LINE.search(self.text, max(self.blank + 1, 0))
            self.blank = match.start() if match else len(self.text)
        return begin if begin > self.before else -1


def _parts(match: re.Match[str]) -> tuple[str, str, tuple[int, int]] | None:
    """Target, anchor and the target's span; None when the link leads to no other file."""
    if match.re is WIKILINK:
        return _wiki_parts(match)
    group = 2 if match.group(1) is None else 1
    target, _, anchor = match.group(group).partition("#")
    if not target or _EXTERNAL.match(target):
        return None
    begin = match.start(group)
    return _plain(target), _plain(anchor), (begin, begin + len(target))


def _wiki_parts(match: re.Match[str]) -> tuple[str, str, tuple[int, int]] | None:
    """The parts of a wikilink, without the backslash of a table's bar."""
    target, anchor, shown = match.groups()
    if shown is not None:
        if anchor is not None:
            anchor = anchor.removesuffix("\\")
        else:
            target = target.removesuffix("\\")
    begin = match.start(1)
    span = begin, begin + len(target)
    target = target.strip()
    return (target, anchor.strip() if anchor else "", span) if target else None


def _plain(written: str) -> str:
    return unquote(_ESCAPED.sub(r"\1", written), errors="surrogateescape").strip()


def parse_link(text: str, line: int = 0) -> Link | None:
    """The link that a whole text is, as in a frontmatter value ``"[[Dani]]"``; else None.

    Args:
        text: The value, without the quotes of YAML.
        line: Its line in the file, kept in the link.
    """
    value = text.strip()
    spans = link_spans(value)
    if len(spans) != 1 or (spans[0].start, spans[0].end) != (0, len(value)):
        return None
    link = spans[0].link
    return Link(link.target, link.anchor, line, link.embed)


def render_link(
    stem: str, shown: str | None = None, *, anchor: str = "", in_table: bool = False
) -> str:
    """Write a wikilink to a note.

    Args:
        stem: The note's file name without ``.md``, or its path, as a link can hold it.
        shown: What people read, when it is not the stem; ``[ ] |`` are shown as ``( ) /``.
        anchor: A heading, or ``^block``.
        in_table: Whether the bar must be escaped, which is so in tables and only there.
    """
    place = f"{stem}#{anchor}" if anchor else stem
    if shown is None or shown == stem:
        return f"[[{place}]]"
    bar = "\\|" if in_table else "|"
    return f"[[{place}{bar}{shown.translate(_SHOWN)}]]"

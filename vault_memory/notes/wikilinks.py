"""Links in prose: wikilinks, embeds and markdown links, found and written as Obsidian does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from vault_memory.core.note import Link
from vault_memory.notes.lines import LineCounter
from vault_memory.notes.regions import WIKILINK, hidden_spans

_TOKEN = re.compile(WIKILINK.pattern + r"|[\[\]]|\n[ \t\r]*+\n")
_GAP = r"[ \t]*+(?:\r?\n[ \t]*+)?"
_DESTINATION = re.compile(
    r"\]\(" + _GAP + r"(?:<([^<>\r\n]+)>"
    r"|((?:[^\s()<\\]|\\.|\([^\s()]*+\))(?:[^\s()\\]|\\.|\([^\s()]*+\))*+))"
    r"(?:(?=\s)" + _GAP + r"(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?" + _GAP + r"\)"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_SHOWN = str.maketrans("[]|\r\n", "()/  ")


@dataclass(frozen=True, slots=True)
class LinkSpan:
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
    return tuple(span.link for span in link_spans(text, body_start))


def link_spans(text: str, body_start: int = 0) -> list[LinkSpan]:
    """What `find_links` finds, with the spans that an edit needs."""
    both = text.find("](", body_start) >= 0
    if not both and text.find("[[", body_start) < 0:
        return []
    lines = LineCounter(text)
    found = _matches(text, body_start, _TOKEN if both else WIKILINK)
    return [span for at, match in found if (span := _span(match, at, lines))]


def _matches(
    text: str, position: int, token: re.Pattern[str]
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield each visible link: where it begins, ``!`` included, and the match of its target."""
    first = token.search(text, position)
    hidden = hidden_spans(text, position) if first else []
    upcoming = 0
    shown_from = position
    brackets: list[int] = []
    while match := token.search(text, position):
        at = match.start()
        while upcoming < len(hidden) and hidden[upcoming][1] <= at:
            shown_from = hidden[upcoming][1]
            upcoming += 1
        if upcoming < len(hidden) and hidden[upcoming][0] <= at:
            position = hidden[upcoming][1]
            continue
        position = match.end()
        if match.group(1) is not None:
            yield at - (at > shown_from and text[at - 1] == "!"), match
        elif text[at] == "[":
            brackets.append(at)
        elif text[at] == "\n":
            brackets.clear()
        elif brackets:
            begin = brackets.pop()
            if destination := _DESTINATION.match(text, at):
                position = destination.end()
                yield begin - (begin > 0 and text[begin - 1] == "!"), destination


def _span(match: re.Match[str], start: int, lines: LineCounter) -> LinkSpan | None:
    """What a match says; None when it leads nowhere else."""
    text = match.string
    wiki = match.re is not _DESTINATION
    group = 1 if wiki or match.group(1) is not None else 2
    begin, end = match.span(group)
    if wiki:
        target, anchor, end = _wiki_parts(match)
    else:
        target, sharp, anchor = match.group(group).partition("#")
        if _EXTERNAL.match(target):
            return None
        end -= len(anchor) + len(sharp)
        target, anchor = _plain(target), _plain(anchor)
    if not target:
        return None
    link = Link(target, anchor, lines.at(start), text[start] == "!")
    return LinkSpan(link, start, match.end(), (begin, end), wiki)


def _wiki_parts(match: re.Match[str]) -> tuple[str, str, int]:
    """Target, anchor and where the target ends, without the backslash of a table's bar."""
    target, anchor = match.group(1), match.group(2)
    end = match.end(1)
    if match.group(3) is not None:
        if anchor is not None:
            anchor = anchor.removesuffix("\\")
        elif target.endswith("\\"):
            target, end = target[:-1], end - 1
    return target.strip(), (anchor or "").strip(), end


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

"""Git's conflict markers in a note: where they are, and the note without what lies between them."""

import re
from dataclasses import dataclass

from vault_memory.notes.leaves import leaves_between_conflicts
from vault_memory.notes.lines import LineCounter

_MARKER = re.compile(r"^(<{7}|={7}|>{7})(?=[ \r\n]|\Z)[^\r\n]*", re.MULTILINE)
_KEPT = re.compile(r"[^\r\n]")
_FRONTMATTER = re.compile(
    r"\ufeff?---[ \t]*+\r?\n(?:(?!---[ \t]*+[\r\n])[^\n]*+\n)*+---[ \t]*+(?=[\r\n]|\Z)"
)


@dataclass(frozen=True, slots=True)
class Region:
    """A git conflict, from the first marker to the last.

    Attributes:
        start: Where the line ``<<<<<<<`` begins.
        end: Where the line ``>>>>>>>`` ends, without its line end.
        line: 1-based line of ``start``.
    """

    start: int
    end: int
    line: int


def conflict_regions(text: str) -> list[Region]:
    """The git conflicts of a whole note, its frontmatter included; those shown in code are none.

    A conflict is a line ``<<<<<<<``, then ``=======``, then ``>>>>>>>``, each at the start of its
    line and of exactly seven characters. One within another is part of that.
    """
    candidates = _candidates(text)
    if not candidates:
        return []
    head = _FRONTMATTER.match(text)
    body = head.end() if head else 0
    spans: list[tuple[int, int]] = []
    for start, end in candidates.items():
        if start < body and (not spans or start >= spans[-1][1]):
            spans.append((start, end))
            body = max(body, end)
    spans += [
        (leaf.start, leaf.end)
        for leaf in leaves_between_conflicts(text, body, candidates)
        if leaf.kind == "conflict"
    ]
    lines = LineCounter(text)
    return [Region(start, end, lines.at(start)) for start, end in spans]


def strip_conflicts(text: str) -> str:
    """The note with every character of its conflicts made a blank.

    Length and line ends stay, so spans and line numbers of the result hold for the note itself.
    A text without conflicts is returned as it is.
    """
    parts = []
    after = 0
    for region in conflict_regions(text):
        parts += [text[after : region.start], _KEPT.sub(" ", text[region.start : region.end])]
        after = region.end
    return "".join([*parts, text[after:]]) if parts else text


def _candidates(text: str) -> dict[int, int]:
    """Starts and ends of what would be a conflict if its first line is not in code, in order.

    A conflict within another is among them, since the outer one may lie in code.
    """
    found: dict[int, int] = {}
    if "<<<<<<<" not in text:
        return found
    open_ones: list[tuple[int, bool]] = []
    for marker in _MARKER.finditer(text):
        sign = marker.group(1)[0]
        if sign == "<":
            open_ones.append((marker.start(), False))
        elif sign == "=" and open_ones:
            open_ones[-1] = (open_ones[-1][0], True)
        elif sign == ">" and open_ones and open_ones[-1][1]:
            found[open_ones.pop()[0]] = marker.end()
    return dict(sorted(found.items()))

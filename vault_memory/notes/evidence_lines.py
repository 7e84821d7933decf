"""The evidence section of a note: its lines found, and new ones put at the end of the list."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vault_memory.core.evidence import EvidenceLine
from vault_memory.errors import NoteError
from vault_memory.notes.covered import covered_by
from vault_memory.notes.evidence_line import parse_line, render_line
from vault_memory.notes.leaves import leaves
from vault_memory.notes.lines import LineCounter
from vault_memory.notes.regions import hidden_spans
from vault_memory.notes.sections import Section, sections
from vault_memory.notes.text import newline_of

TITLE = "evidence"

_TEXT = re.compile(r"[^\r\n]+")
_ITEM = re.compile(r" {0,3}[-*+][ \t]")
_MEANT = re.compile(r"\(s:[0-9a-f]{12}\)[~ \t\xa0]{0,8}\^[0-9a-f]{12}\s*\Z")
_MEANT_LENGTH = 60


_Row = tuple[int, int, int, EvidenceLine | None]
"""Start, end without line end, 1-based number, and what the line says as evidence."""


class PlacedLine(NamedTuple):
    """An evidence line and where it stands.

    Attributes:
        line: What it says.
        start: Where its text begins in the note.
        end: Where it ends, without the line end.
        number: The 1-based line in the file.
    """

    line: EvidenceLine
    start: int
    end: int
    number: int


class Malformed(NamedTuple):
    """A line that was meant as evidence and is none: its 1-based number and its text."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the evidence sections of a note hold.

    Attributes:
        placed: The evidence lines, in order.
        malformed: Items of the list that cannot be read as evidence, and lines that end as evidence
            does and are no items.
        found: The evidence sections; a note should have one at most.
        list_end: Where the last item of the first list ends; None without a list.
    """

    placed: tuple[PlacedLine, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    found: tuple[Section, ...] = ()
    list_end: int | None = None

    @property
    def lines(self) -> tuple[EvidenceLine, ...]:
        """The evidence lines alone."""
        return tuple(placed.line for placed in self.placed)


def is_evidence(section: Section) -> bool:
    """Tell whether a section is headed ``## Evidence``."""
    return section.level == 2 and section.title.casefold() == TITLE


def read_evidence(
    text: str, body_start: int, *, within: Sequence[Section] | None = None
) -> Evidence:
    """Return the evidence of a note.

    Args:
        text: The whole note.
        body_start: Where the body begins.
        within: The note's sections, when they are known already.
    """
    if within is None:
        within = sections(text, body_start)
    found = tuple(section for section in within if is_evidence(section))
    placed: list[PlacedLine] = []
    malformed: list[Malformed] = []
    list_end = None
    hidden: Callable[[int], bool] | None = None
    numbers = LineCounter(text)
    for section in found:
        rows = list(_rows(text, section, numbers))
        if not all(row[3] for row in rows):
            hidden = hidden or covered_by(hidden_spans(text, body_start))
            rows = [row for row in rows if not hidden(row[0])]
        placed += [PlacedLine(line, *place) for *place, line in rows if line]
        malformed += [
            Malformed(number, text[start:end])
            for start, end, number, line in rows
            if line is None and (_ITEM.match(text, start) or _is_meant(text[start:end]))
        ]
        list_end = _list_end(text, rows) if list_end is None else list_end
    return Evidence(tuple(placed), tuple(malformed), found, list_end)


def add_lines(text: str, body_start: int, lines: Sequence[EvidenceLine], *, path: str = "") -> str:
    """Return the note with lines put at the end of its list of evidence, all else kept.

    A note without an evidence section gets one at its end; where an open code block or comment
    would swallow it, before that. The note's own line end is used, and a missing final one stays
    missing.

    Args:
        text: The whole note.
        body_start: Where the body begins.
        lines: The lines to add, in order; none gives the note as it is.
        path: The note's path, for the error only.

    Raises:
        NoteError: Something in the note is left open that would swallow the evidence anywhere.
    """
    if not lines:
        return text
    newline = newline_of(text)
    written = newline.join(render_line(line) for line in lines)
    evidence = read_evidence(text, body_start)
    wanted = len(evidence.placed) + len(lines)
    for longer in _longer(text, body_start, evidence, written, newline):
        if len(read_evidence(longer, body_start).placed) == wanted:
            return longer
    raise NoteError(
        "a code block, comment or list is left open and would swallow the evidence",
        where=path,
        cure="Close it, or add a section: ## Evidence",
    )


def _longer(
    text: str, body_start: int, evidence: Evidence, written: str, newline: str
) -> Iterator[str]:
    """Yield the note with the lines added in the one place or another, the best first."""
    if evidence.list_end is not None:
        yield text[: evidence.list_end] + newline + written + text[evidence.list_end :]
    if evidence.found:
        yield _insert(text, evidence.found[0].body, written, newline)
    else:
        block = f"## Evidence{newline}{written}"
        for place in _places(text, body_start):
            yield _insert(text, place, block, newline, apart=place > body_start)


def _rows(text: str, section: Section, numbers: LineCounter) -> Iterator[_Row]:
    """Yield the lines of a section that are not blank, each read as evidence if it can be."""
    for found in _TEXT.finditer(text, section.body, section.outer_end):
        start, end = found.span()
        line = parse_line(text, start, end)
        if line is not None or found[0].strip():
            yield (start, end, numbers.at(start), line)


def _is_meant(line: str) -> bool:
    """Tell whether a line ends with an origin and an id, as only evidence does."""
    return bool(_MEANT.search(line[-_MEANT_LENGTH:]))


def _list_end(text: str, rows: list[_Row]) -> int | None:
    """Return where the last item ends, with the indented lines that go on with it."""
    last = max((at for at, row in enumerate(rows) if _ITEM.match(text, row[0])), default=None)
    if last is None:
        return None
    while (
        last + 1 < len(rows)
        and text[rows[last + 1][0]] in " \t"
        and rows[last + 1][2] == rows[last][2] + 1
    ):
        last += 1
    return rows[last][1]


def _places(text: str, body_start: int) -> Iterator[int]:
    """Yield where a new section may go: at the end, else before what hides the end, else first."""
    yield len(text)
    for leaf in leaves(text, body_start)[-1:]:
        yield max(text.rfind("\n", 0, leaf.start) + 1, body_start)
    yield body_start


def _insert(text: str, place: int, written: str, newline: str, *, apart: bool = False) -> str:
    """Put lines of their own at a place, a blank line before (if ``apart``) and behind them."""
    head, tail = text[:place], text[place:]
    if head and not head.endswith(("\n", "\r")):
        return f"{head}{newline}{newline if apart else ''}{written}"
    if apart and head and not re.search(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n?|\n)\Z", head[-400:]):
        written = newline + written
    blank = newline if tail and not re.match(r"[ \t]*(?:[\r\n]|\Z)", tail) else ""
    return f"{head}{written}{newline}{blank}{tail}"

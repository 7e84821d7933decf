"""One evidence line as text: read exactly, written exactly."""

import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from vault_memory.core.belief import write_number
from vault_memory.core.evidence import EvidenceLine, quotable

if TYPE_CHECKING:
    from vault_memory.core.evidence import Polarity
    from vault_memory.core.provenance import Provenance

_WORD = r'(?:[^\\"\[\]\ \n]++|\\.)++'
_LINE = re.compile(
    r"""\ {0,3}[-*+]\ +
    (?P<struck>~~)?
    (?P<date>[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))\ +
    (?P<polarity>supports|contradicts)\ +
    (?P<provenance>external|human|agent)\ +
    (?P<weight>[0-9]{1,12}(?:\.[0-9]{1,20})?)\ +
    (?:\[\[(?P<link>[^\]\n]++)\]\]\ +|(?P<text>(?!\s)WORD(?:\ ++WORD)*?)\ ++)?
    (?:"(?P<quote>(?:[^\\"\n]++|\\.)*+)"\ +)?
    \(s:(?P<origin>[0-9a-f]{12})\)
    (?(struck)(?P<singly>\ \(retracted\))?~~)
    \ +\^(?P<id>[0-9a-f]{12})[ \t]*+\Z""".replace("WORD", _WORD),
    re.VERBOSE,
)
_ESCAPED = re.compile(r'\\([\\"\[\]*_~=%$#<^|`])')
_TO_ESCAPE = re.compile(r'[\\"\[\]*_~=%$#<^|`]')


def parse_line(text: str, start: int = 0, end: int | None = None) -> EvidenceLine | None:
    """Return the evidence line that one line of a note holds; None when it holds none.

    Args:
        text: The line, or the note it stands in.
        start: Where the line begins.
        end: Where it ends, without its line end; the end of the text by default.
    """
    found = _LINE.match(text, start, len(text) if end is None else end)
    if found is None or not _is_day(found["date"]):
        return None
    link = found["link"]
    return EvidenceLine(
        id=found["id"],
        date=found["date"],
        polarity=cast("Polarity", found["polarity"]),
        provenance=cast("Provenance", found["provenance"]),
        weight=_number(found["weight"]),
        origin=found["origin"],
        source=unescape(found["text"] or "") if link is None else link,
        linked=link is not None,
        quote=unescape(found["quote"] or ""),
        struck=found["struck"] is not None,
        singly=found["singly"] is not None,
    )


def render_line(line: EvidenceLine) -> str:
    """Return an evidence line as it is written, without a line end.

    A source that cannot stand in a link is written as text.
    """
    said = f"{line.date} {line.polarity} {line.provenance} {write_number(line.weight)}"
    if line.linked and line.source and not re.search(r"[\]\n]", line.source):
        said += f" [[{line.source}]]"
    elif line.source:
        said += f" {escape(quotable(line.source))}"
    if line.quote:
        said += f' "{escape(quotable(line.quote))}"'
    said += f" (s:{line.origin})"
    if line.struck:
        said = f"~~{said}{' (retracted)' if line.singly else ''}~~"
    return f"- {said} ^{line.id}"


def escape(text: str) -> str:
    """Return a text in which nothing is an edge, a tag, emphasis, code, math or a comment."""
    return _TO_ESCAPE.sub(r"\\\g<0>", text)


def unescape(text: str) -> str:
    """Return what ``escape`` was given; other backslashes stay."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


@lru_cache(maxsize=256)
def _number(text: str) -> Decimal:
    return Decimal(text)


@lru_cache(maxsize=1024)
def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True

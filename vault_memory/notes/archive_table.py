r"""ARCHIVE.md: one table row a conversation; a change touches only its own row.

A row is ``| [[conversation-005\|005]] | 2026-03-06 | abc123 | auth, jwt | 34 | 30m |``.
"""

import re
from dataclasses import dataclass

from vault_memory.core.conversation import Conversation, duration_text
from vault_memory.core.summary import Summary
from vault_memory.notes.conflicts import conflict_regions
from vault_memory.notes.conversation_note import note_stem
from vault_memory.notes.escape import escape_line, unescape
from vault_memory.notes.kept_lines import kept_lines
from vault_memory.notes.text import newline_of

HEADING = "# Archive"
_HEADER = "| # | Date | Session | Topics | Messages | Duration |"
_RULE = "|---|---|---|---|---|---|"
EMPTY = f"{HEADING}\n\n{_HEADER}\n{_RULE}\n"
"""The file before the first conversation."""

_CELL_END = re.compile(r"(?<!\\)\|")
_BARE_LINK = re.compile(r"(\[\[[^\[\]|\\]{1,200})\|")
_NUMBER = re.compile(r"(?:\[\[[^\]|\\]*?(\d{1,9})(?:\\?\|[^\]]*)?\]\]|(\d{1,9}))\Z")


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation in the table.

    Attributes:
        log: The number of its note.
        date: The UTC day it began; empty when unknown.
        session_id: The session.
        topics: Its topics, as one text.
        messages: How many turns it has; None when the cell holds no number.
        duration: ``45s``, ``30m``, ``1h 05m``; empty when unknown.
        line: 1-based line in the file; 0 for a row that is not in one yet.
    """

    log: int
    date: str
    session_id: str
    topics: str = ""
    messages: int | None = None
    duration: str = ""
    line: int = 0


def row_of(conversation: Conversation, *, log: int, summary: Summary) -> Row:
    """Return the row of a conversation."""
    return Row(
        log=log,
        date=conversation.started[:10],
        session_id=conversation.session_id,
        topics=", ".join(summary.topics),
        messages=conversation.message_count,
        duration=duration_text(conversation.duration_seconds),
    )


def parse_rows(text: str) -> tuple[Row, ...]:
    """Return the rows in the order of the file; lines that are no row are passed over."""
    rows = (_row(line, number) for number, line in enumerate(kept_lines(text), 1))
    return tuple(row for row in rows if row)


def upsert(text: str, row: Row) -> str:
    """Return the table with this row in place of the one with its number, or put in its order.

    All other lines stay byte for byte. A row that already says the same stays too, and so does
    whatever a git conflict holds: a row is put below it, where no choice of a side can drop it. A
    file without a table gets one at its end.

    Args:
        text: ARCHIVE.md, or an empty text to begin it.
        row: The row to write.
    """
    newline = newline_of(text)
    written = _render(row)
    lines = kept_lines(text)
    rows = [(place, found) for place, line in enumerate(lines) if (found := _row(line, place + 1))]
    torn = _torn(text)
    for place, found in rows:
        if found.log == row.log:
            if _render(found) != written and not any(place in conflict for conflict in torn):
                ending = lines[place][len(lines[place].rstrip("\r\n")) :]
                lines[place] = written + ending
            return "".join(lines)
    earlier = [place for place, found in rows if found.log < row.log]
    after = earlier[-1] if earlier else _table_head(lines)
    if after is None:
        return _with_table(text, newline) + written + newline
    after = next((conflict[-1] for conflict in torn if after in conflict), after)
    if not lines[after].endswith(("\n", "\r")):
        lines[after] += newline
        return "".join([*lines, written])
    lines.insert(after + 1, written + newline)
    return "".join(lines)


def _torn(text: str) -> list[range]:
    """Return the places of the lines of each git conflict."""
    return [
        range(region.line - 1, region.line - 1 + len(kept_lines(text[region.start : region.end])))
        for region in conflict_regions(text)
    ]


def _with_table(text: str, newline: str) -> str:
    if not text.strip():
        return EMPTY.replace("\n", newline)
    gap = "" if text.endswith(("\n", "\r")) else newline
    return f"{text}{gap}{newline}{_HEADER}{newline}{_RULE}{newline}"


def _table_head(lines: list[str]) -> int | None:
    """Return the place of the line under the table's header."""
    for place, line in enumerate(lines):
        if place and "|" in line and "-" in line and not line.strip(" \t|:-\r\n"):
            return place
    return None


def _row(line: str, number: int) -> Row | None:
    """Return the row a line holds; None when its first cell is no conversation's number."""
    if line.lstrip()[:1] != "|":
        return None
    linked = _BARE_LINK.sub(r"\1\\|", line.strip())
    cells = [cell.strip() for cell in _CELL_END.split(linked)[1:]]
    if len(cells) < 3 or not (found := _NUMBER.match(cells[0])):
        return None
    cells += [""] * 6
    messages = cells[4]
    return Row(
        log=int(found[1] or found[2]),
        date=_read(cells[1]),
        session_id=_read(cells[2]),
        topics=_read(cells[3]),
        messages=int(messages) if re.fullmatch(r"[0-9]{1,9}", messages) else None,
        duration=_read(cells[5]),
        line=number,
    )


def _render(row: Row) -> str:
    cells = [
        f"[[{note_stem(row.log)}\\|{row.log:03d}]]",
        _write(row.date),
        _write(row.session_id),
        _write(row.topics),
        "" if row.messages is None else str(row.messages),
        _write(row.duration),
    ]
    return f"| {' | '.join(cells)} |"


def _write(text: str) -> str:
    return escape_line(text, in_table=True).replace("|", "\\|")


def _read(cell: str) -> str:
    return unescape(cell.replace("\\|", "|"))

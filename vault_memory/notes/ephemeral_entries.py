"""EPHEMERAL.md read: the last few sessions, oldest first, without loading what writes them."""

import re
from itertools import accumulate, pairwise
from typing import NamedTuple

from vault_memory.notes.ephemeral_heads import RULE, entry_starts, tells_facts
from vault_memory.notes.kept_lines import kept_lines

_HEAD = re.compile(r"## (?P<id>\S.*?)(?: · (?P<date>[^·]{0,40}))?\Z")
_DURATION = re.compile(r"\*\*Duration\*\*: ([^·]{1,20})")
_MESSAGES = re.compile(r"\*\*Messages\*\*: (\d{1,9})")
_ARCHIVE = re.compile(r"\*\*Archive\*\*: \[\[([^\]|#]{1,200})")


class Entry(NamedTuple):
    """One session in the window.

    Attributes:
        session_id: The session.
        date: When it began, ``2026-03-06 10:30 UTC``; empty when unknown.
        duration: ``45s``, ``30m``, ``1h 05m``; empty when unknown.
        messages: How many turns it has; None when unknown.
        archive: Stem of its conversation note; empty when none.
        summary: What was done and decided.
        line: 1-based line of its heading; 0 for an entry that is not in a file yet.
    """

    session_id: str
    date: str = ""
    duration: str = ""
    messages: int | None = None
    archive: str = ""
    summary: str = ""
    line: int = 0


class Span(NamedTuple):
    """An entry and where it stands in the text, its rule and the blank lines after it included."""

    entry: Entry
    start: int
    end: int


def parse_entries(text: str) -> tuple[Entry, ...]:
    """Return the entries in the order of the file, their summaries as they were before escaping."""
    return tuple(span.entry for span in spans_of(text))


def spans_of(text: str) -> list[Span]:
    """Return the entries and where each stands, its rule and the blank lines after it included."""
    kept = kept_lines(text)
    lines = [line.rstrip("\r\n") for line in kept]
    starts = list(entry_starts(lines))
    offsets = [0, *accumulate(map(len, kept))]
    return [
        Span(_entry(lines[start:end], start + 1), offsets[start], offsets[end])
        for start, end in pairwise([*starts, len(lines)])
    ]


def _entry(lines: list[str], number: int) -> Entry:
    head = _HEAD.match(lines[0].rstrip(" \t"))
    facts = lines[1] if len(lines) > 1 and tells_facts(lines[1]) else ""
    body = "\n".join(lines[2 if facts else 1 :]).rstrip()
    body = body.removesuffix(RULE) if body.endswith(f"\n{RULE}") or body == RULE else body
    duration, messages = _DURATION.search(facts), _MESSAGES.search(facts)
    archive = _ARCHIVE.search(facts)
    return Entry(
        session_id=_unescaped(head["id"]) if head else "",
        date=(head["date"] or "").strip() if head else "",
        duration=duration[1].strip() if duration else "",
        messages=int(messages[1]) if messages else None,
        archive=archive[1] if archive else "",
        summary=_unescaped(body.strip()),
        line=number,
    )


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    from vault_memory.notes.escape import unescape

    return unescape(text)

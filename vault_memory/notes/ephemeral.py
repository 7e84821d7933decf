"""EPHEMERAL.md kept up: the entry of a session put where it belongs, the oldest let go."""

from vault_memory.core.conversation import Conversation, duration_text
from vault_memory.core.summary import Summary
from vault_memory.notes.conflicts import conflict_regions
from vault_memory.notes.conversation_note import note_stem
from vault_memory.notes.ephemeral_entries import Entry, spans_of
from vault_memory.notes.ephemeral_heads import RULE
from vault_memory.notes.escape import escape, escape_line, unescape
from vault_memory.notes.text import newline_of

HEADING = "# Recent sessions"


def entry_of(conversation: Conversation, *, log: int, summary: Summary) -> Entry:
    """Return the entry of a conversation."""
    began = conversation.started
    return Entry(
        session_id=conversation.session_id,
        date=f"{began[:10]} {began[11:16]} UTC" if began else "",
        duration=duration_text(conversation.duration_seconds),
        messages=conversation.message_count,
        archive=note_stem(log),
        summary=summary.text,
    )


def put(text: str, entry: Entry, *, window: int) -> str:
    """Return the window with this session's entry, trimmed to the newest ``window`` entries.

    An entry of the same session is replaced where it stands; a new one goes where its date
    belongs, after all that are not newer. What stands before the first entry, and the entries
    that stay, are kept byte for byte, but for the end of the one that a new one comes after. While
    a git conflict stands in the file, a new entry goes to its end and nothing else changes.

    Args:
        text: EPHEMERAL.md, or an empty text to begin it.
        entry: The session.
        window: The most entries that are kept.
    """
    newline = newline_of(text)
    text = text or f"{HEADING}{newline}{newline}"
    spans = spans_of(text)
    if conflict_regions(text):
        known = any(span.entry.session_id == entry.session_id for span in spans)
        return text if known else _ended(text, newline) + _render(entry, newline)
    start = spans[0].start if spans else len(text)
    intro = text[:start]
    if not spans and intro.strip():
        intro = intro.rstrip("\r\n") + newline + newline
    pieces = [(span.entry, text[span.start : span.end]) for span in spans]
    written = _render(entry, newline)
    for place, (held, _) in enumerate(pieces):
        if held.session_id == entry.session_id:
            if held._replace(line=0) != entry._replace(summary=_kept_form(entry.summary)):
                pieces[place] = (entry, written)
            break
    else:
        place = _place_of(entry, [held for held, _ in pieces])
        if place:
            held, piece = pieces[place - 1]
            pieces[place - 1] = (held, _ended(piece, newline))
        pieces.insert(place, (entry, written))
    return intro + "".join(piece for _, piece in pieces[-max(window, 1) :])


def _ended(piece: str, newline: str) -> str:
    """Return an entry so that another can follow it: with its rule and a blank line."""
    said = piece.rstrip()
    if not said.endswith(f"\n{RULE}"):
        return f"{said}{newline}{newline}{RULE}{newline}{newline}"
    return piece + newline * (2 - len(piece[len(said) :].splitlines()))


def _place_of(entry: Entry, held: list[Entry]) -> int:
    """Return where a new entry goes: at the end, but before entries that are newer."""
    place = len(held)
    while place and entry.date and held[place - 1].date > entry.date:
        place -= 1
    return place


def _kept_form(summary: str) -> str:
    """Return a summary as it reads back."""
    return unescape(escape(summary.strip()).strip())


def _render(entry: Entry, newline: str) -> str:
    head = f"## {escape_line(entry.session_id)}" + (f" · {entry.date}" if entry.date else "")
    facts = [
        f"**Duration**: {entry.duration}" if entry.duration else "",
        "" if entry.messages is None else f"**Messages**: {entry.messages}",
        f"**Archive**: [[{entry.archive}]]" if entry.archive else "",
    ]
    told = " · ".join(filter(None, facts))
    said = escape(entry.summary.strip())
    parts = ["\n".join(filter(None, [head, told])), *([said] if said else []), RULE]
    return "\n\n".join(parts).replace("\n", newline) + newline + newline

"""The note of a conversation as the index knows it: each turn a unit, with speaker and time."""

from collections.abc import Iterator

from vault_memory.core.findings import Finding
from vault_memory.core.note import Note, Unit
from vault_memory.notes.conversation_parse import ParsedConversation, ParsedTurn, parse
from vault_memory.notes.reading import Reading
from vault_memory.notes.sections import blocks

_MOST_TOOLS = 300
_MOST_ABSTRACT = 300


def decode(reading: Reading) -> Note:
    """Return the note of a conversation."""
    parsed = parse(reading.text)
    name = reading.stem
    units = [unit for turn in parsed.turns for unit in _turn_units(turn, parsed.date)]
    return Note(
        path=reading.path,
        kind="conversation",
        type="conversation",
        id="",
        name=name,
        aliases=reading.aliases,
        title=reading.title,
        abstract=" ".join(parsed.summary.split())[:_MOST_ABSTRACT],
        created=reading.scalar("date"),
        updated=reading.scalar("updated"),
        session=reading.scalar("session_id"),
        links=reading.links(),
        units=tuple(units) or (_whole(parsed, name),),
        findings=(*reading.findings, *_findings(reading)),
    )


def _turn_units(turn: ParsedTurn, date: str) -> Iterator[Unit]:
    """Yield what was said in one turn, in pieces when it is long; tool results are left out."""
    anchor = f"^{turn.id}" if turn.id else turn.speaker
    when = turn.time if "T" in turn.time else date
    said = turn.text.strip() or "; ".join(turn.tools)[:_MOST_TOOLS]
    for block in blocks(said):
        text = f"{turn.speaker}: {said[block.start : block.end]}"
        yield Unit("turn", anchor, turn.line, text, turn.speaker, when)


def _whole(parsed: ParsedConversation, name: str) -> Unit:
    """Return the one unit of a conversation in which nobody says a word."""
    label = parsed.title or name
    summary = " ".join(parsed.summary.split())[:_MOST_ABSTRACT]
    return Unit("turn", "", 1, f"{label}: {summary}" if summary else label, date=parsed.date)


def _findings(reading: Reading) -> Iterator[Finding]:
    if not reading.scalar("session_id"):
        message = "no session_id, so the session cannot be told from others; archive it again"
        yield Finding(reading.path, 1, "session-id-missing", message)

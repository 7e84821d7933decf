"""What was found, as it is answered."""

from datetime import date

from vault_memory.core.found import Hit
from vault_memory.core.identity import fold
from vault_memory.flows.believing import belief
from vault_memory.flows.retrieve import Found
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow

PLACES = 4


def hit(index: VaultIndex, found: Found, today: date) -> Hit:
    """A unit that was found."""
    unit, note = found.unit, found.note
    shown = note_hit(index, note, today, score=found.ranked.score)
    shown["probability"] = round(found.probability, PLACES)
    shown["line"] = unit.line
    shown["text"] = own_text(unit.text, unit.speaker or note.name)
    shown["date"] = unit.date or None
    shown["speaker"] = unit.speaker or None
    shown["found_by"] = list(found.ranked.found_by)
    shown["via"] = list(found.via)
    return shown


def note_hit(index: VaultIndex, note: NoteRow, today: date, *, score: float) -> Hit:
    """A note that was reached, whatever led to it."""
    return Hit(
        id=note.id or None,
        name=note.name,
        kind=note.kind,
        type=note.type,
        path=note.path,
        line=1,
        text=note.abstract or note.name,
        abstract=note.abstract or None,
        date=note.updated or note.created or None,
        speaker=None,
        score=round(score, PLACES),
        probability=0.0,
        belief=belief(index, note, today),
        found_by=[],
        via=[],
    )


def own_text(text: str, label: str) -> str:
    """A unit's text without the label that only the embedding needs."""
    return text.removeprefix(f"{label}: ")


def has_keyword(found: Found, keyword: str) -> bool:
    """Whether name or abstract hold the word; of a note without abstract, its text."""
    wanted, note = fold(keyword.strip()), found.note
    return wanted in fold(note.name) or wanted in fold(note.abstract or found.unit.text)

"""What was found, as it is answered."""

from datetime import date

from vault_memory.core.found import Hit
from vault_memory.core.identity import fold
from vault_memory.flows.believing import belief
from vault_memory.flows.retrieve import Found
from vault_memory.flows.vault_index import VaultIndex

_PLACES = 4


def hit(index: VaultIndex, found: Found, today: date) -> Hit:
    """A unit that was found."""
    unit, note = found.unit, found.note
    return Hit(
        id=note.id or None,
        name=note.name,
        kind=note.kind,
        type=note.type,
        path=note.path,
        line=unit.line,
        text=own_text(unit.text, unit.speaker or note.name),
        abstract=note.abstract or None,
        date=unit.date or None,
        speaker=unit.speaker or None,
        score=round(found.ranked.score, _PLACES),
        probability=round(found.probability, _PLACES),
        belief=belief(index, note, today),
        found_by=list(found.ranked.found_by),
        via=list(found.via),
    )


def own_text(text: str, label: str) -> str:
    """A unit's text without the label that only the embedding needs."""
    return text.removeprefix(f"{label}: ")


def has_keyword(found: Found, keyword: str) -> bool:
    """Whether name or abstract hold the word; of a note without abstract, its text."""
    wanted, note = fold(keyword.strip()), found.note
    return wanted in fold(note.name) or wanted in fold(note.abstract or found.unit.text)

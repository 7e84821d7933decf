"""One entity, relation or other note, as much of it as is asked for."""

from collections.abc import Collection, Sequence
from datetime import date

from vault_memory.core.answers import EvidenceItem, RelationItem, ShowAnswer
from vault_memory.errors import NotFoundError
from vault_memory.flows.believing import belief
from vault_memory.flows.naming import named_belief
from vault_memory.flows.relation_items import relation_items
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow
from vault_memory.notes import entity_note, relation_note
from vault_memory.notes.evidence_lines import read_evidence
from vault_memory.notes.reading import Reading, read
from vault_memory.vault.read import read_bytes


def show(
    index: VaultIndex, words: Sequence[str], *, tiers: Collection[int], today: date
) -> ShowAnswer:
    """Read one note and answer the tiers that are asked for.

    Args:
        index: The open index.
        words: One name, or FROM REL TO.
        tiers: 0 the abstract, 1 the overview, 2 the content.
        today: The UTC day.

    Raises:
        AmbiguousError: The words fit several notes.
        NotFoundError: They fit none.
    """
    note = named_belief(index, words, others=True)
    data = read_bytes(index.vault.path, note.path)
    if data is None:
        raise NotFoundError("is gone", where=note.path)
    reading = read(note.path, data)
    overview, content = _texts(reading, note)
    own = [row for row in index.catalog.relations_of([note.key]) if row.note == note.key]
    ends = next(iter(relation_items(index, own, today)), None)
    return ShowAnswer(
        {
            "id": note.id or None,
            "name": note.name,
            "kind": note.kind,
            "type": note.type,
            "path": note.path,
            "aliases": [name for name in index.catalog.aliases(note.key) if name != note.name],
            "abstract": (note.abstract or None) if 0 in tiers else None,
            "overview": (overview or None) if 1 in tiers else None,
            "content": (content or None) if 2 in tiers else None,
            "belief": belief(index, note, today),
            "evidence": _evidence(reading),
            "relations": None if note.kind == "relation" else _relations(index, note, today),
            "from": ends["from"] if ends else None,
            "rel": ends["rel"] if ends else None,
            "to": ends["to"] if ends else None,
        }
    )


def _texts(reading: Reading, note: NoteRow) -> tuple[str, str]:
    if note.kind == "relation":
        return "", relation_note.description(reading)
    if note.kind != "entity":
        return "", reading.text[reading.front.body :].strip()
    parts = entity_note.tiers(reading)
    return parts.overview, parts.content


def _evidence(reading: Reading) -> list[EvidenceItem]:
    found = read_evidence(reading.text, reading.front.body, within=reading.sections)
    return [
        EvidenceItem(
            id=placed.line.id,
            date=placed.line.date,
            polarity=placed.line.polarity,
            retracted=placed.line.struck,
            provenance=placed.line.provenance,
            weight=float(placed.line.weight),
            source=placed.line.source or None,
            origin=placed.line.origin,
            quote=placed.line.quote or None,
            path=reading.path,
            line=placed.number,
        )
        for placed in found.placed
    ]


def _relations(index: VaultIndex, note: NoteRow, today: date) -> list[RelationItem]:
    """The relations of an entity, the surest first."""
    items = relation_items(index, index.catalog.relations_of([note.key]), today)
    return sorted(items, key=lambda item: (-_sure(item), item["path"]))


def _sure(item: RelationItem) -> float:
    return item["belief"]["effective"] if item["belief"] else 1.0

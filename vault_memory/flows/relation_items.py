"""Relations as they are answered: their ends by name, their belief."""

from collections.abc import Mapping, Sequence
from datetime import date

from vault_memory.core.answers import RelationItem
from vault_memory.core.links import stem_path
from vault_memory.flows.believing import belief_of, effective_confidence
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow, RelationRow


def relation_items(
    index: VaultIndex, rows: Sequence[RelationRow], today: date
) -> list[RelationItem]:
    """Relations in the order given; an end without a note has the name it is linked by."""
    keys = {key for row in rows for key in (row.note, row.source_note, row.target_note)}
    notes = index.catalog.notes_by_key(key for key in keys if key is not None)
    return [_item(index, row, notes, today) for row in rows if row.note in notes]


def _item(
    index: VaultIndex, row: RelationRow, notes: Mapping[int, NoteRow], today: date
) -> RelationItem:
    note = notes[row.note]
    source, target = (notes.get(key or 0) for key in (row.source_note, row.target_note))
    ends = [end for end in (source, target) if end]
    sure = effective_confidence(index, note, today, ends=ends)
    return RelationItem(
        {
            "id": note.id or None,
            "from": source.name if source else last_part(row.source),
            "rel": row.rel,
            "to": target.name if target else last_part(row.target),
            "path": note.path,
            "belief": belief_of(note.standing, effective=sure) if note.standing else None,
        }
    )


def last_part(target: str) -> str:
    """The name that a link target ends with."""
    return stem_path(target.rpartition("/")[2])

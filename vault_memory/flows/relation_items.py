"""A relation as it is answered: its ends by name, its belief."""

from datetime import date

from vault_memory.core.answers import RelationItem
from vault_memory.core.links import stem_path
from vault_memory.flows.believing import belief_of, effective_confidence
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import RelationRow


def relation_item(index: VaultIndex, row: RelationRow, today: date) -> RelationItem:
    """One relation; an end without a note is answered by the name it is linked by."""
    ends = [key for key in (row.source_note, row.target_note) if key is not None]
    notes = index.catalog.notes_by_key([row.note, *ends])
    note = notes[row.note]
    standing = note.standing
    sure = effective_confidence(index, note, today, ends=row)

    def name(key: int | None, written: str) -> str:
        known = key is not None and key in notes
        return notes[key].name if known and key is not None else last_part(written)

    return RelationItem(
        {
            "id": note.id or None,
            "from": name(row.source_note, row.source),
            "rel": row.rel,
            "to": name(row.target_note, row.target),
            "path": note.path,
            "belief": belief_of(standing, effective=sure) if standing else None,
        }
    )


def last_part(target: str) -> str:
    """The name that a link target ends with."""
    return stem_path(target.rpartition("/")[2])

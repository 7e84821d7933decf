"""What the index knows of notes: by path, name or number, and how they hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.index.database import DamagedIndexError
from vault_memory.index.stored import (
    read_findings,
    read_path,
    read_standing,
    stored_list,
    stored_path,
    stored_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vault_memory.core.findings import Finding
    from vault_memory.core.note import Kind
    from vault_memory.index.database import Database, Row
    from vault_memory.index.rows import LinkRow, NameRow, NoteRow, RelationRow

_NOTE = (
    "SELECT key, path, kind, type, id, name, title, abstract, created, updated, session,"
    " standing, findings FROM notes"
)
_RELATION = "SELECT note, source, rel, target, source_note, target_note FROM relations"
_LINK = "SELECT note, target, anchor, line, embed, target_note, ambiguous FROM links"
_TOUCHING = " UNION ".join(
    f"SELECT * FROM (SELECT DISTINCT {end} FROM {where} = ? LIMIT ?)"
    for end, where in (
        ("target_note", "links WHERE target_note IS NOT NULL AND note"),
        ("note", "links WHERE target_note"),
        ("note", "relations WHERE source_note"),
        ("note", "relations WHERE target_note"),
    )
)
_AMONG = "IN (SELECT value FROM json_each(?))"
_CLOSE = 0.6


class NoteReader:
    """Reads notes, names, relations and links from an open index."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def note(self, path: str) -> NoteRow | None:
        """Return the note at a path."""
        return self._first(
            "WHERE key = (SELECT note FROM files WHERE path = ?)", (stored_path(path),)
        )

    def notes_by_key(self, keys: Iterable[int]) -> dict[int, NoteRow]:
        """Return the notes with these keys, by key; one that is gone is left out."""
        found = self._notes(f"WHERE key {_AMONG}", (stored_list(keys),))
        return {note.key: note for note in found}

    def notes_by_id(self, note_id: str) -> list[NoteRow]:
        """Return the notes that bear an id, by path; a good vault has one."""
        return self._notes("WHERE id = ? AND id != '' ORDER BY path", (stored_text(note_id),))

    def notes_by_session(self, session: str) -> list[NoteRow]:
        """Return the notes of a session id or source id, by path."""
        return self._notes(
            "WHERE session = ? AND session != '' ORDER BY path", (stored_text(session),)
        )

    def notes(self, kinds: Sequence[Kind] = (), types: Sequence[str] = ()) -> list[NoteRow]:
        """Return all notes of these kinds and types, by path; an empty choice means any."""
        conditions, values = [], []
        for column, chosen in (("kind", kinds), ("type", types)):
            if chosen:
                conditions.append(f"{column} {_AMONG}")
                values.append(stored_list(chosen))
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        return self._notes(f"{where}ORDER BY path", values)

    def find_names(self, folded: str) -> list[NameRow]:
        """Return the notes that bear a folded name, by rank, then path."""
        rows = self.database.all(
            "SELECT note, path, kind, type, rank, names.name FROM names"
            " JOIN notes ON notes.key = names.note WHERE folded = ? ORDER BY rank, path",
            (stored_text(folded),),
        )
        from vault_memory.index.rows import NameRow

        return [NameRow(note, read_path(path), *rest) for note, path, *rest in rows]

    def similar_names(self, folded: str, kinds: Sequence[Kind] = (), limit: int = 3) -> list[str]:
        """Return the names most like a folded name, as written, the most alike first."""
        import difflib

        where = f" WHERE kind {_AMONG}" if kinds else ""
        rows = self.database.all(
            "SELECT DISTINCT folded, names.name FROM names"
            f" JOIN notes ON notes.key = names.note{where} ORDER BY folded, names.name DESC",
            (stored_list(kinds),) if kinds else (),
        )
        written: dict[str, str] = dict(rows)
        near = difflib.get_close_matches(folded, written, n=limit, cutoff=_CLOSE)
        return [written[name] for name in near]

    def aliases(self, key: int) -> list[str]:
        """Return the names of a note as written, by rank, then alphabet."""
        rows = self.database.all(
            "SELECT name FROM names WHERE note = ? ORDER BY rank, folded", (key,)
        )
        return [row[0] for row in rows]

    def relations(self) -> list[RelationRow]:
        """Return every relation, by key of its note."""
        return _relations(self.database.all(f"{_RELATION} ORDER BY note"))

    def relations_of(self, keys: Sequence[int]) -> list[RelationRow]:
        """Return the relations that start from, lead to or are themselves one of these notes."""
        chosen = stored_list(keys)
        rows = self.database.all(
            f"{_RELATION} WHERE source_note {_AMONG} UNION {_RELATION} WHERE target_note {_AMONG}"
            f" UNION {_RELATION} WHERE note {_AMONG} ORDER BY note",
            (chosen, chosen, chosen),
        )
        return _relations(rows)

    def touching(self, key: int, *, most: int) -> int:
        """Return how many notes link to it, are linked from it or relate it.

        Args:
            key: The note.
            most: Where counting ends, of each of the three.
        """
        return len(self.database.all(_TOUCHING, (key, most) * 4))

    def findings(self) -> list[Finding]:
        """Return what was odd about each note by itself, by path."""
        rows = self.database.all(
            "SELECT findings, path FROM notes WHERE findings IS NOT NULL ORDER BY path"
        )
        return [f for stored, path in rows for f in read_findings(stored, read_path(path))]

    def links(self) -> list[LinkRow]:
        """Return every link, by key of its note, then place in it."""
        return _links(self.database.all(f"{_LINK} ORDER BY note, ordinal"))

    def links_from(self, keys: Iterable[int]) -> list[LinkRow]:
        """Return the links that these notes hold, by key, then place in the note."""
        return _links(
            self.database.all(
                f"{_LINK} WHERE note {_AMONG} ORDER BY note, ordinal", (stored_list(keys),)
            )
        )

    def links_to(self, keys: Iterable[int]) -> list[LinkRow]:
        """Return the links that lead to these notes, by key of the note that holds them."""
        return _links(
            self.database.all(
                f"{_LINK} WHERE target_note {_AMONG} ORDER BY note, ordinal",
                (stored_list(keys),),
            )
        )

    def _first(self, where: str, values: Iterable[object]) -> NoteRow | None:
        found = self._notes(where, values)
        return found[0] if found else None

    def _notes(self, where: str, values: Iterable[object]) -> list[NoteRow]:
        rows = self.database.all(f"{_NOTE} {where}", values)
        try:
            return [_note(row) for row in rows]
        except (ValueError, TypeError, ArithmeticError) as error:
            raise DamagedIndexError(self.database.path, "a note in it is damaged") from error


def _note(row: Row) -> NoteRow:
    key, stored, kind, type_, *texts, standing, findings = row
    path = read_path(stored)
    note_id, name, title, abstract, created, updated, session = texts
    from vault_memory.index.rows import NoteRow

    return NoteRow(
        key=key,
        path=path,
        kind=kind,
        type=type_,
        id=note_id,
        name=name,
        title=title,
        abstract=abstract,
        created=created,
        updated=updated,
        session=session,
        standing=read_standing(standing),
        findings=read_findings(findings, path),
    )


def _relations(rows: Iterable[Row]) -> list[RelationRow]:
    from vault_memory.index.rows import RelationRow

    return [RelationRow(*row) for row in rows]


def _links(rows: Iterable[Row]) -> list[LinkRow]:
    from vault_memory.index.rows import LinkRow

    return [
        LinkRow(note, target, anchor, line, bool(embed), leads_to, bool(ambiguous))
        for note, target, anchor, line, embed, leads_to, ambiguous in rows
    ]

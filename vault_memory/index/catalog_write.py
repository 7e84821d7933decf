"""Notes into the tables, within one transaction: what changed, what went, what it touches."""

from typing import Final

from vault_memory.core.identity import fold
from vault_memory.core.links import stem_path
from vault_memory.core.note import Note, Unit
from vault_memory.index.database import Database, Row
from vault_memory.index.manifest import Stamp
from vault_memory.index.postings import PostingsWriter
from vault_memory.index.resolving import resolve_again
from vault_memory.index.stored import (
    stored_findings,
    stored_number,
    stored_path,
    stored_standing,
    stored_text,
)
from vault_memory.index.word_forms import WORDS_VERSION

_BATCH = 500
_INSERTS: Final = {
    "files": "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
    "notes": f"INSERT OR REPLACE INTO notes VALUES ({','.join('?' * 16)})",
    "names": "INSERT INTO names (folded, note, rank, name) VALUES (?, ?, ?, ?)",
    "relations": "INSERT INTO relations VALUES (?, ?, ?, ?, '', '', NULL, NULL)",
    "links": "INSERT INTO links VALUES (?, ?, ?, '', ?, ?, ?, NULL, 0)",
    "units": "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
}


class NotesWriter:
    """Writes notes within a transaction that the caller holds; ``finish`` completes it."""

    def __init__(self, database: Database) -> None:
        self.added = 0
        self.changed = 0
        self.removed = 0
        self._database = database
        self._postings = PostingsWriter(database)
        self._rows: dict[str, list[Row]] = {table: [] for table in _INSERTS}
        self._waiting: set[str] = set()
        self._names: set[str] = set()
        self._notes: set[int] = set()
        self._odd_stamps = False
        self._next_note, self._next_unit = _next_numbers(database)

    def put(self, note: Note, stamp: Stamp) -> None:
        """Add a note or replace the one at its path."""
        if note.path in self._waiting:
            self._flush()
        found = self._database.one(
            "SELECT note FROM files WHERE path = ?", (stored_path(note.path),)
        )
        if found is None:
            key, first, same = self._next_note, self._next_unit, False
            self._next_note += 1
            old_names: set[Row] = set()
            self.added += 1
        else:
            key = found[0]
            old_names = self._clear(key)
            first, same = self._replace_units(key, note)
            self.changed += 1
        names = _names(note)
        self._names |= {name[0] for name in names ^ old_names}
        self._notes.add(key)
        self._stage(note, stamp, key, first, names)
        if not same:
            self._stage_units(note, key)
        self._waiting.add(note.path)
        if len(self._waiting) >= _BATCH:
            self._flush()

    def remove(self, path: str) -> None:
        """Remove the note at a path; one that is not known is no error."""
        if path in self._waiting:
            self._flush()
        found = self._database.one("SELECT note FROM files WHERE path = ?", (stored_path(path),))
        if found is None:
            return
        key = found[0]
        self._names |= {name[0] for name in self._clear(key)}
        self._remove_units(key)
        self._database.run("DELETE FROM notes WHERE key = ?", (key,))
        self._database.run("DELETE FROM files WHERE path = ?", (stored_path(path),))
        self._notes.discard(key)
        self.removed += 1

    def touch(self, path: str, stamp: Stamp) -> None:
        """Note that a file looks different though its content is the same."""
        self._database.run(
            "UPDATE files SET size = ?, mtime_ns = ?, inode = ?, sha256 = ? WHERE path = ?",
            (*self._stamp(stamp), stored_path(path)),
        )

    def finish(self) -> None:
        """Write what is still collected, and resolve what the changes touch."""
        self._flush()
        self._postings.finish()
        resolve_again(self._database, self._names, self._notes)
        self._database.many(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
            [
                ("next_note", str(self._next_note)),
                ("next_unit", str(self._next_unit)),
                ("words", WORDS_VERSION),
            ],
        )
        if self._odd_stamps:
            self._database.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('odd_stamps', '1')")

    def _stage(self, note: Note, stamp: Stamp, key: int, first: int, names: set[Row]) -> None:
        path = stored_path(note.path)
        standing = note.standing
        texts = (note.id, note.name, note.title, note.abstract)
        times = (note.created, note.updated, note.session)
        self._odd_stamps |= isinstance(path, bytes)
        self._rows["files"].append((path, *self._stamp(stamp), key))
        self._rows["notes"].append(
            (
                *(key, path, note.kind, note.type),
                *map(stored_text, texts + times),
                *(stored_standing(standing), bool(standing and standing.unsupported)),
                *(stored_findings(note.findings), first, len(note.units)),
            )
        )
        self._rows["names"] += [(folded, key, rank, name) for folded, rank, name in names]
        if note.ends is not None:
            ends = (note.ends.source, note.ends.rel, note.ends.target)
            self._rows["relations"].append((key, *map(stored_text, ends)))
        self._rows["links"] += [
            (key, at, stored_text(link.target), stored_text(link.anchor), link.line, link.embed)
            for at, link in enumerate(note.links)
        ]

    def _stamp(self, stamp: Stamp) -> Row:
        inode = stored_number(stamp.inode)
        self._odd_stamps |= inode < 0
        return stamp.size, stamp.mtime_ns, inode, stamp.sha256

    def _stage_units(self, note: Note, key: int) -> None:
        first = self._next_unit
        rows = [
            (first + at, key, at, unit.kind, unit.anchor, unit.line, *_spoken(unit))
            for at, unit in enumerate(note.units)
        ]
        self._next_unit += len(rows)
        self._rows["units"] += rows
        self._postings.add((row[0], row[3], row[7], row[8]) for row in rows)

    def _clear(self, key: int) -> set[Row]:
        """Take away all that hangs on a note but its units, and return its names."""
        names = self._database.all("SELECT folded, rank, name FROM names WHERE note = ?", (key,))
        for table in ("names", "relations", "links", "other_keys"):
            self._database.run(f"DELETE FROM {table} WHERE note = ?", (key,))
        return set(names)

    def _replace_units(self, key: int, note: Note) -> tuple[int, bool]:
        """Take away the units of a note unless they are the same; return where they begin."""
        rows = self._units(key)
        new = [(unit.kind, *_spoken(unit)) for unit in note.units]
        if [(row[3], *row[6:9]) for row in rows] != new:
            self._remove_units(key)
            return self._next_unit, False
        self._database.many(
            "UPDATE units SET anchor = ?, line = ? WHERE id = ?",
            [
                (stored_text(unit.anchor), unit.line, row[0])
                for unit, row in zip(note.units, rows, strict=True)
                if (stored_text(unit.anchor), unit.line) != (row[4], row[5])
            ],
        )
        return rows[0][0] if rows else self._next_unit, True

    def _units(self, key: int) -> list[Row]:
        return self._database.all(
            "SELECT u.id, u.note, u.ordinal, u.kind, u.anchor, u.line, u.speaker, u.date, u.text"
            " FROM notes n JOIN units u ON u.id >= n.first_unit AND u.id < n.first_unit + n.units"
            " WHERE n.key = ? ORDER BY u.id",
            (key,),
        )

    def _remove_units(self, key: int) -> None:
        rows = self._units(key)
        self._postings.remove((row[0], row[3], row[7], row[8]) for row in rows)
        self._database.many("DELETE FROM units WHERE id = ?", [(row[0],) for row in rows])

    def _flush(self) -> None:
        for table, rows in self._rows.items():
            self._database.many(_INSERTS[table], rows)
            rows.clear()
        self._waiting.clear()


def _next_numbers(database: Database) -> tuple[int, int]:
    found: dict[str, str] = dict(
        database.all("SELECT key, value FROM meta WHERE key IN ('next_note', 'next_unit')")
    )
    return int(found.get("next_note", "1")), int(found.get("next_unit", "1"))


def _spoken(unit: Unit) -> tuple[str, str, str]:
    return stored_text(unit.speaker), stored_text(unit.date), stored_text(unit.text)


def _names(note: Note) -> set[Row]:
    """Return each folded name of a note once, with the best rank it bears it by and as written."""
    stem = stem_path(note.path.rpartition("/")[2])
    named: dict[str, Row] = {}
    borne = (
        (0, stem),
        (1, note.name),
        *((2, alias) for alias in note.aliases),
        (3, note.title),
    )
    for rank, name in borne:
        folded = fold(stored_text(name))
        if folded and folded not in named:
            named[folded] = (folded, rank, stored_text(name))
    return set(named.values())

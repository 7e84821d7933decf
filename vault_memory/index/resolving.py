"""Where links and the ends of relations lead, kept right when names come and go.

What a link leads to depends only on the names it is looked up by. The first of them stands with the
link, the others, for the few links that have any, with its note. When the bearers of a name change,
the links that look it up are resolved again, and so the outcome is that of resolving all.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from vault_memory.core.links import Candidate, NameKind, resolve
from vault_memory.index.database import Database, Row
from vault_memory.index.stored import read_path

_MANY_NAMES = 2000
_KINDS: tuple[NameKind, ...] = ("stem", "alias", "alias", "title")


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a target leads, and what that depends on.

    Attributes:
        note: The key of the note; None when it leads nowhere.
        ambiguous: Whether several notes fitted equally well.
        key: The first folded name it was looked up by; empty when by none.
        other_keys: The further names it was looked up by.
    """

    note: int | None
    ambiguous: bool
    key: str
    other_keys: tuple[str, ...]


class Resolver:
    """Resolves targets against the names in the index as they are when they are first asked for."""

    def __init__(self, database: Database, *, whole: bool) -> None:
        self._database = database
        self._whole = whole
        self._known: dict[str, list[Candidate]] = {}
        self._notes: dict[str, int] = {}
        self._asked: list[str] = []
        self._resolved: dict[tuple[str, str], Resolved] = {}
        if whole:
            self._keep(database.all(f"{_BEARERS} ORDER BY folded, note"))

    def resolve(self, target: str, from_path: str) -> Resolved:
        """Find where a target in the note at a path leads; only the note's folder matters."""
        place = (target, from_path.rpartition("/")[0])
        if place not in self._resolved:
            self._asked = []
            found = resolve(target, from_path, self._candidates)
            note = None if found.path is None else self._notes[found.path]
            key, *others = dict.fromkeys(self._asked) or [""]
            self._resolved[place] = Resolved(note, bool(found.ambiguous), key, tuple(others))
        return self._resolved[place]

    def _candidates(self, folded: str) -> Sequence[Candidate]:
        self._asked.append(folded)
        if folded not in self._known and not self._whole:
            self._known[folded] = []
            self._keep(self._database.all(f"{_BEARERS} WHERE folded = ? ORDER BY note", (folded,)))
        return self._known.get(folded, ())

    def _keep(self, rows: list[Row]) -> None:
        for folded, note, rank, stored in rows:
            path = read_path(stored)
            self._notes[path] = note
            self._known.setdefault(folded, []).append(Candidate(path, _KINDS[rank]))


_BEARERS = "SELECT folded, note, rank, path FROM names JOIN notes ON notes.key = names.note"


def resolve_again(database: Database, names: Collection[str], notes: Collection[int]) -> None:
    """Resolve the links and ends of these notes, and of all that look up one of these folded names.

    All that a note looks up is resolved together, so that nothing is left of names that it looked
    up before.
    """
    if not names and not notes:
        return
    everything = len(names) > _MANY_NAMES
    resolver = Resolver(database, whole=everything)
    values: tuple[object, ...] = ()
    where = ""
    if not everything:
        values = (json.dumps(sorted({*notes, *_holders(database, names)})),)
        where = "WHERE note IN (SELECT value FROM json_each(?))"
    database.run(f"DELETE FROM other_keys {where}", values)
    _resolve_links(database, resolver, where, values)
    for side in ("source", "target"):
        _resolve_ends(database, resolver, side, where, values)


def _holders(database: Database, names: Collection[str]) -> set[int]:
    """Return the notes that look up one of these names."""
    looked_up = (("links", "key"), ("other_keys", "key"), ("relations", "source_key"))
    return {
        row[0]
        for table, key in (*looked_up, ("relations", "target_key"))
        for row in database.all(
            f"SELECT note FROM {table} WHERE {key} IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(names)),),
        )
    }


def _resolve_links(
    database: Database, resolver: Resolver, where: str, values: tuple[object, ...]
) -> None:
    rows = database.all(
        "SELECT links.note, links.ordinal, links.target, notes.path"
        f" FROM links JOIN notes ON notes.key = links.note {where}",
        values,
    )
    updates, others = [], set()
    for note, ordinal, target, path in rows:
        found = resolver.resolve(target, read_path(path))
        updates.append((found.key, found.note, found.ambiguous, note, ordinal))
        others |= {(name, note) for name in found.other_keys}
    database.many(
        "UPDATE links SET key = ?, target_note = ?, ambiguous = ? WHERE note = ? AND ordinal = ?",
        updates,
    )
    database.many("INSERT OR IGNORE INTO other_keys (key, note) VALUES (?, ?)", others)


def _resolve_ends(
    database: Database, resolver: Resolver, side: str, where: str, values: tuple[object, ...]
) -> None:
    rows = database.all(
        f"SELECT note, {side}, path FROM relations JOIN notes ON notes.key = note {where}", values
    )
    updates, others = [], set()
    for note, target, path in rows:
        found = resolver.resolve(target, read_path(path))
        updates.append((found.key, found.note, note))
        others |= {(name, note) for name in found.other_keys}
    database.many(f"UPDATE relations SET {side}_key = ?, {side}_note = ? WHERE note = ?", updates)
    database.many("INSERT OR IGNORE INTO other_keys (key, note) VALUES (?, ?)", others)

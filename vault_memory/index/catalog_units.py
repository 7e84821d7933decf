"""The units of text in the index, by number, by row in the vectors, and those not embedded yet."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from vault_memory.index.stored import read_path, stored_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vault_memory.core.note import UnitKind
    from vault_memory.index.database import Database, Row
    from vault_memory.index.rows import UnitRow, Wanted

_UNIT = "u.id, u.note, u.ordinal, u.kind, u.anchor, u.line, u.speaker, u.date, u.text, u.row"
_OF_NOTE = "JOIN units u ON u.id >= n.first_unit AND u.id < n.first_unit + n.units"
_AMONG = "IN (SELECT value FROM json_each(?))"


class UnitReader:
    """Reads units from an open index."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def units_by_id(self, ids: Iterable[int]) -> dict[int, UnitRow]:
        """Return the units with these numbers; one that is gone is left out."""
        return {unit.id: unit for unit in self._units(f"FROM units u WHERE u.id {_AMONG}", ids)}

    def units_by_row(self, rows: Iterable[int]) -> dict[int, UnitRow]:
        """Return the units at these rows of the vectors; a row that no unit has is left out."""
        found = self._units(f"FROM units u WHERE u.row {_AMONG}", rows)
        return {unit.row: unit for unit in found if unit.row is not None}

    def units_of(self, notes: Iterable[int]) -> list[UnitRow]:
        """Return the units of these notes, by note, in order."""
        return self._units(f"FROM notes n {_OF_NOTE} WHERE n.key {_AMONG} ORDER BY u.id", notes)

    def neighbours(self, ids: Iterable[int]) -> dict[int, tuple[int | None, int | None]]:
        """Return the units before and after each of these within its note."""
        rows = self.database.all(
            "SELECT u.id, u.ordinal > 0, u.ordinal < n.units - 1 FROM units u"
            f" JOIN notes n ON n.key = u.note WHERE u.id {_AMONG}",
            (stored_list(ids),),
        )
        return {
            unit: (unit - 1 if before else None, unit + 1 if after else None)
            for unit, before, after in rows
        }

    def units_at(self, rows: Iterable[int], wanted: Wanted) -> dict[int, int]:
        """Return the numbers of the wanted units at these rows of the vectors, by row."""
        conditions, values = "", [stored_list(rows), stored_list(wanted.kinds)]
        if wanted.types:
            conditions += f" AND u.note IN (SELECT key FROM notes WHERE type {_AMONG})"
            values.append(stored_list(wanted.types))
        if not wanted.unsupported:
            conditions += " AND u.note NOT IN (SELECT key FROM notes WHERE unsupported)"
        found = self.database.all(
            f"SELECT u.row, u.id FROM units u WHERE u.row {_AMONG} AND u.kind {_AMONG}{conditions}",
            values,
        )
        return dict(found)

    def rows_of(self, units: Iterable[int]) -> dict[int, int]:
        """Return the rows of those of these units that have one, by number."""
        found = self.database.all(
            f"SELECT id, row FROM units WHERE id {_AMONG} AND row IS NOT NULL",
            (stored_list(units),),
        )
        return dict(found)

    def share_of(self, kinds: Sequence[UnitKind]) -> float:
        """Return which part of all units are of these kinds."""
        from vault_memory.index.rows import UNIT_KINDS

        found = self.database.all("SELECT kind, units FROM lengths")
        total = sum(units for _, units in found)
        chosen = sum(units for code, units in found if UNIT_KINDS[code] in kinds)
        return chosen / total if total else 0.0

    def rows_wanted(self, wanted: Wanted) -> list[int]:
        """Return the rows of the vectors whose units are wanted, ascending."""
        kinds = stored_list(wanted.kinds)
        if wanted.types:
            found = self._rows(f"n.type {_AMONG}", [stored_list(wanted.types), kinds])
        else:
            found = self.database.all(
                f"SELECT row FROM units WHERE row IS NOT NULL AND kind {_AMONG} ORDER BY row",
                (kinds,),
            )
        if wanted.unsupported:
            return [row[0] for row in found]
        dropped = set(self._rows("n.unsupported", [kinds]))
        return [row[0] for row in found if row not in dropped]

    def pending_notes(self, limit: int = 100) -> list[list[UnitRow]]:
        """Return all units of the first notes that have a unit without a row, note by note."""
        rows = self.database.all(
            "SELECT DISTINCT note FROM units WHERE row IS NULL ORDER BY note LIMIT ?", (limit,)
        )
        units = self.units_of(row[0] for row in rows)
        return [list(group) for _, group in groupby(units, key=lambda unit: unit.note)]

    def all_notes(self, at_once: int = 100) -> Iterator[list[list[UnitRow]]]:
        """Yield all units of so many notes at a time, note by note, in order of key."""
        last = 0
        while True:
            keys = self.database.all(
                "SELECT key FROM notes WHERE key > ? ORDER BY key LIMIT ?", (last, at_once)
            )
            if not keys:
                return
            last = keys[-1][0]
            units = self.units_of(row[0] for row in keys)
            yield [list(group) for _, group in groupby(units, key=lambda unit: unit.note)]

    def pending_note_count(self) -> int:
        """Return how many notes have a unit without a row."""
        found = self.database.one("SELECT count(DISTINCT note) FROM units WHERE row IS NULL")
        return int(found[0]) if found else 0

    def pending_texts(self, limit: int = -1) -> list[str]:
        """Return the distinct texts of units without a row, in order of first unit; -1 for all."""
        rows = self.database.all(
            "SELECT text FROM units WHERE row IS NULL GROUP BY text ORDER BY min(id) LIMIT ?",
            (limit,),
        )
        return [row[0] for row in rows]

    def unit_count(self) -> int:
        """Return how many units there are."""
        return int(self.database.all("SELECT coalesce(sum(units), 0) FROM lengths")[0][0])

    def pending_count(self) -> int:
        """Return how many units have no row."""
        return int(self.database.all("SELECT count(*) FROM units WHERE row IS NULL")[0][0])

    def embedded_turns(self) -> list[str]:
        """Return the distinct texts of the turns that have a row, in order of first unit."""
        rows = self.database.all(
            "SELECT text FROM units WHERE kind = 'turn' AND row IS NOT NULL"
            " GROUP BY text ORDER BY min(id)"
        )
        return [row[0] for row in rows]

    def embedded(self) -> list[tuple[int, int]]:
        """Return row and number of every unit that has a row, by row."""
        rows = self.database.all("SELECT row, id FROM units WHERE row IS NOT NULL ORDER BY row")
        return [(row, unit) for row, unit in rows]

    def ordered_units(self) -> list[tuple[str, int, str, int | None]]:
        """Return path, ordinal, text and row of every unit, by path, then ordinal."""
        rows = self.database.all(
            "SELECT n.path, u.ordinal, u.text, u.row FROM units u JOIN notes n ON n.key = u.note"
            " ORDER BY n.path, u.ordinal"
        )
        return [(read_path(path), ordinal, text, row) for path, ordinal, text, row in rows]

    def _rows(self, condition: str, values: Iterable[object]) -> list[Row]:
        return self.database.all(
            f"SELECT u.row FROM notes n {_OF_NOTE} WHERE {condition} AND u.row IS NOT NULL"
            f" AND u.kind {_AMONG} ORDER BY u.row",
            values,
        )

    def _units(self, where: str, among: Iterable[int]) -> list[UnitRow]:
        rows = self.database.all(f"SELECT {_UNIT} {where}", (stored_list(among),))
        from vault_memory.index.rows import UnitRow

        return [UnitRow(*row) for row in rows]

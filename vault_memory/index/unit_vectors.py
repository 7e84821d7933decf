"""The vectors of the units: which units are nearest to a query, and how near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.index.nearest import measured, nearest
from vault_memory.index.vector_files import ANN_FILE, ROWS_FILE, TRIES
from vault_memory.index.vector_upkeep import VectorUpkeep

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.ann import AnnIndex
    from vault_memory.index.rows import Wanted

__all__ = ["ANN_FILE", "ROWS_FILE", "UnitVectors"]


class UnitVectors(VectorUpkeep):
    """The vectors of one vault's units, searched and written."""

    def search(
        self,
        query: NDArray[np.float32],
        k: int,
        wanted: Wanted,
        *,
        also: Collection[int] = (),
    ) -> tuple[list[tuple[int, float]], dict[int, float]]:
        """The units nearest to a query, and how near some others are.

        Args:
            query: A unit vector, shape (dimension,).
            k: How many at most.
            wanted: Which units.
            also: Numbers of units to measure wherever they lie.

        Returns:
            Number and cosine of the nearest, best first, ties by row; cosine by number of those of
            ``also`` that have a vector.
        """
        for _ in range(TRIES):
            matrix, file_id = self._opened()
            ann = self._ann()
            with self._catalog.snapshot():
                facts = self._catalog.facts()
                now = self._read_rows(facts["rows"])[0].file_id if facts.get("rows") else ""
                if now == file_id:
                    best = self._nearest(matrix, ann, query, k, wanted)
                    return best, self._cosines(matrix, query, also)
        return [], {}

    def _nearest(
        self,
        matrix: NDArray[np.float32],
        ann: AnnIndex | None,
        query: NDArray[np.float32],
        k: int,
        wanted: Wanted,
    ) -> list[tuple[int, float]]:
        """Search rows that are known to be those of the state that the catalogue shows."""
        import numpy as np

        chosen = np.array(self._catalog.rows_wanted(wanted), dtype=np.int64)
        chosen = chosen[chosen < len(matrix)]
        if not len(chosen):
            return []
        alive = np.zeros(len(matrix), dtype=np.bool_)
        alive[chosen] = True
        rows = nearest(matrix, query, k, ann=ann, alive=alive)[0].tolist()
        units = self._catalog.units_by_row(rows)
        scores = measured(matrix, query, rows)
        return [
            (units[row].id, score) for row, score in zip(rows, scores, strict=True) if row in units
        ]

    def _cosines(
        self, matrix: NDArray[np.float32], query: NDArray[np.float32], units: Collection[int]
    ) -> dict[int, float]:
        found = self._catalog.units_by_id(units).values() if units else ()
        rows = {unit.id: unit.row for unit in found if unit.row is not None}
        rows = {unit: row for unit, row in rows.items() if row < len(matrix)}
        cosines = measured(matrix, query, list(rows.values())) if rows else []
        return dict(zip(rows, cosines, strict=True))

    def blocks_in_order(self) -> Iterator[tuple[str, int, bytes]]:
        """Path, ordinal and vector of every embedded unit, by path, then ordinal."""
        matrix = self.matrix()
        for path, ordinal, _, row in self._catalog.ordered_units():
            if row is not None and row < len(matrix):
                yield path, ordinal, matrix[row].tobytes()

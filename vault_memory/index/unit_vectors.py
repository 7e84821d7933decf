"""The vectors of the units: which units are nearest to a query, and how near."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from vault_memory.index.nearest import ROUNDING, by_nearness, measured, search_exact
from vault_memory.index.vector_files import ANN_FILE, ROWS_FILE, TRIES
from vault_memory.index.vector_upkeep import VectorUpkeep

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.ann import AnnIndex
    from vault_memory.index.rows import Wanted

__all__ = ["ANN_FILE", "ROWS_FILE", "UnitVectors"]

ANN_PAYS_ALONE = 500_000
"""Rows below which one search costs less than to load usearch for it: exact search costs about
0.15 ms of CPU a thousand rows, loading 75 ms."""

_MORE = (1.2, 5.0)
"""So many times more rows are taken than are expected to be needed, at first and then."""

_FEW = 8
"""Where a larger part of all rows than one in so many would have to be taken, the wanted ones are
looked up first."""


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
            Number and cosine of the nearest, best first, of equally near ones those that come first
            by path and place in the note; cosine by number of those of ``also`` that have a vector.
        """
        for _ in range(TRIES):
            matrix, file_id = self._opened()
            ann = self._ann() if self._asks_ann(len(matrix)) else None
            if self.exact is False and ann is None:
                self._notify("There is no approximate index; every vector is compared")
            with self._catalog.snapshot():
                facts = self._catalog.facts()
                now = self._read_rows(facts["rows"])[0].file_id if facts.get("rows") else ""
                if now == file_id:
                    best = self._nearest(matrix, ann, query, k, wanted)
                    return best, self._cosines(matrix, query, also)
        return [], {}

    def _asks_ann(self, rows: int) -> bool:
        """Whether the approximate index is to be asked, if there is one.

        Left to itself, a process that has usearch loaded asks it, another only when it pays.
        """
        if self.exact is None:
            return "usearch" in sys.modules or rows >= ANN_PAYS_ALONE
        return not self.exact

    def _nearest(
        self,
        matrix: NDArray[np.float32],
        ann: AnnIndex | None,
        query: NDArray[np.float32],
        k: int,
        wanted: Wanted,
    ) -> list[tuple[int, float]]:
        """Search rows that are known to be those of the state that the catalogue shows.

        More rows are taken than are needed, and those that are not wanted are left out; where few
        are wanted, or few of these are near, the wanted ones are looked up first and then searched.
        """
        share = 0.0 if wanted.types else self._catalog.share_of(wanted.kinds)
        best = by_nearness(matrix, query, ann=ann)
        rows: list[int] = []
        units: dict[int, int] = {}
        for more in _MORE if share else ():
            ask = math.ceil(more * k / share)
            if ask > len(matrix) / _FEW or len(units) >= k:
                break
            found = best(ask).tolist()
            units = self._catalog.units_at(found, wanted)
            rows = [row for row in found if row in units]
        if len(units) < k:
            rows = self._among(matrix, query, k, wanted)
            units = self._catalog.units_at(rows, wanted)
        scores = measured(matrix, query, rows) if rows else []
        return self._best([(units[row], at) for row, at in zip(rows, scores, strict=True)], k)

    def _best(self, scored: list[tuple[int, float]], k: int) -> list[tuple[int, float]]:
        """Cut to the k best, in whatever order the rows lie."""
        scored.sort(key=lambda pair: -pair[1])
        if len(scored) <= k:
            return scored
        least = scored[k - 1][1]
        sure = [pair for pair in scored if pair[1] > least]
        tied = self._catalog.units_by_id(unit for unit, score in scored if score == least)
        notes = self._catalog.notes_by_key({unit.note for unit in tied.values()})
        order = sorted(tied.values(), key=lambda unit: (notes[unit.note].path, unit.ordinal))
        return (sure + [(unit.id, least) for unit in order])[:k]

    def _among(
        self, matrix: NDArray[np.float32], query: NDArray[np.float32], k: int, wanted: Wanted
    ) -> list[int]:
        """The nearest of the wanted rows, which are few."""
        import numpy as np

        chosen = np.array(self._catalog.rows_wanted(wanted), dtype=np.int64)
        chosen = chosen[chosen < len(matrix)]
        found: list[int] = search_exact(matrix, query, k, rows=chosen, slack=ROUNDING)[0].tolist()
        return found

    def _cosines(
        self, matrix: NDArray[np.float32], query: NDArray[np.float32], units: Collection[int]
    ) -> dict[int, float]:
        found = self._catalog.rows_of(units) if units else {}
        rows = {unit: row for unit, row in found.items() if row < len(matrix)}
        cosines = measured(matrix, query, list(rows.values())) if rows else []
        return dict(zip(rows, cosines, strict=True))

    def blocks_in_order(self) -> Iterator[tuple[str, int, bytes]]:
        """Path, ordinal and vector of every embedded unit, by path, then ordinal."""
        matrix = self.matrix()
        for path, ordinal, _, row in self._catalog.ordered_units():
            if row is not None and row < len(matrix):
                yield path, ordinal, matrix[row].tobytes()

"""The scores of all units that hold a word of a query, of which few are wanted in order.

With numpy loaded anyway they are arrays, else a dictionary; both give the same numbers.
"""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


class Scores(Protocol):
    """Scores by number of unit."""

    def __len__(self) -> int:
        """How many units have one."""
        ...

    def of(self, unit: int) -> float:
        """The score of a unit; 0 when it has none."""
        ...

    def best(self, most: int) -> dict[int, float]:
        """So many of the best, and all that are as good as the last of these."""
        ...


class FewScores:
    """Scores in a dictionary.

    Args:
        scores: Score by number of unit.
    """

    def __init__(self, scores: Mapping[int, float]) -> None:
        self._scores = scores

    def __len__(self) -> int:
        return len(self._scores)

    def of(self, unit: int) -> float:
        """The score of a unit; 0 when it has none."""
        return self._scores.get(unit, 0.0)

    def best(self, most: int) -> dict[int, float]:
        """So many of the best, and all that are as good as the last of these."""
        if most >= len(self._scores):
            return dict(self._scores)
        least = min(nlargest(most, self._scores.values()))
        return {unit: score for unit, score in self._scores.items() if score >= least}


class ManyScores:
    """Scores in an array over the numbers of all units, added up from what each word gives.

    Args:
        first: The lowest number of a unit that may have a score.
        last: The highest.
    """

    def __init__(self, first: int, last: int) -> None:
        import numpy as np

        self._first = first
        self._sums = np.zeros(max(0, last - first + 1))

    def add(self, units: NDArray[np.uint32], scores: NDArray[np.float64]) -> None:
        """Add what a word gives these units, none of them twice."""
        import numpy as np

        self._sums[units.astype(np.intp) - self._first] += scores

    def __len__(self) -> int:
        import numpy as np

        return int(np.count_nonzero(self._sums))

    def of(self, unit: int) -> float:
        """The score of a unit; 0 when it has none."""
        place = unit - self._first
        return float(self._sums[place]) if 0 <= place < len(self._sums) else 0.0

    def best(self, most: int) -> dict[int, float]:
        """So many of the best, and all that are as good as the last of these."""
        import numpy as np

        sums = self._sums
        least = 0.0
        if most < len(self):
            least = np.partition(sums, len(sums) - most)[len(sums) - most]
        chosen = np.flatnonzero(sums >= least if least else sums)
        return dict(zip((chosen + self._first).tolist(), sums[chosen].tolist(), strict=True))

"""The scores of all units that hold a word of a query, of which few are wanted in order.

With numpy loaded anyway they are arrays, else a dictionary; both give the same numbers.
"""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

_DENSE = 4
"""Numbers of units that are counted over for each that holds a word, at most."""


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
    """Scores in arrays, added up from what each word gives.

    Args:
        units: Numbers of the units that hold a word, ascending for each word.
        scores: What the word gives each of these.
    """

    def __init__(
        self, units: Sequence[NDArray[np.uint32]], scores: Sequence[NDArray[np.float64]]
    ) -> None:
        import numpy as np

        numbers = np.concatenate(units).astype(np.int64)
        values = np.concatenate(scores)
        first = int(numbers.min(initial=0))
        span = int(numbers.max(initial=0)) - first + 1
        if span <= _DENSE * len(numbers):
            sums = np.bincount(numbers - first, values, span)
            held = np.flatnonzero(sums)
            self._units, self._scores = held + first, sums[held]
        else:
            self._units, places = np.unique(numbers, return_inverse=True)
            self._scores = np.bincount(places, values, len(self._units))

    def __len__(self) -> int:
        return len(self._units)

    def of(self, unit: int) -> float:
        """The score of a unit; 0 when it has none."""
        place = int(self._units.searchsorted(unit))
        if place < len(self._units) and self._units[place] == unit:
            return float(self._scores[place])
        return 0.0

    def best(self, most: int) -> dict[int, float]:
        """So many of the best, and all that are as good as the last of these."""
        import numpy as np

        units, scores = self._units, self._scores
        if most < len(units):
            least = np.partition(scores, len(scores) - most)[len(scores) - most]
            chosen = np.flatnonzero(scores >= least)
            units, scores = units[chosen], scores[chosen]
        return dict(zip(units.tolist(), scores.tolist(), strict=True))

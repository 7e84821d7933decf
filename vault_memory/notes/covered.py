"""Which places of a note lie within one of many spans."""

from bisect import bisect_right
from collections.abc import Callable, Sequence


def covered_by(spans: Sequence[tuple[int, int]]) -> Callable[[int], bool]:
    """Return a test of whether a place lies within one of the spans.

    Args:
        spans: Starts and ends, in order and apart from each other.
    """
    starts = [start for start, _ in spans]

    def covered(place: int) -> bool:
        before = bisect_right(starts, place) - 1
        return before >= 0 and place < spans[before][1]

    return covered

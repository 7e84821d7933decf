"""The nearest rows to a query: exactly, or by HNSW with the rows it does not know added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.index.ann import EXPANSION_SEARCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.ann import AnnIndex

ROUNDING = 1e-5
"""More than two products of the same unit vectors can differ by where in memory they lie."""

_BLOCK = 16_384
_GATHER_COST = 8
_MOST_ASKED = 4_096


def search_exact(
    matrix: NDArray[np.float32],
    query: NDArray[np.float32],
    k: int,
    *,
    rows: NDArray[np.int64] | None = None,
    slack: float = 0.0,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The k rows with the greatest product with the query; ties by row.

    Args:
        matrix: Shape (n, dimension).
        query: Shape (dimension,).
        k: How many at most.
        rows: The rows to look at, ascending; all when None.
        slack: How far behind the k-th others may lie and be answered as well.

    Returns:
        Rows and scores, best first, min(k, number of rows) of each, and more with slack.
    """
    import numpy as np

    if rows is None:
        scores = _products(matrix, query)
    elif len(rows) * _GATHER_COST > len(matrix):
        scores = _products(matrix, query)[rows]
    else:
        scores = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _BLOCK):
            part = slice(start, start + _BLOCK)
            scores[part] = matrix[rows[part]] @ query
    places = best_places(scores, k, slack=slack)
    return (places if rows is None else rows[places]), scores[places]


def best_places(scores: NDArray[np.float32], k: int, *, slack: float = 0.0) -> NDArray[np.int64]:
    """Where the k greatest scores are, greatest first, ties by place.

    With slack those too that lie no farther than that behind the k-th.
    """
    import numpy as np

    if k <= 0:
        return np.empty(0, np.int64)
    if k >= len(scores):
        chosen = np.arange(len(scores), dtype=np.int64)
    else:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        chosen = np.flatnonzero(scores >= least - np.float32(slack)).astype(np.int64)
    ordered = chosen[np.argsort(-scores[chosen], kind="stable")]
    return ordered if slack else ordered[:k]


def by_nearness(
    matrix: NDArray[np.float32],
    query: NDArray[np.float32],
    *,
    ann: AnnIndex | None = None,
    ef: int = EXPANSION_SEARCH,
) -> Callable[[int], NDArray[np.int64]]:
    """Search once, and give as many of the nearest rows as are then asked for.

    Args:
        matrix: All rows, shape (n, dimension).
        query: A unit vector, shape (dimension,).
        ann: The approximate index of the first rows, to ask it; the rows behind are searched
            exactly and both are merged. Everything is exact when None.
        ef: How many rows HNSW keeps in sight: more is slower and finds more.

    Returns:
        What gives the k nearest rows by full precision, best first, ties by row; and all that are
        as near as the last of them but for ``ROUNDING``.
    """
    products: list[NDArray[np.float32]] = []

    def best(k: int) -> NDArray[np.int64]:
        if ann is not None and max(2 * k, ef) <= min(_MOST_ASKED, ann.rows):
            return _with_tail(matrix, query, k, ann, ef)
        if not products:
            products.append(_products(matrix, query))
        return best_places(products[0], k, slack=ROUNDING)

    return best


def _with_tail(
    matrix: NDArray[np.float32], query: NDArray[np.float32], k: int, ann: AnnIndex, ef: int
) -> NDArray[np.int64]:
    """The nearest of what HNSW finds and of the rows that it does not cover."""
    import numpy as np

    near = np.sort(ann.candidates(query, max(2 * k, ef), ef))
    tail = np.arange(ann.rows, len(matrix), dtype=np.int64)
    return search_exact(matrix, query, k, rows=np.concatenate([near, tail]), slack=ROUNDING)[0]


def measured(
    matrix: NDArray[np.float32], query: NDArray[np.float32], rows: Sequence[int]
) -> list[float]:
    """The product of each of some rows with the query, the same wherever the rows lie.

    A product of all rows at once differs in its last digit by a row's place among the others, so
    that equal texts would rank by chance.

    Args:
        matrix: All rows, shape (n, dimension).
        query: Shape (dimension,).
        rows: The rows to measure.
    """
    import numpy as np

    chosen = matrix[list(rows)].astype(np.float64)
    products: list[float] = (chosen * query).sum(axis=1).tolist()
    return products


def _products(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    scores = np.empty(len(matrix), np.float32)
    for start in range(0, len(matrix), _BLOCK):
        np.matmul(matrix[start : start + _BLOCK], query, out=scores[start : start + _BLOCK])
    return scores

"""The nearest rows, exactly and by HNSW, in an order that is the same each time."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vault_memory.index.ann import AnnIndex, build_ann, open_ann
from vault_memory.index.nearest import ROUNDING, best_places, by_nearness, measured, search_exact
from vault_memory.index.vectors import Header

_HEADER = Header("model", "first", 32)


def _rows(count: int, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, 32)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@pytest.fixture(scope="module")
def matrix() -> NDArray[np.float32]:
    """More rows than one block of the exact search holds."""
    return _rows(20_000)


@pytest.fixture(scope="module")
def ann(matrix: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory) -> AnnIndex:
    """An approximate index of the first 6,000 rows."""
    path = tmp_path_factory.mktemp("ann") / "hnsw.usearch"
    built = build_ann(path, matrix[:6_000], _HEADER)
    opened = open_ann(path, _HEADER, built.record, verified=built.stamp)
    assert isinstance(opened, AnnIndex)
    return opened


@settings(deadline=None)
@given(
    scores=st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), max_size=30),
    k=st.integers(-1, 35),
)
def test_the_best_places_are_those_of_a_full_sort(scores: list[float], k: int) -> None:
    found = best_places(np.array(scores, np.float32), k)

    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert found.tolist() == ranked[: max(k, 0)]


def test_exact_search_is_a_sort_of_the_products(matrix: NDArray[np.float32]) -> None:
    query = _rows(1, 7)[0]

    rows, scores = search_exact(matrix, query, 25)

    products = matrix.astype(np.float64) @ query.astype(np.float64)
    assert rows.tolist() == np.argsort(-products)[:25].tolist()
    assert np.allclose(scores, products[rows], atol=1e-6)


@pytest.mark.parametrize("step", [2, 3_000])
def test_exact_search_looks_only_where_it_is_told(matrix: NDArray[np.float32], step: int) -> None:
    allowed = np.arange(1, len(matrix), step, dtype=np.int64)
    query = matrix[0]

    rows, scores = search_exact(matrix, query, 5, rows=allowed)

    everything, _ = search_exact(matrix, query, len(matrix))
    expected = [row for row in everything.tolist() if row % step == 1][:5]
    assert rows.tolist() == expected
    assert np.allclose(scores, matrix[rows] @ query, atol=1e-6)


def test_equal_rows_come_in_order_of_row() -> None:
    same = np.repeat(_rows(1), 100, axis=0)

    rows, scores = search_exact(same, same[0], 3)

    assert len(set(scores.tolist())) == 1
    assert rows.tolist() == [0, 1, 2]


def test_an_empty_matrix_has_no_nearest_row() -> None:
    rows, scores = search_exact(np.empty((0, 32), np.float32), _rows(1)[0], 5)

    assert len(rows) == len(scores) == 0


def test_rows_behind_the_approximate_index_are_found_too(
    matrix: NDArray[np.float32], ann: AnnIndex
) -> None:
    for row in (0, 5_999, 6_000, 19_999):
        assert by_nearness(matrix, matrix[row], ann=ann)(3)[0] == row


def test_the_approximate_index_finds_what_exact_search_finds(
    matrix: NDArray[np.float32], ann: AnnIndex
) -> None:
    for query in _rows(20, 11):
        found = by_nearness(matrix, query, ann=ann, ef=1_024)(10).tolist()

        assert found == by_nearness(matrix, query)(10).tolist()


def test_more_may_be_asked_for_than_there_is(matrix: NDArray[np.float32], ann: AnnIndex) -> None:
    best = by_nearness(matrix[:6_000], matrix[0], ann=ann)

    assert sorted(best(7_000).tolist()) == list(range(6_000))
    assert best(10).tolist() == by_nearness(matrix[:6_000], matrix[0])(10).tolist()


def test_a_row_is_measured_the_same_wherever_it_lies() -> None:
    chance = np.random.default_rng(5)
    matrix = chance.standard_normal((997, 384)).astype(np.float32)
    query = chance.standard_normal(384).astype(np.float32)
    matrix[[3, 500, 996]] = matrix[0]

    first = measured(matrix, query, [0])
    among = measured(matrix, query, range(len(matrix)))

    assert first == [among[0]] == [among[3]] == [among[500]] == [among[996]]
    assert np.allclose(among, matrix @ query, atol=1e-4)


def test_numpy_starts_no_threads_of_its_own() -> None:
    code = (
        "import os, threading\n"
        "from vault_memory.index.nearest import search_exact\n"
        "import numpy as np\n"
        "rows = np.ones((50_000, 384), np.float32)\n"
        "search_exact(rows, rows[0], 5)\n"
        "print(len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else 1)\n"
    )
    environ = {name: value for name, value in os.environ.items() if "THREADS" not in name}

    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, check=True
    )

    assert done.stdout == b"1\n"


def test_with_slack_what_is_as_near_but_for_rounding_is_found_too() -> None:
    scores = np.array([0.5, 0.9, 0.5 - 1e-7, 0.2, 0.5 + 1e-7], np.float32)

    assert best_places(scores, 2).tolist() == [1, 4]
    assert best_places(scores, 2, slack=ROUNDING).tolist() == [1, 4, 0, 2]
    assert best_places(scores, 9, slack=ROUNDING).tolist() == [1, 4, 0, 2, 3]

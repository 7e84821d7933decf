"""The measures of a ranking are those of the literature."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.evaluation.measures import mean, measure


def test_a_ranking_is_measured_by_what_is_relevant_and_where_it_stands() -> None:
    found = measure(["x", "a", "y", "z", "w", "b"], ["a", "b"])

    assert found.recall_5 == 0.5
    assert found.recall_10 == 1
    assert found.mrr == 0.5
    assert found.ndcg_10 == pytest.approx((1 / log2(3) + 1 / log2(7)) / (1 + 1 / log2(3)))


def test_what_comes_up_again_takes_no_place() -> None:
    assert measure(["x", "x", "x", "x", "x", "a"], ["a"]) == measure(["x", "a"], ["a"])


def test_nothing_found_is_worth_nothing() -> None:
    found = measure(["x"], ["a"])

    assert (found.recall_50, found.mrr, found.ndcg_10) == (0, 0, 0)


def test_the_mean_is_over_rankings() -> None:
    both = mean([measure(["a"], ["a"]), measure(["x", "a"], ["a"])])

    assert both.mrr == 0.75
    assert both.recall_5 == 1


@given(st.sets(st.integers(0, 30), min_size=1, max_size=15), st.permutations(range(31)))
def test_the_best_ranking_has_a_gain_of_one_and_none_is_better(
    relevant: set[int], order: list[int]
) -> None:
    wanted = [str(one) for one in relevant]
    best = measure(sorted(map(str, range(31)), key=lambda one: one not in wanted), wanted)

    assert best.ndcg_10 == pytest.approx(1)
    assert measure(list(map(str, order)), wanted).ndcg_10 <= best.ndcg_10 + 1e-12

"""Probabilities fall with the place, ignore the scale of scores, and trust few hits little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.probability import (
    REACH,
    Standing,
    Weights,
    lag,
    probabilities,
    probability,
    standings,
)

falling = st.lists(st.floats(-10, 10), max_size=2 * REACH).map(lambda them: sorted(them)[::-1])


@given(falling)
def test_no_hit_is_more_probable_than_one_before_it(scores: list[float]) -> None:
    found = probabilities(scores)

    assert len(found) == len(scores)
    assert all(0 <= one <= 1 for one in found)
    assert found == sorted(found, reverse=True)


@given(
    st.lists(st.integers(-1000, 1000), min_size=REACH, max_size=2 * REACH),
    st.integers(-3, 3),
    st.integers(-8, 8),
)
def test_another_scale_of_scores_changes_nothing(scores: list[int], power: int, moved: int) -> None:
    one = sorted(map(float, scores), reverse=True)
    other = [2.0**power * score + moved for score in one]

    assert probabilities(other) == pytest.approx(probabilities(one))


def test_what_stands_out_is_more_probable_than_what_does_not() -> None:
    alone = [1.0, *[0.5 - place / 200 for place in range(REACH)]]
    crowded = [1.0, *[0.99 - place / 100 for place in range(REACH)]]

    assert probabilities(alone)[0] > 0.8
    assert probabilities(crowded)[0] < 0.4
    assert probabilities(alone)[1] < probabilities(crowded)[1]


def test_from_the_last_place_that_counts_all_are_equally_far_behind() -> None:
    scores = [100.0 - place for place in range(REACH + 5)]

    assert [one.behind for one in standings(scores)[REACH - 1 :]] == [1.0] * 6


def test_among_few_it_is_easy_to_stand_out() -> None:
    assert standings([1.0, 0.5]) == [Standing(0.0, 0.02), Standing(0.5, 0.01)]
    assert standings([1.0]) == [Standing(0.0, 0.02)]
    assert standings([0.5, -0.5])[1] == Standing(1.0, 0.02)
    assert standings([]) == []


def test_equal_scores_that_say_nothing_are_equally_probable() -> None:
    assert standings([0.0, 0.0]) == [Standing(0.0, 0.0)] * 2


def test_the_log_odds_are_the_sum_of_the_parts() -> None:
    weights = Weights(base=1.0, behind=-3.0, ahead=2.0)

    assert probability(Standing(0.5, 0.25), weights) == pytest.approx(0.5)
    assert probability(Standing(0.0, 0.0), weights) == pytest.approx(0.7311, abs=1e-4)


def test_a_kind_that_lies_far_behind_is_improbable_however_far() -> None:
    far = lag([1.0, 1.0 - 1e-12, *[1.0 - 2e-12] * REACH], 2.0)

    assert lag([], 1.0) == 0.0
    assert lag([0.5, *[0.0] * REACH], 0.75) == 0.5
    assert standings([0.5, *[0.0] * REACH], lag=0.5)[1].behind == 1.5
    assert probabilities([1.0, 0.5], lag=far) == [0.0, 0.0]

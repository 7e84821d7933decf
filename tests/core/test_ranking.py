"""Signals are brought to one scale and added up; equal scores have a fixed order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.ranking import Candidate, fuse, minmax

CANDIDATES = st.lists(
    st.builds(
        Candidate,
        id=st.integers(0, 30),
        cosine=st.one_of(st.none(), st.floats(-1, 1)),
        words=st.floats(0, 1),
        named=st.booleans(),
        dated=st.booleans(),
        turn=st.booleans(),
        previous=st.one_of(st.none(), st.integers(0, 30)),
        next=st.one_of(st.none(), st.integers(0, 30)),
    ),
    max_size=20,
    unique_by=lambda one: one.id,
)


def test_meaning_and_words_are_weighed_on_one_scale() -> None:
    ranked = fuse([Candidate(1, 0.8, 0.0), Candidate(2, 0.6, 0.4), Candidate(3, 0.7, 0.1)])

    assert {one.id: one.score for one in ranked} == pytest.approx({1: 0.5, 2: 0.4, 3: 0.35})
    assert [one.id for one in ranked] == [1, 2, 3]


def test_words_say_all_they_can_when_half_of_what_is_possible_is_held() -> None:
    ranked = fuse([Candidate(1, words=0.5), Candidate(2, words=0.9), Candidate(3, words=0.25)])

    assert {one.id: one.parts["lexical"] for one in ranked} == {1: 0.5, 2: 0.5, 3: 0.25}


def test_the_weight_of_meaning_is_a_choice() -> None:
    ranked = fuse([Candidate(1, 0.8, 0.0), Candidate(2, 0.6, 0.5)], dense_weight=0.3)

    assert [one.id for one in ranked] == [2, 1]


def test_a_signal_that_is_the_same_for_all_says_nothing() -> None:
    assert minmax([0.4, 0.4]) == [0.0, 0.0]
    assert minmax([]) == []
    assert [one.score for one in fuse([Candidate(1, 0.4), Candidate(2, 0.4)])] == [0.0, 0.0]


def test_a_name_and_a_date_add_their_share() -> None:
    ranked = fuse([Candidate(1, named=True), Candidate(2, dated=True), Candidate(3)])

    assert [(one.id, one.score) for one in ranked] == [(1, 0.2), (2, 0.15), (3, 0.0)]
    assert [one.found_by for one in ranked] == [("name",), ("date",), ()]


def test_neighbours_speak_for_a_turn_and_only_for_a_turn() -> None:
    before = Candidate(1, named=True)
    turn = Candidate(2, turn=True, previous=1, next=3)
    behind = Candidate(3, dated=True, previous=2, turn=False)

    scores = {one.id: one.score for one in fuse([before, turn, behind])}

    assert scores == pytest.approx({1: 0.2, 2: 0.9 * (0.05 * 0.2 + 0.25 * 0.15), 3: 0.15})


def test_a_turn_counts_a_little_less_since_its_neighbours_add_to_it() -> None:
    ranked = fuse([Candidate(1, words=0.5), Candidate(2, words=0.5, turn=True)])

    assert {one.id: one.score for one in ranked} == pytest.approx({1: 0.5, 2: 0.45})


def test_a_neighbour_that_is_no_candidate_says_nothing() -> None:
    assert fuse([Candidate(2, turn=True, previous=1, next=3)])[0].score == 0


def test_what_has_no_vector_yet_counts_as_the_farthest() -> None:
    ranked = fuse([Candidate(1, 0.9), Candidate(2, 0.5), Candidate(3, None, 1.0)])

    assert {one.id: one.parts["dense"] for one in ranked} == {1: 0.5, 2: 0.0, 3: 0.0}


def test_how_it_was_found_is_told() -> None:
    ranked = fuse([Candidate(1, 0.9, 0.2, dense=True), Candidate(2, 0.5)])

    assert [one.found_by for one in ranked] == [("dense", "lexical"), ()]


def test_equal_scores_go_by_place_then_number() -> None:
    tied = [
        Candidate(3, order=("b", 0)),
        Candidate(2, order=("a", 1)),
        Candidate(1, order=("b", 0)),
    ]

    assert [one.id for one in fuse(tied)] == [2, 1, 3]


@given(CANDIDATES)
def test_every_candidate_is_ranked_once_by_the_sum_of_its_parts(
    candidates: list[Candidate],
) -> None:
    ranked = fuse(candidates)

    assert sorted(one.id for one in ranked) == sorted(one.id for one in candidates)
    assert all(one.score == pytest.approx(sum(one.parts.values())) for one in ranked)
    assert all(0 <= one.score <= 1.35 * 1.3 for one in ranked)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert fuse(candidates[::-1]) == ranked


def test_what_the_model_cannot_read_is_not_near_for_it() -> None:
    ranked = fuse([Candidate(1, 0.9, read=0.1), Candidate(2, 0.8), Candidate(3, 0.5)])

    assert [one.id for one in ranked] == [2, 1, 3]
    assert ranked[1].parts["dense"] == pytest.approx(0.05)

"""Turns are ranked again by many small signals, each of which shows in the result."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.rerank import WITH_TOKENS, WITHOUT_TOKENS, Alike, Turn, rerank

FRACTIONS = st.floats(-1, 1)
TURNS = st.lists(
    st.builds(
        Turn,
        id=st.integers(0, 99),
        first=st.floats(0, 2),
        session=st.integers(0, 3),
        text=st.sampled_from(["Yes.", "Who?", "We met Ada yesterday.", "いつ\uff1f", ""]),
        dated=st.booleans(),
        other=st.booleans(),
        alike=st.one_of(st.none(), st.builds(Alike, FRACTIONS, FRACTIONS, FRACTIONS)),
    ),
    max_size=12,
    unique_by=lambda turn: turn.id,
)


def test_likeness_and_first_score_are_weighed_among_the_turns() -> None:
    turns = [
        Turn(1, 0.9, 1, "Fine.", alike=Alike(0.2, 0.2, 0.4)),
        Turn(2, 0.7, 2, "It broke.", alike=Alike(0.6, 0.6, 0.8)),
        Turn(3, 0.5, 1, "Good.", alike=Alike(0.4, 0.6, 0.6)),
    ]

    ranked = rerank("what broke", turns)

    assert [turn for turn, _ in ranked] == [2, 3, 1]
    scores = {turn: sum(parts.values()) for turn, parts in ranked}
    assert scores == pytest.approx(
        {
            1: 1 + 0.5 * 0 + 0 + 0 + 1 + 0.5,
            2: 0.5 + 0.5 + 1 + 1 + 0.5 + 1,
            3: 0 + 0.5 * 0.5 + 1 + 0.5 + 1 + 0.5,
        }
    )


def test_every_part_is_told_by_its_name() -> None:
    ((_, parts),) = rerank("when", [Turn(1, 0.5, 1, "Yesterday?", True, True, Alike(0, 0, 0))])

    assert parts.keys() == WITH_TOKENS.keys()
    assert {name: value for name, value in parts.items() if value} == {
        "date": 0.5,
        "other": -0.5,
        "asks": -0.5,
        "time": 0.5,
    }


def test_without_token_vectors_of_all_turns_no_likeness_counts() -> None:
    turns = [Turn(1, 0.9, 1, "a", alike=Alike(0, 0, 0)), Turn(2, 0.8, 2, "b")]

    ranked = rerank("what", turns)

    assert [turn for turn, _ in ranked] == [1, 2]
    assert all(parts.keys() == WITHOUT_TOKENS.keys() for _, parts in ranked)
    assert ranked == rerank("what", [replace(turn, alike=None) for turn in turns])


def test_the_first_stage_decides_where_the_model_cannot_read_the_query() -> None:
    turns = [
        Turn(1, 0.9, 1, "a", alike=Alike(0, 0, 0)),
        Turn(2, 0.8, 2, "b", alike=Alike(1, 1, 1)),
    ]

    assert [turn for turn, _ in rerank("mitä", turns)] == [2, 1]
    assert [turn for turn, _ in rerank("mitä", turns, meaning=0.0)] == [1, 2]
    assert {sum(p.values()) for _, p in rerank("when", [Turn(1, 1, 1, "today?")], meaning=0)} == {0}


@pytest.mark.parametrize(
    ("query", "text", "signals"),
    [
        ("When did she leave?", "She left last Tuesday", {"time"}),
        ("What year was it?", "In 2021", {"time"}),
        ("how long did it take", "two weeks", {"time"}),
        ("Why did she leave?", "She left last Tuesday", set()),
        ("when does the boat leave", "It is late", set()),
        ("Who mended it?", "It was Ada", {"name"}),
        ("where is it", 'in "Porto"', {"name"}),
        ("Who mended it?", "Ada", set()),
        ("Who mended it?", "No. Nobody", set()),
        ("Who mended it?", "so I did", set()),
        ("what", "Is it?", {"asks"}),
        ("what", "本当ですか\uff1f ", {"asks"}),
        ("what", "هل هذا؟", {"asks"}),
        ("いつ", "昨日", set()),
    ],
)
def test_what_a_turn_says_is_held_against_what_is_asked(
    query: str, text: str, signals: set[str]
) -> None:
    ((_, parts),) = rerank(query, [Turn(1, 0.5, 1, text)])

    assert {name for name, value in parts.items() if value} == signals


def test_equal_turns_stay_in_the_order_of_the_first_stage() -> None:
    ranked = rerank("what", [Turn(number, 0.5, number, "same") for number in (3, 1, 2)])

    assert [turn for turn, _ in ranked] == [3, 1, 2]


def test_no_turns_are_no_error() -> None:
    assert rerank("what", []) == []


@given(TURNS, st.text(max_size=20))
def test_every_turn_is_ranked_once_and_best_first(turns: list[Turn], query: str) -> None:
    ranked = rerank(query, turns)

    assert sorted(turn for turn, _ in ranked) == sorted(turn.id for turn in turns)
    scores = [sum(parts.values()) for _, parts in ranked]
    assert scores == sorted(scores, reverse=True)

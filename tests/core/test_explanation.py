"""A score's parts are told with their reasons, and add up to it."""

import pytest

from vault_memory.core.explanation import AGAIN, Reasons, explain
from vault_memory.core.ranking import Candidate, fuse
from vault_memory.core.rerank import WITH_TOKENS, WITHOUT_TOKENS

ALL = Reasons(0.8125, ["boat"], ["blue"], ["Ana"], ["Ana owns Boat"])


def test_every_part_of_a_score_has_a_reason_and_they_add_up() -> None:
    candidates = [
        Candidate(1, 0.8, 0.2, named=True, dated=True, turn=True, next=2),
        Candidate(2, 0.5, 0.1),
    ]
    best = fuse(candidates)[0]

    told = explain({**best.parts, "graph": 0.1}, ALL)["parts"]

    assert [part["signal"] for part in told] == [
        "dense",
        "lexical",
        "name",
        "date",
        "context",
        "graph",
    ]
    assert sum(part["adds"] for part in told) == pytest.approx(best.score + 0.1)


def test_reasons_say_what_they_rest_on() -> None:
    told = explain({"dense": 0.4, "lexical": 0.2, "name": 0.2, "graph": 0.1}, ALL)["parts"]

    assert [part["why"] for part in told] == [
        "how near its meaning is to the query's, beside the others (cosine 0.81)",
        "it holds the query's “boat”, and not “blue”",
        "it belongs to Ana, whom the query names",
        "it hangs together with another hit: Ana owns Boat",
    ]


def test_what_adds_nothing_is_not_told() -> None:
    assert explain({"dense": 0.0, "graph": 1e-9}, Reasons())["parts"] == []


def test_of_many_words_the_first_are_told() -> None:
    told = explain({"lexical": 0.1}, Reasons(held=[f"w{n}" for n in range(20)]))["parts"]

    assert told[0]["why"].endswith("“w7” …")


def test_a_unit_that_is_not_embedded_yet_is_told_as_such() -> None:
    assert "no vector yet" in explain({"dense": 0.1}, Reasons())["parts"][0]["why"]


def test_every_signal_of_the_second_ranking_has_a_reason() -> None:
    assert AGAIN.keys() == WITH_TOKENS.keys() >= WITHOUT_TOKENS.keys()


def test_what_the_second_ranking_adds_is_told_apart_from_the_score() -> None:
    told = explain({"again": 0.1}, Reasons(), {"own": 0.25, "date": 0.0, "other": -0.5})

    assert [(part["signal"], part["adds"]) for part in told["again"]] == [
        ("own", 0.25),
        ("other", -0.5),
    ]
    assert sum(part["adds"] for part in told["parts"]) == pytest.approx(0.1)

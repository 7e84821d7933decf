"""Neighbours of the best hits inherit of their score over the best path, hubs passing on less."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.expansion import FRONTIER, LINKED, PASSED, Reached, expand
from vault_memory.core.graph import Edge


def edge(
    source: str,
    target: str,
    effective: float = 0.5,
    *,
    unsupported: bool = False,
    link: bool = False,
) -> Edge:
    return Edge(f"{source}-{target}", source, "uses", target, effective, unsupported, link)


def run(
    scores: dict[str, float],
    *edges: Edge,
    depth: int = 2,
    seeds: int = 3,
    unsupported: bool = False,
) -> dict[str, Reached]:
    return expand(
        scores,
        lambda key: [one for one in edges if key in {one.source, one.target}],
        depth=depth,
        seeds=seeds,
        unsupported=unsupported,
    )


def test_confidence_multiplies_along_the_path() -> None:
    reached = run({"a": 0.8}, edge("a", "b", 0.5), edge("c", "b", 0.9))

    assert {key: one.score for key, one in reached.items()} == pytest.approx(
        {"b": 0.8 * PASSED * 0.5, "c": 0.8 * PASSED * 0.5 * PASSED * 0.9}
    )
    assert [one.key for one in reached["c"].via] == ["a-b", "c-b"]
    assert reached["c"].seed == "a"


def test_depth_bounds_the_path() -> None:
    assert set(run({"a": 1.0}, edge("a", "b"), edge("b", "c"), depth=1)) == {"b"}
    assert run({"a": 1.0}, edge("a", "b"), depth=0) == {}


def test_the_best_path_wins_even_if_it_is_longer() -> None:
    reached = run({"a": 1.0}, edge("a", "c", 0.2), edge("a", "b", 1.0), edge("b", "c", 1.0))

    assert reached["c"].score == pytest.approx(PASSED * PASSED)
    assert len(reached["c"].via) == 2


def test_of_equal_paths_the_shorter_wins() -> None:
    reached = run({"a": 1.0}, edge("a", "c", PASSED), edge("a", "b", 1.0), edge("b", "c", 1.0))

    assert reached["c"].score == pytest.approx(PASSED * PASSED)
    assert len(reached["c"].via) == 1


def test_only_the_best_hits_are_expanded() -> None:
    edges = [edge(key, key + "2") for key in "abcd"]

    reached = run({"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}, *edges)

    assert set(reached) == {"a2", "b2", "c2"}
    assert set(run({"a": 0.9, "b": 0.8}, *edges, seeds=1)) == {"a2"}


def test_a_seed_is_reached_from_another_and_not_from_itself() -> None:
    reached = run({"a": 0.9, "b": 0.4}, edge("a", "b"), edge("a", "a"))

    assert reached["b"].score == pytest.approx(0.9 * PASSED * 0.5)
    assert reached["a"].seed == "b"
    assert reached["a"].score == pytest.approx(0.4 * PASSED * 0.5)


def test_what_several_hits_lead_to_inherits_from_each() -> None:
    reached = run({"a": 0.9, "b": 0.4}, edge("a", "x"), edge("b", "x", 1.0))

    assert reached["x"].score == pytest.approx(PASSED * (0.9 * 0.5 + 0.4 * 1.0))
    assert (reached["x"].seed, [one.key for one in reached["x"].via]) == ("a", ["a-x"])


def test_a_link_passes_on_as_much_as_a_plain_statement() -> None:
    reached = run({"a": 1.0}, edge("a", "b", 0.3, link=True))

    assert reached["b"].score == pytest.approx(PASSED * LINKED)


def test_of_many_reached_the_next_step_starts_from_those_that_have_most() -> None:
    near = [edge("a", f"n{number}") for number in range(FRONTIER + 4)]
    far = [edge(one.target, f"{one.target} far") for one in near]

    reached = run({"a": 1.0, "n7": 0.1, "b": 0.9, "c": 0.8}, *near, *far)

    walked_on_from = {key.removesuffix(" far") for key in reached if key.endswith(" far")}
    assert {one.target for one in near} <= set(reached)
    assert walked_on_from == {"n7", *(f"n{number}" for number in range(FRONTIER - 1))}


def test_a_hub_passes_on_less() -> None:
    spokes = [edge("a", f"n{number}") for number in range(32)]

    reached = run({"a": 1.0}, *spokes)

    assert reached["n0"].score == pytest.approx(PASSED * 0.5 * math.sqrt(8 / 32))
    assert run({"a": 1.0}, *spokes[:8])["n0"].score == pytest.approx(PASSED * 0.5)


def test_faint_and_unsupported_edges_lead_nowhere() -> None:
    edges = [edge("a", "b", 0.09), edge("a", "c", unsupported=True)]

    assert run({"a": 1.0}, *edges) == {}
    assert set(run({"a": 1.0}, *edges, unsupported=True)) == {"c"}


KEYS = st.sampled_from("abcde")
EDGES = st.lists(st.builds(edge, KEYS, KEYS, st.floats(0.05, 1)), max_size=10)


@given(EDGES, st.integers(1, 3))
def test_scores_never_rise_along_a_path_and_order_does_not_matter(
    edges: list[Edge], depth: int
) -> None:
    unique = list({one.key: one for one in edges}.values())

    reached = run({"a": 0.9, "b": 0.5}, *unique, depth=depth)

    assert reached == run({"b": 0.5, "a": 0.9}, *unique[::-1], depth=depth)
    for key, one in reached.items():
        assert 0 < one.score <= PASSED * (0.9 + 0.5)
        assert 1 <= len(one.via) <= depth
        assert key in {one.via[-1].source, one.via[-1].target}

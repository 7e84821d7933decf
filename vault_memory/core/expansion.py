"""What lies near the best hits in the graph, and how much of their score it inherits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_memory.core.graph import LEAST_EFFECTIVE, Edge, EdgesOf, strongest_first

SEEDS = 3
"""How many of the best hits are expanded; with ten the gain is lost."""

HUB_DEGREE = 8
"""A node with more edges than this passes on less through each: ``sqrt(8 / degree)``."""

BOTH_WAYS = 0.25
"""The part of the lower score that a node gains when it is found directly and over the graph."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a walk from the best hits reached.

    Attributes:
        key: The node.
        score: That of the seed times the effective confidence of each edge, over the best path.
        seed: The hit that the path begins at.
        via: The edges of the path, in order.
    """

    key: str
    score: float
    seed: str
    via: tuple[Edge, ...]


def expand(
    scores: Mapping[str, float],
    edges_of: EdgesOf,
    *,
    depth: int = 1,
    seeds: int = SEEDS,
    unsupported: bool = False,
) -> dict[str, Reached]:
    """Return what can be reached from the best hits, each node over its best path.

    A neighbour's score is its parent's times the effective confidence of the edge, and less where
    the parent is a hub. A seed can be reached from another seed, not from itself.

    Args:
        scores: The hits that are nodes, by key, with their scores; above 0.
        edges_of: Gives the edges of a node.
        depth: How many edges to follow.
        seeds: How many of the best to begin from; equal ones by key.
        unsupported: Whether to follow edges that no evidence supports any more.
    """
    best: dict[str, Reached] = {}
    first = sorted(scores, key=lambda key: (-scores[key], key))[:seeds]
    for seed in first:
        start = Reached(seed, scores[seed], seed, ())
        for one in _from_seed(start, edges_of, depth, unsupported=unsupported).values():
            known = best.get(one.key)
            if known is None or _precedence(one) < _precedence(known):
                best[one.key] = one
    return best


def combined(direct: float, reached: float) -> float:
    """Return the score of a node found both ways: the higher, and a quarter of the lower."""
    return max(direct, reached) + BOTH_WAYS * min(direct, reached)


def _from_seed(
    start: Reached, edges_of: EdgesOf, depth: int, *, unsupported: bool
) -> dict[str, Reached]:
    """Return the best path to each node; one that is longer must be better to replace another."""
    best: dict[str, Reached] = {}
    frontier: Sequence[Reached] = [start]
    for _ in range(depth):
        further: dict[str, Reached] = {}
        for parent in frontier:
            edges = [edge for edge in edges_of(parent.key) if unsupported or not edge.unsupported]
            share = min(1.0, math.sqrt(HUB_DEGREE / max(len(edges), 1)))
            for edge in strongest_first(edges, parent.key):
                far = edge.far_end(parent.key)
                if edge.effective < LEAST_EFFECTIVE or far in {start.key, parent.key}:
                    continue
                score = parent.score * edge.effective * share
                one = Reached(far, score, start.key, (*parent.via, edge))
                known = further.get(far) or best.get(far)
                if known is None or _precedence(one) < _precedence(known):
                    further[far] = one
        best.update(further)
        frontier = list(further.values())
    return best


def _precedence(one: Reached) -> tuple[float, int, tuple[str, ...]]:
    return (-one.score, len(one.via), tuple(edge.key for edge in one.via))

"""What lies near the best hits in the graph, and how much of their score it inherits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vault_memory.core.graph import LEAST_EFFECTIVE, Edge, EdgesOf, strongest_first

SEEDS = 3
"""How many of the best hits are expanded; with ten the gain is lost."""

DEPTH = 2
"""How many edges are followed unless asked otherwise."""

PASSED = 0.25
"""The part of a node's score that an edge passes on, if it is certain."""

LINKED = 0.9
"""How sure an edge is that is a link: as sure as what a person states outright."""

HUB_DEGREE = 8
"""A node with more edges than this passes on less through each: ``sqrt(8 / degree)``."""

MOST_EDGES = 256
"""A node with more edges than this passes on nothing: it would be next to nothing."""

FRONTIER = 4
"""How many of the nodes reached by one step from a hit the next step starts from: those that have
most, with what they score themselves. More cost more, and found no more on either measured set."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a walk from the best hits reached.

    Attributes:
        key: The node.
        score: What it inherits, summed over the hits that lead to it.
        seed: The hit that gives it most.
        via: The edges of the path from there, in order.
    """

    key: str
    score: float
    seed: str
    via: tuple[Edge, ...]


def expand(
    scores: Mapping[str, float],
    edges_of: EdgesOf,
    *,
    depth: int = DEPTH,
    seeds: int = SEEDS,
    unsupported: bool = False,
) -> dict[str, Reached]:
    """Return what can be reached from the best hits, with what it inherits from each.

    From one hit a node inherits over its best path: ``score * product(0.25 * effective * hub)``,
    the product over the edges of the path, where ``hub = min(1, sqrt(8 / degree))`` of the node
    that the edge is followed from. Every step but the first starts from a few nodes only, so that
    a query costs much the same in any graph. Of several hits it inherits the sum: what two of them
    lead to is more likely what was looked for. A seed can be reached from another seed, not from
    itself.

    Args:
        scores: The hits that are nodes, by key, with their scores; above 0.
        edges_of: Gives the edges of a node; none of a node that is not to be walked through.
        depth: How many edges to follow.
        seeds: How many of the best to begin from; equal ones by key.
        unsupported: Whether to follow edges that no evidence supports any more.
    """
    ways: dict[str, list[Reached]] = {}
    for seed in sorted(scores, key=lambda key: (-scores[key], key))[:seeds]:
        start = Reached(seed, scores[seed], seed, ())
        steps = _from_seed(start, scores, edges_of, depth, unsupported=unsupported)
        for key, way in steps.items():
            ways.setdefault(key, []).append(way)
    return {
        key: replace(min(several, key=_precedence), score=math.fsum(one.score for one in several))
        for key, several in ways.items()
    }


def _from_seed(
    start: Reached,
    scores: Mapping[str, float],
    edges_of: EdgesOf,
    depth: int,
    *,
    unsupported: bool,
) -> dict[str, Reached]:
    """Return the best path to each node; one that is longer must be better to replace another."""
    best: dict[str, Reached] = {}
    frontier: Sequence[Reached] = [start]
    for _ in range(depth):
        further: dict[str, Reached] = {}
        for parent in frontier:
            edges = [edge for edge in edges_of(parent.key) if unsupported or not edge.unsupported]
            share = PASSED * min(1.0, math.sqrt(HUB_DEGREE / max(len(edges), 1)))
            for edge in strongest_first(edges, parent.key):
                far = edge.far_end(parent.key)
                if edge.effective < LEAST_EFFECTIVE or far in {start.key, parent.key}:
                    continue
                score = parent.score * share * (LINKED if edge.link else edge.effective)
                one = Reached(far, score, start.key, (*parent.via, edge))
                known = further.get(far) or best.get(far)
                if known is None or _precedence(one) < _precedence(known):
                    further[far] = one
        best.update(further)
        frontier = sorted(
            further.values(), key=lambda one: (-one.score - scores.get(one.key, 0.0), one.key)
        )[:FRONTIER]
    return best


def _precedence(one: Reached) -> tuple[float, int, tuple[str, ...]]:
    return (-one.score, len(one.via), tuple(edge.key for edge in one.via))

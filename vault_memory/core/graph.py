"""The graph as walks and rankings see it: nodes, edges with belief, and whoever knows them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Direction = Literal["out", "in"]

LEAST_EFFECTIVE = 0.1
"""The effective confidence below which an edge is left out."""


@dataclass(frozen=True, slots=True)
class Node:
    """A note, or an end without a note.

    Attributes:
        key: What tells it from others; edges name it by this.
        id: The note's id; empty when it has none.
        name: What people call it.
        type: One of the 17 types, or the kind of another note; empty for an end without a note.
        abstract: One line that says what it is; empty when none.
        unsupported: Whether it is a belief that no evidence supports any more.
    """

    key: str
    id: str
    name: str
    type: str
    abstract: str = ""
    unsupported: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation, or a link from one note to another.

    Attributes:
        key: What tells it from others: the path of a relation note; of a link, both notes' paths.
        source: The key of the node it starts from.
        rel: The verb.
        target: The key of the node it leads to.
        effective: How sure it is at this day, within [0, 1].
        unsupported: Whether no evidence supports it any more.
        link: Whether it is a link, which says that two notes have to do with each other, no more.
    """

    key: str
    source: str
    rel: str
    target: str
    effective: float
    unsupported: bool = False
    link: bool = False

    def far_end(self, near: str) -> str:
        """Return the node at the other end; of a loop, the node itself."""
        return self.target if self.source == near else self.source

    def direction_from(self, near: str) -> Direction:
        """Return whether it leads away from a node or to it."""
        return "out" if self.source == near else "in"


EdgesOf = Callable[[str], Sequence[Edge]]
"""Gives every edge that touches a node, whichever way it runs."""

NodeOf = Callable[[str], Node | None]
"""Gives a node by its key; None for one that is not to be shown at all."""


def strongest_first(edges: Sequence[Edge], near: str) -> list[Edge]:
    """Return the edges of a node in the order they are followed, the same on every machine."""
    return sorted(edges, key=lambda edge: (-edge.effective, edge.rel, edge.far_end(near), edge.key))

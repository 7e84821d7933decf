"""Walking the graph from one node: depth first, every edge once, no cycle followed."""

from collections.abc import Container
from dataclasses import dataclass

from vault_memory.core.graph import (
    LEAST_EFFECTIVE,
    Direction,
    Edge,
    EdgesOf,
    Node,
    NodeOf,
    strongest_first,
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A node that was reached, and over how few edges it can be."""

    node: Node
    depth: int


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge that was taken.

    Attributes:
        edge: The edge.
        near: The key of the node it was seen from.
        far: The key of the node it reaches.
        direction: Whether it leads away from ``near`` or to it.
        depth: How many edges lie between the root and ``far`` on this way, this one counted.
    """

    edge: Edge
    near: str
    far: str
    direction: Direction
    depth: int


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk saw.

    Attributes:
        root: The key of the node it began at.
        visits: The nodes shown, in the order they were reached, the root first.
        hops: The edges shown, in the order they were taken.
        hidden: How many edges were left out because hardly anything is left of their confidence.
    """

    root: str
    visits: tuple[Visit, ...]
    hops: tuple[Hop, ...]
    hidden: int


def walk(
    root: Node,
    edges_of: EdgesOf,
    node_of: NodeOf,
    *,
    depth: int = 2,
    types: Container[str] | None = None,
    least: float = LEAST_EFFECTIVE,
    unsupported: bool = False,
) -> Walk:
    """Walk from a node over edges in both directions.

    Every node within ``depth`` edges is reached, each below a node that is one edge nearer to the
    root. An edge to a node that was reached already is shown and not followed.

    Args:
        root: Where to begin.
        edges_of: Gives the edges of a node.
        node_of: Gives a node.
        depth: How many edges to follow; 0 shows the root alone.
        types: Types of nodes to show; the others are walked through all the same. None for all.
        least: Edges of less effective confidence are left out and counted.
        unsupported: Whether to show beliefs that no evidence supports any more.
    """
    scene = _survey(root, edges_of, node_of, depth, least, unsupported=unsupported)
    visits, hops = [Visit(root, 0)], []
    taken: set[str] = set()
    reached = {root.key}
    stack = [(root.key, edge) for edge in reversed(scene.edges.get(root.key, []))]
    while stack:
        near, edge = stack.pop()
        if edge.key in taken:
            continue
        taken.add(edge.key)
        far = edge.far_end(near)
        node, level = scene.nodes[far], scene.depths[near] + 1
        shown = types is None or node.type in types or far == root.key
        if shown:
            hops.append(Hop(edge, near, far, edge.direction_from(near), level))
        if far in reached or scene.depths[far] != level:
            continue
        reached.add(far)
        if shown:
            visits.append(Visit(node, level))
        stack += [(far, onward) for onward in reversed(scene.edges.get(far, []))]
    return Walk(root.key, tuple(visits), tuple(hops), len(scene.hidden))


@dataclass(frozen=True, slots=True)
class _Scene:
    """All nodes within reach, how far they are, and the edges of those that are walked from."""

    nodes: dict[str, Node]
    depths: dict[str, int]
    edges: dict[str, list[Edge]]
    hidden: set[str]


def _survey(
    root: Node, edges_of: EdgesOf, node_of: NodeOf, depth: int, least: float, *, unsupported: bool
) -> _Scene:
    """Find the nodes within reach breadth first, so that each gets its least depth."""
    scene = _Scene({root.key: root}, {root.key: 0}, {}, set())
    level = [root.key]
    for distance in range(1, depth + 1):
        further: list[str] = []
        for near in level:
            scene.edges[near] = kept = []
            for edge in strongest_first(edges_of(near), near):
                if edge.unsupported and not unsupported:
                    continue
                if edge.effective < least:
                    scene.hidden.add(edge.key)
                    continue
                far = edge.far_end(near)
                node = scene.nodes.get(far) or node_of(far)
                if node is None or (node.unsupported and not unsupported and far != root.key):
                    continue
                kept.append(edge)
                if far not in scene.nodes:
                    scene.nodes[far], scene.depths[far] = node, distance
                    further.append(far)
        level = further
        if not level:
            break
    return scene

"""A walk shows every edge once, ends in cycles, and is the same each time."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.graph import Edge, Node
from vault_memory.core.traverse import Walk, walk


class Graph:
    """A graph in memory, as a fake of the index."""

    def __init__(self, *edges: Edge, nodes: Sequence[Node] = ()) -> None:
        self.edges = edges
        self.nodes = {node.key: node for node in nodes}
        for edge in edges:
            for key in (edge.source, edge.target):
                self.nodes.setdefault(key, Node(key, "", key, "tool"))

    def of(self, key: str) -> list[Edge]:
        return [edge for edge in self.edges if key in {edge.source, edge.target}]

    def walk(
        self,
        root: str = "a",
        *,
        depth: int = 2,
        types: frozenset[str] | None = None,
        unsupported: bool = False,
    ) -> Walk:
        return walk(
            self.nodes[root],
            self.of,
            self.nodes.get,
            depth=depth,
            types=types,
            unsupported=unsupported,
        )


def edge(source: str, target: str, effective: float = 0.9, *, unsupported: bool = False) -> Edge:
    return Edge(f"{source} uses {target}", source, "uses", target, effective, unsupported)


def visited(seen: Walk) -> list[tuple[str, int]]:
    return [(visit.node.key, visit.depth) for visit in seen.visits]


def taken(seen: Walk) -> list[tuple[str, str, str, int]]:
    return [(hop.near, hop.far, hop.direction, hop.depth) for hop in seen.hops]


def test_it_goes_deep_before_it_goes_on() -> None:
    seen = Graph(edge("a", "b"), edge("b", "c"), edge("a", "d", 0.8)).walk()

    assert visited(seen) == [("a", 0), ("b", 1), ("c", 2), ("d", 1)]


def test_both_directions_are_shown() -> None:
    seen = Graph(edge("a", "b"), edge("c", "a", 0.8)).walk()

    assert taken(seen) == [("a", "b", "out", 1), ("a", "c", "in", 1)]


def test_a_cycle_and_a_loop_end() -> None:
    seen = Graph(edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("a", "a")).walk(depth=9)

    assert visited(seen) == [("a", 0), ("b", 1), ("c", 1)]
    assert len(seen.hops) == 4


def test_depth_bounds_the_walk_but_never_hides_what_is_near() -> None:
    chain = Graph(edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("a", "c", 0.2))

    assert visited(chain.walk(depth=0)) == [("a", 0)]
    assert visited(chain.walk(depth=1)) == [("a", 0), ("b", 1), ("c", 1)]
    assert ("d", 2) in visited(chain.walk(depth=2))


def test_what_is_hardly_believed_is_left_out_and_counted() -> None:
    seen = Graph(edge("a", "b", 0.09), edge("a", "c", 0.1), edge("b", "c", 0.01)).walk()

    assert visited(seen) == [("a", 0), ("c", 1)]
    assert seen.hidden == 2


def test_a_type_filter_hides_nodes_but_does_not_stop_the_walk() -> None:
    person = Node("c", "", "c", "person")
    graph = Graph(edge("a", "b"), edge("b", "c"), nodes=[person])

    seen = graph.walk(types=frozenset({"person"}))

    assert visited(seen) == [("a", 0), ("c", 2)]
    assert taken(seen) == [("b", "c", "out", 2)]


def test_beliefs_without_support_are_left_out_unless_asked_for() -> None:
    gone = Node("c", "", "c", "tool", unsupported=True)
    graph = Graph(edge("a", "b", unsupported=True), edge("a", "c"), nodes=[gone])

    assert visited(graph.walk()) == [("a", 0)]
    assert graph.walk().hidden == 0
    assert visited(graph.walk(unsupported=True)) == [("a", 0), ("b", 1), ("c", 1)]


def test_an_edge_to_nothing_that_can_be_shown_is_left_out() -> None:
    graph = Graph(edge("a", "b"))
    root = graph.nodes["a"]

    seen = walk(root, graph.of, {"a": root}.get)

    assert seen.hops == ()


KEYS = st.sampled_from("abcdef")
EDGES = st.lists(st.builds(edge, KEYS, KEYS, st.sampled_from([0.05, 0.3, 0.9])), max_size=12)


@given(EDGES, st.integers(0, 4), st.randoms(use_true_random=False))
def test_a_walk_reaches_all_that_is_near_once_whatever_order_edges_come_in(
    edges: list[Edge], depth: int, random: object
) -> None:
    unique = list({one.key: one for one in edges}.values())
    shuffled = list(unique)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    root = Node("a", "", "a", "tool")

    seen = Graph(*unique, nodes=[root]).walk(depth=depth)

    assert seen == Graph(*shuffled, nodes=[root]).walk(depth=depth)
    assert dict(visited(seen)) == nearest(unique, depth)
    assert len(visited(seen)) == len(dict(visited(seen)))
    assert len({hop.edge.key for hop in seen.hops}) == len(seen.hops)


def nearest(edges: list[Edge], depth: int) -> dict[str, int]:
    found = {"a": 0}
    for distance in range(1, depth + 1):
        for one in edges:
            for near, far in ((one.source, one.target), (one.target, one.source)):
                if one.effective >= 0.1 and found.get(near) == distance - 1:
                    found.setdefault(far, distance)
    return found

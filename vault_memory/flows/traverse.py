"""Walking the graph from one note."""

from datetime import date

from vault_memory.core.found import TraverseAnswer, WalkEdge, WalkNode
from vault_memory.core.traverse import Hop, Visit, walk
from vault_memory.flows.believing import belief_of
from vault_memory.flows.graph_view import GraphView
from vault_memory.flows.list_graph import checked_types
from vault_memory.flows.naming import named_note
from vault_memory.flows.vault_index import VaultIndex


def traverse(
    index: VaultIndex,
    name: str,
    *,
    depth: int,
    type_filter: str,
    unsupported: bool,
    today: date,
) -> TraverseAnswer:
    """Walk depth first from the note that is named.

    Args:
        index: The open index.
        name: A note by name, alias, stem, path or id.
        depth: How many edges to follow.
        type_filter: Only notes of this type are shown; empty for all.
        unsupported: Whether to show beliefs that no evidence supports any more.
        today: The UTC day.

    Raises:
        AmbiguousError: The name fits several notes.
        NotFoundError: It fits none.
        UsageError: There is no such type.
    """
    types = checked_types(type_filter)
    view = GraphView(index, today)
    root = view.node(named_note(index, name))
    seen = walk(
        root,
        view.edges_of,
        view.node_of,
        depth=depth,
        types=types or None,
        unsupported=unsupported,
    )
    return TraverseAnswer(
        root=root.name,
        nodes=[_node(view, visit) for visit in seen.visits],
        edges=[_edge(view, hop) for hop in seen.hops],
        hidden=seen.hidden,
    )


def _node(view: GraphView, visit: Visit) -> WalkNode:
    node = visit.node
    return WalkNode(
        id=node.id or None,
        name=node.name,
        type=node.type,
        abstract=node.abstract or None,
        depth=visit.depth,
        path=_path(view, node.key),
    )


def _edge(view: GraphView, hop: Hop) -> WalkEdge:
    edge = hop.edge
    relation = view.relations.get(edge.key)
    standing = relation.standing if relation else None
    source, target = view.node_of(edge.source), view.node_of(edge.target)
    return WalkEdge(
        {
            "id": (relation.id or None) if relation else None,
            "from": source.name if source else edge.source,
            "rel": edge.rel,
            "to": target.name if target else edge.target,
            "direction": hop.direction,
            "depth": hop.depth,
            "belief": belief_of(standing, effective=edge.effective) if standing else None,
            "path": relation.path if relation else edge.source,
            "from_path": _path(view, edge.source),
            "to_path": _path(view, edge.target),
        }
    )


def _path(view: GraphView, key: str) -> str | None:
    return key if view.index.catalog.note(key) else None

"""Hybrid query: what answers best, and what hangs together with it in the graph."""

from collections.abc import Sequence
from datetime import date

from vault_memory.core.answers import About, Hit, QueryAnswer
from vault_memory.core.expansion import Reached, combined, expand
from vault_memory.core.identity import fold
from vault_memory.flows.graph_search import each_note_once, take_in
from vault_memory.flows.graph_view import GraphView
from vault_memory.flows.hits import has_keyword, hit, note_hit
from vault_memory.flows.list_graph import checked_types, supported
from vault_memory.flows.retrieve import Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted

_MOST_ABOUT = 5


def graph_query(
    index: VaultIndex,
    query: str,
    *,
    depth: int,
    episodes: bool,
    type_: str,
    keyword: str,
    limit: int,
    unsupported: bool,
    today: date,
) -> QueryAnswer:
    """Find entities and relations, then follow relations and links from the best three.

    Args:
        index: The open index, which has taken in what changed.
        query: Any text.
        depth: How many edges to follow; 0 for none.
        episodes: Whether to find turns, sources and notes too.
        type_: Only entities of this type, among the neighbours too; empty for any.
        keyword: Only what holds this word in name or abstract; empty for any.
        limit: How many hits, and how many episodes, at most.
        unsupported: Whether to find beliefs that no evidence supports any more.
        today: The UTC day.

    Raises:
        UsageError: There is no such type.
    """
    stale = take_in(index)
    types = checked_types(type_)
    direct = retrieve(index, query, Wanted(("entity", "relation"), (), unsupported))
    with index.catalog.snapshot():
        hits = _expanded(index, direct, depth=depth, unsupported=unsupported, today=today)
    hits = [
        one
        for one in hits
        if (not types or one["type"] in types)
        and (not keyword or _holds(one, keyword))
        and (unsupported or supported(one["belief"]))
    ][:limit]
    said = _episodes(index, query, keyword=keyword, limit=limit, today=today) if episodes else []
    return QueryAnswer(
        query=query,
        hits=hits,
        episodes=said,
        about=_about(direct.named, [*hits, *said]),
        stale=stale,
        notice=direct.notice or None,
    )


def _episodes(index: VaultIndex, query: str, *, keyword: str, limit: int, today: date) -> list[Hit]:
    """The turns, sources and notes that answer best; notes and sources each once."""
    found = retrieve(index, query, Wanted(("turn", "source", "note"))).found
    kept = (one for one in found if not keyword or has_keyword(one, keyword))
    once = zip(each_note_once(kept), range(limit), strict=False)
    return [hit(index, one, today) for one, _ in once]


def _expanded(
    index: VaultIndex, direct: Retrieved, *, depth: int, unsupported: bool, today: date
) -> list[Hit]:
    """The direct hits and what is reached from the best of them, best first."""
    hits = {one.note.path: hit(index, one, today) for one in each_note_once(direct.found)}
    scores = {path: one["score"] for path, one in hits.items() if one["score"] > 0}
    view = GraphView(index, today)
    reached = expand(scores, view.edges_of, depth=depth, unsupported=unsupported) if depth else {}
    for path, way in reached.items():
        if path in hits:
            one = hits[path]
            one["score"] = round(combined(one["score"], way.score), 4)
            one["found_by"].append("graph")
            one["via"] = _via(view, way)
            continue
        note = index.catalog.note(path)
        if note is not None and note.kind == "entity":
            hits[path] = note_hit(index, note, today, score=way.score)
            hits[path]["found_by"] = ["graph"]
            hits[path]["via"] = _via(view, way)
    return sorted(hits.values(), key=lambda one: (-one["score"], one["path"]))


def _via(view: GraphView, way: Reached) -> list[str]:
    """The paths of the relation notes on the way; of a link, the note that holds it."""
    return [edge.key if edge.key in view.relations else edge.source for edge in way.via]


def _holds(one: Hit, keyword: str) -> bool:
    wanted = fold(keyword.strip())
    return wanted in fold(one["name"]) or wanted in fold(one["abstract"] or one["text"])


def _about(named: Sequence[str], hits: Sequence[Hit]) -> About:
    """Whom the query names, and whom the best hits speak of or are said by."""
    found = [one["speaker"] or one["name"] for one in hits if one["kind"] != "relation"]
    return About(asked=list(named), found=list(dict.fromkeys(found))[:_MOST_ABOUT])

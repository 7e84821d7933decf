"""Hybrid query: what answers best, and what hangs together with it in the graph."""

from datetime import date
from itertools import islice

from vault_memory.core.expansion import Reached, combined, expand
from vault_memory.core.found import Hit, QueryAnswer
from vault_memory.core.identity import fold
from vault_memory.core.probability import probabilities
from vault_memory.flows.explaining import explained, told_about
from vault_memory.flows.graph_search import each_note_once, hits_of, take_in
from vault_memory.flows.graph_view import GraphView
from vault_memory.flows.hits import PLACES, has_keyword, hit, note_hit
from vault_memory.flows.likely import judged
from vault_memory.flows.list_graph import checked_types, supported
from vault_memory.flows.retrieve import Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted


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
    explain: bool,
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
        explain: Whether to say of each hit why it scores what it does.
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
    if explain:
        found = {one.note.path: one for one in reversed(direct.found)}
        for one in hits:
            one["explain"] = explained(
                index, one, found.get(one["path"]), query=query, named=direct.named
            )
    around = Retrieved()
    if episodes:
        around = judged(retrieve(index, query, Wanted(("turn", "source", "note"))))
    kept = (one for one in around.found if not keyword or has_keyword(one, keyword))
    once = islice(each_note_once(kept), limit)
    said = hits_of(index, once, around, query, explain=explain, today=today)
    return QueryAnswer(
        query=query,
        hits=hits,
        episodes=said,
        about=told_about(index, query, [direct, around], [*hits, *said]),
        stale=stale,
        notice=direct.notice or None,
    )


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
    ordered = sorted(hits.values(), key=lambda one: (-one["score"], one["path"]))
    chances = probabilities([one["score"] for one in ordered])
    for one, chance in zip(ordered, chances, strict=True):
        one["probability"] = round(chance, PLACES)
    return ordered


def _via(view: GraphView, way: Reached) -> list[str]:
    """The paths of the relation notes on the way; of a link, the note that holds it."""
    return [edge.key if edge.key in view.relations else edge.source for edge in way.via]


def _holds(one: Hit, keyword: str) -> bool:
    wanted = fold(keyword.strip())
    return wanted in fold(one["name"]) or wanted in fold(one["abstract"] or one["text"])

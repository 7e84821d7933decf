"""Hybrid query: what answers best, and what hangs together with it in the graph."""

from collections.abc import Iterator
from datetime import date
from itertools import islice

from vault_memory.core.found import QueryAnswer
from vault_memory.core.note import UnitKind
from vault_memory.flows.explaining import told_about
from vault_memory.flows.graph_search import each_note_once, hits_of, take_in
from vault_memory.flows.graph_walk import GraphWalk
from vault_memory.flows.hits import has_keyword
from vault_memory.flows.likely import judged
from vault_memory.flows.list_graph import checked_types
from vault_memory.flows.retrieve import Found, Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted

BELIEFS: tuple[UnitKind, ...] = ("entity", "relation")
"""The kinds that are answered as hits."""

TEXTS: tuple[UnitKind, ...] = ("note", "source")
"""The kinds that are answered as episodes, beside turns, and that have edges of their own."""


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
    """Find entities and relations, then follow relations and links from the best three of them.

    With ``episodes`` notes and sources are among those that the walk begins at, and those that it
    reaches are answered as episodes.

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
    wanted = Wanted((*BELIEFS, *TEXTS) if episodes else BELIEFS, (), unsupported)
    direct = retrieve(index, query, wanted)
    said = retrieve(index, query, Wanted(("turn", *TEXTS))) if episodes else Retrieved()
    with index.catalog.snapshot():
        walk = GraphWalk.of(index, direct, depth=depth, unsupported=unsupported, today=today)
        near = judged(walk.added_to(direct, BELIEFS))
        around = judged(walk.added_to(said, ("turn", *TEXTS))) if episodes else said

    def best(retrieved: Retrieved) -> Iterator[Found]:
        kept = (
            one
            for one in retrieved.found
            if (not types or one.unit.kind not in BELIEFS or one.note.type in types)
            and (not keyword or has_keyword(one, keyword))
        )
        return islice(each_note_once(kept), limit)

    hits = hits_of(index, best(near), near, query, explain=explain, today=today)
    heard = hits_of(index, best(around), around, query, explain=explain, today=today)
    return QueryAnswer(
        query=query,
        hits=hits,
        episodes=heard,
        about=told_about(index, query, [direct, said], [*hits, *heard]),
        stale=stale,
        notice=direct.notice or None,
    )

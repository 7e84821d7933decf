"""Semantic search: the notes that answer a query best."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date
from itertools import islice

from vault_memory.core.found import Hit, SearchAnswer
from vault_memory.core.note import UnitKind
from vault_memory.errors import LockedError, StorageError
from vault_memory.flows.embed import embed, pending
from vault_memory.flows.explaining import explained, told_about
from vault_memory.flows.hits import has_keyword, hit
from vault_memory.flows.likely import judged
from vault_memory.flows.list_graph import checked_types
from vault_memory.flows.retrieve import CANDIDATES, Found, Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted
from vault_memory.vault.lock import embed_lock

UNIT_OF: dict[str, UnitKind] = {
    "entity": "entity",
    "relation": "relation",
    "conversation": "turn",
    "source": "source",
    "note": "note",
}
"""The kind of a unit by the kind of its note."""

MOST_NOTES = 20
MOST_NS = 2_000_000_000
"""What a search takes in of changed notes before it answers; the rest is stale."""

_FILTERED = 4_000
"""Candidates when a filter on words will drop most of them."""


def graph_search(
    index: VaultIndex,
    query: str,
    *,
    kinds: Sequence[str],
    type_: str,
    keyword: str,
    limit: int,
    unsupported: bool,
    explain: bool,
    today: date,
) -> SearchAnswer:
    """Find the notes that answer a query best, each once; a turn of a conversation by itself.

    Args:
        index: The open index, which has taken in what changed.
        query: Any text.
        kinds: Kinds of notes.
        type_: Only entities of this type; empty for any.
        keyword: Only what holds this word in name or abstract; empty for any.
        limit: How many hits at most.
        unsupported: Whether to find beliefs that no evidence supports any more.
        explain: Whether to say of each hit why it scores what it does.
        today: The UTC day.

    Raises:
        UsageError: There is no such type.
    """
    stale = take_in(index)
    wanted = Wanted(
        kinds=[UNIT_OF[kind] for kind in kinds],
        types=checked_types(type_),
        unsupported=unsupported,
    )
    most = _FILTERED if keyword else CANDIDATES
    retrieved = judged(retrieve(index, query, wanted, most=most))
    found = each_note_once(f for f in retrieved.found if not keyword or has_keyword(f, keyword))
    hits = hits_of(index, islice(found, limit), retrieved, query, explain=explain, today=today)
    return SearchAnswer(
        query=query,
        hits=hits,
        about=told_about(index, query, [retrieved], hits),
        stale=stale,
        notice=retrieved.notice or None,
    )


def hits_of(
    index: VaultIndex,
    found: Iterable[Found],
    retrieved: Retrieved,
    query: str,
    *,
    explain: bool,
    today: date,
) -> list[Hit]:
    """What was found as it is answered, explained if that is wanted."""
    hits = []
    for one in found:
        shown = hit(index, one, today)
        if explain:
            shown["explain"] = explained(index, shown, one, query=query, named=retrieved.named)
        hits.append(shown)
    return hits


def take_in(index: VaultIndex) -> int:
    """Embed a little of what is pending; answer how many notes are not wholly indexed then.

    When another process embeds, that is left to it.
    """
    if index.model_problem or not index.writable or not pending(index):
        return index.catalog.pending_note_count()
    began = index.clock_ns()
    with ExitStack() as held:
        try:
            held.enter_context(embed_lock(index.folder, timeout_seconds=0))
        except LockedError:
            return index.catalog.pending_note_count()
        try:
            return embed(
                index, most_notes=MOST_NOTES, enough=lambda: index.clock_ns() - began > MOST_NS
            ).left
        except StorageError as refused:
            index.notify(f"{refused.problem}: answering from what was known before")
            return index.catalog.pending_note_count()


def each_note_once(found: Iterable[Found]) -> Iterator[Found]:
    """The best unit of each note, but every turn, in order."""
    seen: set[int] = set()
    for one in found:
        if one.unit.kind == "turn":
            yield one
        elif one.note.key not in seen:
            seen.add(one.note.key)
            yield one

"""The units that answer a query best, by meaning and by words."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vault_memory.core.dates import dates_in, is_of
from vault_memory.core.ranking import DENSE_WEIGHT, Candidate, Ranked, fuse
from vault_memory.core.readable import READ, may_be_unread, weight_of_meaning
from vault_memory.flows.named import named_in
from vault_memory.flows.second_look import second_look
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow, UnitRow, Wanted

if TYPE_CHECKING:
    from vault_memory.index.embedder import ReadQuery
    from vault_memory.index.tokens import TokenVectors

CANDIDATES = 200
"""How many of the best by meaning, and by words, are ranked together."""


@dataclass(frozen=True, slots=True)
class Found:
    """A unit that was found, with its note and what found it.

    Attributes:
        unit: What was found.
        note: Where it stands.
        ranked: Its score.
        cosine: Of its vector with the query's; None when one of them has none.
        probability: Of its answering the query, within [0, 1]; 0 until it is judged.
        via: The paths of the notes that led to it over the graph, in order.
    """

    unit: UnitRow
    note: NoteRow
    ranked: Ranked
    cosine: float | None = None
    probability: float = 0.0
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found, best first.

    Attributes:
        found: The units.
        named: The names of the entities and speakers that the query names.
        closer: A speaker whose words fit the query better than those of the one that it names;
            empty when there is none.
        notice: What kept the search from being whole; empty for nothing.
    """

    found: tuple[Found, ...] = ()
    named: tuple[str, ...] = ()
    closer: str = ""
    notice: str = ""


def retrieve(index: VaultIndex, query: str, wanted: Wanted, *, most: int = CANDIDATES) -> Retrieved:
    """Find and rank units; without a model by their words alone.

    Args:
        index: The open index.
        query: Any text; no character in it is an operator.
        wanted: Which units.
        most: How many of the best by meaning, and by words, to rank.
    """
    if not query.strip():
        return Retrieved()
    read = _read(index, query)
    words = index.catalog.by_words(query, wanted, limit=most)
    worded = frozenset(unit for unit, _ in words.best)
    meaning = _by_meaning(index, query, read, wanted=wanted, most=most, also=worded)
    nearest, cosines = meaning.nearest, meaning.cosines
    with index.catalog.snapshot():
        units = index.catalog.units_by_id({*nearest, *worded})
        notes = index.catalog.notes_by_key({unit.note for unit in units.values()})
        near = index.catalog.neighbours(units)
        named = named_in(index, query, units.values())
    dates = dates_in(query)
    candidates = [
        Candidate(
            id=unit.id,
            cosine=cosines.get(unit.id),
            words=words.scores.of(unit.id) / words.highest if words.highest else 0.0,
            dense=unit.id in nearest,
            read=_readable(index, unit) if read else 1.0,
            named=named.owns(unit),
            dated=bool(dates) and is_of(unit.date, dates),
            turn=unit.kind == "turn",
            previous=near[unit.id][0],
            next=near[unit.id][1],
            order=(notes[unit.note].path, unit.ordinal),
        )
        for unit in units.values()
    ]
    looked = second_look(
        index,
        query,
        fuse(candidates, dense_weight=weight_of_meaning(DENSE_WEIGHT, meaning.share)),
        units,
        near=near,
        tokens=meaning.tokens,
        meaning=min(1.0, meaning.share / READ),
        speaker=named.speaker,
    )
    found = tuple(
        Found(units[one.id], notes[units[one.id].note], one, cosines.get(one.id))
        for one in looked.ranked
    )
    return Retrieved(found, named.names, looked.closer, meaning.notice)


def _readable(index: VaultIndex, unit: UnitRow) -> float:
    """What the meaning of a unit's text counts for."""
    if not may_be_unread(unit.text):
        return 1.0
    return weight_of_meaning(1.0, index.embedder.read_share(unit.text))


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What the model says of a query.

    Attributes:
        nearest: The units nearest to it.
        cosines: Of these and of others that were asked for.
        share: How much of the query it can read.
        tokens: The vectors of the query's tokens, if there are any.
        notice: What kept the model from being asked.
    """

    nearest: frozenset[int] = frozenset()
    cosines: Mapping[int, float] = field(default_factory=dict)
    share: float = 1.0
    tokens: "TokenVectors | None" = None
    notice: str = ""


def _read(index: VaultIndex, query: str) -> "ReadQuery | None":
    """What the model makes of a query; None without a model or anything to compare it with.

    It comes before the words: they are scored faster when numpy is loaded.
    """
    if index.model_problem or not index.catalog.facts().get("rows"):
        return None
    return index.embedder.read_query(query)


def _by_meaning(
    index: VaultIndex,
    query: str,
    read: "ReadQuery | None",
    *,
    wanted: Wanted,
    most: int,
    also: Collection[int],
) -> _Meaning:
    if read is None:
        problem = index.model_problem
        return _Meaning(notice=f"Searching by words alone: {problem}" if problem else "")
    best, others = index.vectors.search(read.vector, most, wanted, also=also)
    nearest = frozenset(unit for unit, _ in best)
    share = index.embedder.read_share(query)
    return _Meaning(nearest, others | dict(best), share, read.tokens)

"""A second look at the turns that were found: their tokens beside the query's, and one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vault_memory.core.about import closer_speaker
from vault_memory.core.identity import fold
from vault_memory.core.ranking import Ranked
from vault_memory.core.rerank import NEIGHBOUR, Alike, Turn, rerank
from vault_memory.flows.packed_tokens import packed_tokens
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import UnitRow

if TYPE_CHECKING:
    from vault_memory.index.tokens import TokenVectors

MOST_TURNS = 100
"""How many of the best turns are looked at again."""

Neighbours = Mapping[int, tuple[int | None, int | None]]
"""The numbers of the units before and after a unit in its note."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of a second look.

    Attributes:
        ranked: What was found in its new order.
        closer: A speaker whose words fit the query better than those of the one that it names;
            empty when there is none.
    """

    ranked: list[Ranked]
    closer: str = ""


def second_look(
    index: VaultIndex,
    query: str,
    ranked: Sequence[Ranked],
    units: Mapping[int, UnitRow],
    *,
    near: Neighbours,
    tokens: "TokenVectors | None",
    meaning: float,
    speaker: str,
) -> Looked:
    """Put the best turns in a new order; they change places among themselves only.

    A turn gets the score of the place it comes to, and ``again`` among its parts is what that
    differs from its own.

    Args:
        index: The open index.
        query: What was asked.
        ranked: What was found, best first.
        units: The units by number.
        near: The neighbours of each.
        tokens: Those of the query; None when they have no vectors.
        meaning: What a second look counts for; 1 when the model can read the query.
        speaker: The folded name of the one speaker that the query names; empty when there is none.
    """
    places = [at for at, one in enumerate(ranked) if units[one.id].kind == "turn"][:MOST_TURNS]
    if len(places) < 2:
        return Looked(list(ranked))
    chosen = [ranked[at] for at in places]
    alike = _alike(index, [units[one.id] for one in chosen], near, tokens)
    turns = [
        Turn(
            id=one.id,
            first=one.score,
            session=units[one.id].note,
            text=units[one.id].text.removeprefix(f"{units[one.id].speaker}: "),
            dated="date" in one.found_by,
            other=bool(speaker) and fold(units[one.id].speaker) != speaker,
            alike=alike.get(one.id),
        )
        for one in chosen
    ]
    by_id = {one.id: one for one in chosen}
    looked = list(ranked)
    for at, (unit, again) in zip(places, rerank(query, turns, meaning=meaning), strict=True):
        own, score = by_id[unit], ranked[at].score
        parts = own.parts | {"again": score - own.score}
        looked[at] = replace(own, score=score, parts=parts, again=again)
    return Looked(looked, _closer(speaker, turns, units))


def _closer(speaker: str, turns: Sequence[Turn], units: Mapping[int, UnitRow]) -> str:
    said = [(units[turn.id].speaker, turn.alike.own) for turn in turns if turn.alike]
    return closer_speaker(speaker, said) if speaker else ""


def _alike(
    index: VaultIndex,
    turns: Sequence[UnitRow],
    near: Neighbours,
    tokens: "TokenVectors | None",
) -> dict[int, Alike]:
    """How alike each turn is to the query; empty unless all can be compared."""
    if tokens is None or not len(tokens.weights):
        return {}
    beside = {unit for turn in turns for unit in near[turn.id] if unit is not None}
    own = {turn.id: turn for turn in turns}
    around = own | index.catalog.units_by_id(beside - own.keys())
    packed = packed_tokens(index, [unit for unit in around.values() if unit.kind == "turn"])
    if any(turn.text not in packed for turn in turns):
        return {}
    texts = {unit.id: unit.text for unit in around.values() if unit.text in packed}
    return _measured({unit: packed[text] for unit, text in texts.items()}, turns, near, tokens)


def _measured(
    packed: Mapping[int, bytes], turns: Sequence[UnitRow], near: Neighbours, tokens: "TokenVectors"
) -> dict[int, Alike]:
    import numpy as np

    from vault_memory.index.tokens import most_alike

    rows, found = most_alike(tokens, packed)
    absent = len(rows)
    found = np.vstack([found, np.full((1, found.shape[1]), -1.0, np.float32)])
    own = found[[rows[turn.id] for turn in turns]]
    before, behind = (
        NEIGHBOUR * found[[rows.get(near[turn.id][side] or -1, absent) for turn in turns]]
        for side in (0, 1)
    )
    with_before = np.maximum(own, before)
    around = np.maximum(with_before, behind)
    share = tokens.weights / tokens.weights.sum()
    columns = (own.mean(axis=1), with_before @ share, around @ share)
    return {
        turn.id: Alike(*(float(column[at]) for column in columns)) for at, turn in enumerate(turns)
    }

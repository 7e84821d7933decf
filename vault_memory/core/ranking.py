"""The first stage of ranking: meaning, words, names and dates brought into one order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

DENSE_WEIGHT = 0.5
"""How much of a score is meaning, the rest being words."""

FULL_WORDS = 0.5
"""The part of what a query's words could score at which words say all they can.

Against the best that was found, as meaning is, a chance word of a paraphrase would count in full:
on twenty notes and fifteen paraphrases that put four right notes behind the third place, this none.
"""

NAMED = 0.2
DATED = 0.15
PREVIOUS = 0.05
NEXT = 0.25

SPOKEN = 0.9
"""What a turn's score counts beside those of other units, which have no neighbours to add to it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may answer a query.

    Attributes:
        id: The unit's number.
        cosine: Of its vector with the query's; None when it has no vector yet.
        words: The BM25 score of its words with the query's, as a part of the most that the query's
            words could score; 0 when it holds none of them.
        dense: Whether it is among the best by meaning.
        read: The part of its meaning that counts: less than 1 when the model cannot read its text.
        named: Whether it belongs to the one entity that the query names.
        dated: Whether the query names a day or month and this is of it.
        turn: Whether it is a turn of a conversation, which its neighbours speak for.
        previous: The number of the unit before it in its note; None for the first.
        next: The number of the unit behind it; None for the last.
        order: Decides between equal scores before the number does, such as path and place.
    """

    id: int
    cosine: float | None = None
    words: float = 0.0
    dense: bool = False
    read: float = 1.0
    named: bool = False
    dated: bool = False
    turn: bool = False
    previous: int | None = None
    next: int | None = None
    order: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score.

    Attributes:
        id: The unit's number.
        score: The sum of ``parts``.
        parts: What each signal adds: ``dense``, ``lexical``, ``name``, ``date``, ``context``; for
            a turn that was ranked again, ``again`` for the place it came to.
        found_by: The signals that found it, of ``dense``, ``lexical``, ``name`` and ``date``.
        again: What each signal added when it was ranked again; empty when it was not.
    """

    id: int
    score: float
    parts: dict[str, float] = field(default_factory=dict)
    found_by: tuple[str, ...] = ()
    again: dict[str, float] = field(default_factory=dict)


def fuse(candidates: Sequence[Candidate], *, dense_weight: float = DENSE_WEIGHT) -> list[Ranked]:
    """Return the candidates in order, best first; equal ones by ``order`` and number.

    ``w * minmax(cosine) * read + (1 - w) * min(1, 2 * words) + 0.2 named + 0.15 dated``, and for
    turns ``0.05 * score(previous) + 0.25 * score(next)`` on top, a neighbour that is no candidate
    scoring 0; all of it times 0.9, since other units have no neighbours to add to theirs.

    Args:
        candidates: The union of the best by meaning and by words, after filters.
        dense_weight: The part of meaning, within [0, 1].
    """
    known = [one.cosine for one in candidates if one.cosine is not None]
    worst = min(known, default=0.0)
    cosines = minmax(worst if one.cosine is None else one.cosine for one in candidates)
    words = [min(1.0, one.words / FULL_WORDS) for one in candidates]
    parts = [
        {
            "dense": dense_weight * cosine * one.read,
            "lexical": (1 - dense_weight) * word,
            "name": NAMED * one.named,
            "date": DATED * one.dated,
        }
        for one, cosine, word in zip(candidates, cosines, words, strict=True)
    ]
    alone = {one.id: sum(part.values()) for one, part in zip(candidates, parts, strict=True)}
    for one, part in zip(candidates, parts, strict=True):
        part["context"] = _context(one, alone) if one.turn else 0.0
        if one.turn:
            part.update((signal, SPOKEN * adds) for signal, adds in part.items())
    ranked = [
        (Ranked(one.id, sum(part.values()), part, _found_by(one)), one.order)
        for one, part in zip(candidates, parts, strict=True)
    ]
    ranked.sort(key=lambda pair: (-pair[0].score, pair[1], pair[0].id))
    return [one for one, _ in ranked]


def minmax(values: Iterable[float]) -> list[float]:
    """Return the values brought to [0, 1]; all 0 when they are equal."""
    listed = list(values)
    low, high = min(listed, default=0.0), max(listed, default=0.0)
    span = high - low
    return [(value - low) / span for value in listed] if span > 0 else [0.0] * len(listed)


def _context(one: Candidate, alone: dict[int, float]) -> float:
    before = alone.get(one.previous, 0.0) if one.previous is not None else 0.0
    behind = alone.get(one.next, 0.0) if one.next is not None else 0.0
    return PREVIOUS * before + NEXT * behind


def _found_by(one: Candidate) -> tuple[str, ...]:
    ways = (("dense", one.dense), ("lexical", one.words > 0), ("name", one.named))
    return tuple(way for way, found in (*ways, ("date", one.dated)) if found)

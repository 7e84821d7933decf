"""Search by words: BM25 over the postings, for a query in which no character is an operator."""

import json
import math
import sys
from collections.abc import Collection, Sequence
from typing import NamedTuple

from vault_memory.index.database import DamagedIndexError, Database
from vault_memory.index.phrases import score_phrase
from vault_memory.index.postings import ENTRY, read_word, unpacked
from vault_memory.index.rows import UNIT_KINDS, Wanted
from vault_memory.index.scores import FewScores, ManyScores, Scores
from vault_memory.index.words import query_words

K1 = 0.9
B = 0.4

_BLOCK = 16_384
"""Entries that are scored at once."""


class ByWords(NamedTuple):
    """What a query's words say of the units.

    Attributes:
        best: The best units, as number and score, best first.
        scores: The scores of all units of the wanted kinds.
        highest: What no score can pass: every word held without end. A word that nothing holds
            counts too, so that what answers half of a query is known to.
    """

    best: list[tuple[int, float]]
    scores: Scores
    highest: float


def by_words(
    database: Database, query: str, wanted: Wanted | None = None, *, limit: int
) -> ByWords:
    """Find the best units for a query, by BM25.

    A score is ``idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))``, summed over
    the distinct words of the query, with ``idf = ln(1 + (n - df + 0.5) / (df + 0.5))`` (Robertson
    and Zaragoza, 2009). Numbers of units and lengths are those of the kinds searched. A word's
    terms count as one: a unit holds it as often as all of them. Equal scores come in order of path
    and place in the note. A query made of stop words alone is looked for as a phrase and by how
    many of its words a unit holds.

    Args:
        database: The open index.
        query: Any text.
        wanted: Which units; all supported ones by default.
        limit: How many at most.
    """
    wanted = wanted or Wanted()
    words = query_words(query)
    if not words:
        phrase = FewScores(score_phrase(database, query, wanted.kinds))
        best = _best(database, phrase, wanted, limit)
        return ByWords(best, phrase, max((score for _, score in best), default=0.0))
    codes = {code for code, kind in enumerate(UNIT_KINDS) if kind in wanted.kinds}
    units, mean_length = _corpus(database, codes)
    if not units:
        return ByWords([], FewScores({}), 0.0)
    postings = _of_units(database, [read_word(database, word) for word in words])
    score = _score_in_bulk if "numpy" in sys.modules else _score_one_by_one
    try:
        scores, highest = score(postings, codes, units, mean_length)
    except IndexError as error:
        raise DamagedIndexError(database.path, "its full text is damaged") from error
    return ByWords(_best(database, scores, wanted, limit), scores, highest)


def _of_units(database: Database, postings: Sequence[bytes]) -> Sequence[bytes]:
    """Return postings after making sure that the last of each is of a unit that there was.

    Raises:
        DamagedIndexError: It is not.
    """
    found = database.one("SELECT value FROM meta WHERE key = 'next_unit'")
    end = int(found[0]) if found else 1
    if any(ENTRY.unpack_from(blob, len(blob) - ENTRY.size)[0] >= end for blob in postings if blob):
        raise DamagedIndexError(database.path, "its full text is damaged")
    return postings


def _corpus(database: Database, codes: Collection[int]) -> tuple[int, float]:
    """Return how many units there are and how many terms they have on average, at least one."""
    rows = database.all("SELECT kind, units, terms FROM lengths")
    units = sum(number for code, number, _ in rows if code in codes)
    length = sum(terms for code, _, terms in rows if code in codes)
    return units, max(1.0, length / units) if units else 1.0


def _weight(units: int, holders: int) -> float:
    return (K1 + 1) * math.log1p((units - holders + 0.5) / (holders + 0.5))


def _score_one_by_one(
    postings: Sequence[bytes], codes: Collection[int], units: int, mean_length: float
) -> tuple[Scores, float]:
    """Return all scores, and what none can pass."""
    fixed, slope = K1 * (1 - B), K1 * B / mean_length
    everything = len(codes) == len(UNIT_KINDS)
    scores: dict[int, float] = {}
    highest = 0.0
    for blob in postings:
        entries = unpacked(blob)
        if not everything:
            entries = [entry for entry in entries if entry[3] in codes]
        weight = _weight(units, len(entries))
        highest += weight
        for unit, length, frequency, _ in entries:
            score = weight * frequency / (frequency + (fixed + slope * length))
            scores[unit] = scores.get(unit, 0.0) + score
    return FewScores(scores), highest


def _score_in_bulk(
    postings: Sequence[bytes], codes: Collection[int], units: int, mean_length: float
) -> tuple[Scores, float]:
    """Return exactly what ``_score_one_by_one`` does, for when numpy is loaded anyway.

    Frequent words are held by many units, so it goes by blocks that stay in the processor's cache.
    """
    import numpy as np

    held = [blob for blob in postings if blob]
    fixed, slope = K1 * (1 - B), K1 * B / mean_length
    entry = np.dtype([("unit", "<u4"), ("length", "<u2"), ("frequency", "u1"), ("kind", "u1")])
    is_wanted = np.zeros(256, dtype=np.bool_)
    is_wanted[list(codes)] = True
    scores = ManyScores(
        min((ENTRY.unpack_from(blob)[0] for blob in held), default=0),
        max((ENTRY.unpack_from(blob, len(blob) - ENTRY.size)[0] for blob in held), default=0),
    )
    highest = 0.0
    for blob in postings:
        entries = np.frombuffer(blob, entry)
        if len(codes) < len(UNIT_KINDS):
            entries = entries[is_wanted[entries["kind"]]]
        weight = _weight(units, len(entries))
        highest += weight
        for at in range(0, len(entries), _BLOCK):
            block = entries[at : at + _BLOCK]
            frequency = block["frequency"].astype(np.float64)
            norm = frequency + (fixed + slope * block["length"])
            scores.add(block["unit"], weight * frequency / norm)
    return scores, highest


def _best(
    database: Database, scores: Scores, wanted: Wanted, limit: int
) -> list[tuple[int, float]]:
    near: dict[int, float] = {}
    places: dict[int, tuple[str, int]] = {}
    most = limit
    while len(places) < limit and len(near) < len(scores):
        near = scores.best(most)
        places = _places(database, list(near), wanted)
        most *= 4
    best = sorted((-near[unit], *place, unit) for unit, place in places.items())
    return [(unit, -negative) for negative, _, _, unit in best[:limit]]


def _places(database: Database, units: Sequence[int], wanted: Wanted) -> dict[int, tuple[str, int]]:
    """Return path and place of those units that are wanted."""
    conditions, values = "", list[object]()
    if wanted.types:
        conditions += f" AND n.type IN ({','.join('?' * len(wanted.types))})"
        values += wanted.types
    if not wanted.unsupported:
        conditions += " AND NOT n.unsupported"
    rows = database.all(
        "SELECT u.id, n.path, u.ordinal FROM units u JOIN notes n ON n.key = u.note"
        f" WHERE u.id IN (SELECT value FROM json_each(?)){conditions}",
        [json.dumps(units), *values],
    )
    return {unit: (str(path), ordinal) for unit, path, ordinal in rows}

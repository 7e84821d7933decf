"""Search by words: BM25 over the postings, for a query in which no character is an operator."""

import json
import math
import sys
from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest

from vault_memory.index.database import Database
from vault_memory.index.phrases import score_phrase
from vault_memory.index.postings import ENTRY, read_word, unpacked
from vault_memory.index.rows import UNIT_KINDS, Wanted
from vault_memory.index.words import query_words

K1 = 0.9
B = 0.4


def score_words(database: Database, query: str, kinds: Collection[str]) -> dict[int, float]:
    """Return the BM25 score of every unit of these kinds that holds a term of the query.

    ``idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))``, summed over the
    distinct words of the query, with ``idf = ln(1 + (n - df + 0.5) / (df + 0.5))`` (Robertson and
    Zaragoza, 2009). Numbers of units and lengths are those of the kinds searched. A word's terms
    count as one: a unit holds it as often as all of them.
    """
    codes = {code for code, kind in enumerate(UNIT_KINDS) if kind in kinds}
    units, mean_length = _corpus(database, codes)
    if not units:
        return {}
    postings = [read_word(database, word) for word in query_words(query)]
    score = _score_in_bulk if "numpy" in sys.modules else _score_one_by_one
    return score(postings, codes, units, mean_length)


def highest_score(database: Database, query: str, kinds: Collection[str]) -> float:
    """Return what no unit of these kinds can pass: every word of the query held without end.

    A word that nothing holds counts too, so that what answers half of a query is known to.
    """
    codes = {code for code, kind in enumerate(UNIT_KINDS) if kind in kinds}
    units, _ = _corpus(database, codes)
    most = 0.0
    for word in query_words(query):
        kinds_held = read_word(database, word)[ENTRY.size - 1 :: ENTRY.size]
        most += _weight(units, sum(kinds_held.count(code) for code in codes))
    return most


def search_words(
    database: Database, query: str, wanted: Wanted | None = None, *, limit: int
) -> list[tuple[int, float]]:
    """Return the best units for a query, as number and score, best first.

    Equal scores come in order of path and place in the note. A query made of stop words alone is
    looked for as a phrase and by how many of its words a unit holds.

    Args:
        database: The open index.
        query: Any text.
        wanted: Which units; all supported ones by default.
        limit: How many at most.
    """
    wanted = wanted or Wanted()
    scores = score_words(database, query, wanted.kinds)
    if not scores and not query_words(query):
        scores = score_phrase(database, query, wanted.kinds)
    return _best(database, scores, wanted, limit)


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
) -> dict[int, float]:
    fixed, slope = K1 * (1 - B), K1 * B / mean_length
    everything = len(codes) == len(UNIT_KINDS)
    scores: dict[int, float] = {}
    for blob in postings:
        entries = unpacked(blob)
        if not everything:
            entries = [entry for entry in entries if entry[3] in codes]
        weight = _weight(units, len(entries))
        for unit, length, frequency, _ in entries:
            score = weight * frequency / (frequency + (fixed + slope * length))
            scores[unit] = scores.get(unit, 0.0) + score
    return scores


def _score_in_bulk(
    postings: Sequence[bytes], codes: Collection[int], units: int, mean_length: float
) -> dict[int, float]:
    """Return exactly what ``_score_one_by_one`` does, for when numpy is loaded anyway."""
    import numpy as np

    fixed, slope = K1 * (1 - B), K1 * B / mean_length
    entry = np.dtype([("unit", "<u4"), ("length", "<u2"), ("frequency", "u1"), ("kind", "u1")])
    found, scores = [], []
    for blob in postings:
        entries = np.frombuffer(blob, entry)
        if len(codes) < len(UNIT_KINDS):
            entries = entries[np.isin(entries["kind"], list(codes))]
        frequency = entries["frequency"].astype(np.float64)
        weight = _weight(units, len(entries))
        found.append(entries["unit"])
        scores.append(weight * frequency / (frequency + (fixed + slope * entries["length"])))
    if not found:
        return {}
    numbers, places = np.unique(np.concatenate(found), return_inverse=True)
    sums = np.bincount(places, np.concatenate(scores), len(numbers))
    return dict(zip(numbers.tolist(), sums.tolist(), strict=True))


def _best(
    database: Database, scores: Mapping[int, float], wanted: Wanted, limit: int
) -> list[tuple[int, float]]:
    places: dict[int, tuple[str, int]] = {}
    looked_at, most = 0, limit
    while len(places) < limit and looked_at < len(scores):
        least = min(nlargest(most, scores.values()))
        near = [unit for unit, score in scores.items() if score >= least]
        places = _places(database, near, wanted)
        looked_at, most = len(near), most * 4
    best = sorted((-scores[unit], *place, unit) for unit, place in places.items())
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

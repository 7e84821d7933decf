"""Search by words: BM25 over the postings, for a query in which no character is an operator."""

import math
from collections.abc import Collection, Mapping, Sequence

from vault_memory.index.database import Database
from vault_memory.index.postings import read_postings, unpacked
from vault_memory.index.rows import UNIT_KINDS, Wanted
from vault_memory.index.words import is_unspaced, plain_words, query_terms

K1 = 0.9
B = 0.4

LIMIT = 200

Entries = Sequence[tuple[int, int, int, int]]


def score_words(database: Database, query: str, kinds: Collection[str]) -> dict[int, float]:
    """Return the BM25 score of every unit of these kinds that holds a term of the query.

    ``idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))``, summed over the
    distinct terms of the query, with ``idf = ln(1 + (n - df + 0.5) / (df + 0.5))`` (Robertson and
    Zaragoza, 2009). Numbers of units and lengths are those of the kinds searched.
    """
    codes = {code for code, kind in enumerate(UNIT_KINDS) if kind in kinds}
    units, mean_length = _corpus(database, codes)
    scores: dict[int, float] = {}
    if not units:
        return scores
    fixed, slope = K1 * (1 - B), K1 * B / mean_length
    for term in query_terms(query):
        entries = _entries(database, term, codes)
        weight = (K1 + 1) * math.log1p((units - len(entries) + 0.5) / (len(entries) + 0.5))
        for unit, length, frequency, _ in entries:
            score = weight * frequency / (frequency + fixed + slope * length)
            scores[unit] = scores.get(unit, 0.0) + score
    return scores


def search_words(
    database: Database, query: str, wanted: Wanted | None = None, *, limit: int = LIMIT
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
    if not scores and not query_terms(query):
        scores = _score_stop_words(database, query, wanted.kinds)
    return _best(database, scores, wanted, limit)


def _corpus(database: Database, codes: Collection[int]) -> tuple[int, float]:
    """Return how many units there are and how many terms they have on average, at least one."""
    rows = database.all("SELECT kind, units, terms FROM lengths")
    units = sum(number for code, number, _ in rows if code in codes)
    length = sum(terms for code, _, terms in rows if code in codes)
    return units, max(1.0, length / units) if units else 1.0


def _entries(database: Database, term: str, codes: Collection[int]) -> Entries:
    alone = len(term) == 1 and is_unspaced(term)
    entries = unpacked(database, read_postings(database, term, prefix=alone))
    if len(codes) < len(UNIT_KINDS):
        entries = [entry for entry in entries if entry[3] in codes]
    if not alone:
        return entries
    summed: dict[int, tuple[int, int, int, int]] = {}
    for unit, length, frequency, kind in entries:
        earlier = summed[unit][2] if unit in summed else 0
        summed[unit] = (unit, length, earlier + frequency, kind)
    return list(summed.values())


def _score_stop_words(database: Database, query: str, kinds: Collection[str]) -> dict[int, float]:
    words = plain_words(query)
    if not words:
        return {}
    longest = max(words, key=len)
    rows = database.all(
        f"SELECT id, text FROM units WHERE kind IN ({_marks(kinds)}) AND text LIKE ?",
        (*kinds, f"%{longest.replace(chr(39), '_')}%"),
    )
    phrase = f" {' '.join(words)} "
    scores: dict[int, float] = {}
    for unit, text in rows:
        held = plain_words(text)
        share = len(set(words).intersection(held)) / len(set(words))
        if share:
            scores[unit] = share + (phrase in f" {' '.join(held)} ")
    return scores


def _best(
    database: Database, scores: Mapping[int, float], wanted: Wanted, limit: int
) -> list[tuple[int, float]]:
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    best: list[tuple[float, str, int, int]] = []
    at = 0
    while at < len(ranked) and len(best) < limit:
        end = min(len(ranked), at + 2 * limit)
        while end < len(ranked) and ranked[end][1] == ranked[end - 1][1]:
            end += 1
        places = _places(database, [unit for unit, _ in ranked[at:end]], wanted)
        best += [(-score, *places[unit], unit) for unit, score in ranked[at:end] if unit in places]
        at = end
    best.sort()
    return [(unit, -negative) for negative, _, _, unit in best[:limit]]


def _places(database: Database, units: Sequence[int], wanted: Wanted) -> dict[int, tuple[str, int]]:
    """Return path and place of those units that are wanted."""
    conditions, values = "", list[object]()
    if wanted.types:
        conditions += f" AND n.type IN ({_marks(wanted.types)})"
        values += wanted.types
    if not wanted.unsupported:
        conditions += " AND NOT n.unsupported"
    rows = database.all(
        "SELECT u.id, n.path, u.ordinal FROM units u JOIN notes n ON n.key = u.note"
        f" WHERE u.id IN ({','.join(map(str, units))}){conditions}",
        values,
    )
    return {unit: (str(path), ordinal) for unit, path, ordinal in rows}


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))

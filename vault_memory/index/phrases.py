"""Search for a query that is nothing but stop words, such as the name of a band, by its words."""

from collections.abc import Collection

from vault_memory.index.database import Database, Row
from vault_memory.index.words import plain_words

_MOST = 2000
_LONGEST = 500
"""Characters of a query that are looked for; SQLite takes no pattern without end."""


def score_phrase(database: Database, query: str, kinds: Collection[str]) -> dict[int, float]:
    """Return a score for units by the words of a query that they hold, as they stand.

    It is the share of the query's words that a unit holds, and one more when they stand in it as a
    phrase. Units that may hold the phrase are looked at first, then those that may hold all words,
    then one word; at most 2,000, in order of path. Of a query only the beginning counts.
    """
    words = plain_words(query[:_LONGEST])
    if not words:
        return {}
    distinct = sorted(set(words), key=lambda word: (-len(word), word))
    phrase = f" {' '.join(words)} "
    for needed in ([" ".join(words)], distinct, distinct[:1]):
        scores: dict[int, float] = {}
        for unit, text in _holding(database, needed, kinds):
            held = plain_words(text)
            share = len(set(distinct).intersection(held)) / len(distinct)
            if share:
                scores[unit] = share + (phrase in f" {' '.join(held)} ")
        if scores:
            return scores
    return {}


def _holding(database: Database, needed: Collection[str], kinds: Collection[str]) -> list[Row]:
    """Return number and text of units that seem to hold all of these; an apostrophe fits any."""
    likes = " AND u.text LIKE ?" * len(needed)
    patterns = [f"%{words.replace(chr(39), '_')}%" for words in needed]
    return database.all(
        "SELECT u.id, u.text FROM units u JOIN notes n ON n.key = u.note"
        f" WHERE u.kind IN ({','.join('?' * len(kinds))}){likes}"
        " ORDER BY n.path, u.ordinal LIMIT ?",
        (*kinds, *patterns, _MOST),
    )

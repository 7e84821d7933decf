"""Which of a query's words a unit holds, said in the query's own words."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from vault_memory.index.characters import is_unspaced
from vault_memory.index.database import Database
from vault_memory.index.postings import IndexedUnit, indexed_terms, read_postings
from vault_memory.index.words import Forms, query_words, terms

_EDGES = ".,;:!?\"'()[]{}<>\u201c\u201d\u2018\u2019\u00bf\u00a1"


@dataclass(frozen=True, slots=True)
class Matched:
    """The words of a query that count, in its order, each once.

    Attributes:
        held: Those of which the unit holds a term.
        missing: The others.
    """

    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def matched_words(
    query: str,
    units: Sequence[IndexedUnit],
    *,
    stands_for: Callable[[Forms], Sequence[str]] = tuple,
) -> Matched:
    """Return which of a query's words the last of these units is found by.

    Args:
        query: Any text; stop words do not count.
        units: The unit, behind the one before it in its note if there is one.
        stands_for: Tells by which terms a word is found; by its own unless the index says more.
    """
    *_, (_, _, counted) = indexed_terms(units)
    words = dict.fromkeys(word.strip(_EDGES) for word in query.split())
    held = {
        word: any(_holds(counted.keys(), each, stands_for) for each in found)
        for word in words
        if (found := query_words(word))
    }
    return Matched(
        tuple(word for word, found in held.items() if found),
        tuple(word for word, found in held.items() if not found),
    )


def unknown_words(database: Database, words: Sequence[str]) -> list[str]:
    """Return those words of which no unit holds any term; stop words are known."""
    return [
        word
        for word in words
        if (found := terms(word)) and not any(read_postings(database, term) for term in found)
    ]


def _holds(
    counted: Collection[str], word: Forms, stands_for: Callable[[Forms], Sequence[str]]
) -> bool:
    if len(word[0]) == 1 and is_unspaced(word[0]):
        return any(term.startswith(word[0]) for term in counted)
    return any(term in counted for term in stands_for(word))

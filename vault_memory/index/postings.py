"""Which units hold a term, how often, and how long they are: the rows behind full text.

The entries of a term lie together in blobs, one for every 1,024 unit numbers, eight bytes an entry:
number of the unit, its length in terms, how often it holds the term, its kind. So a common word
costs a few reads instead of thousands of rows, and a changed note touches only small blobs.
"""

import struct
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from vault_memory.index.characters import is_unspaced
from vault_memory.index.database import DamagedIndexError, Database
from vault_memory.index.rows import UNIT_KINDS
from vault_memory.index.word_forms import WORDS_VERSION
from vault_memory.index.words import Forms, date_terms, terms

ENTRY = struct.Struct("<IHBB")
"""Unit, length, frequency, kind; the middle two stop at the largest number they hold."""

_FREQUENCY_BITS = 48
"""Where the frequency begins in an entry that is read as one little-endian number."""

_CHUNK_BITS = 10
_MAX_LENGTH = 0xFFFF
_MAX_FREQUENCY = 0xFF
_LEAST_BEGINNING = 4
_MOST_BEGUN = 32

Entry = tuple[int, int, int, int]

IndexedUnit = tuple[int, str, str, str]
"""Number, kind, date and text of a unit."""


def indexed_terms(units: Iterable[IndexedUnit]) -> Iterator[tuple[int, str, Counter[str]]]:
    """Yield number, kind and terms of each unit of one note, given in order.

    A turn is found by what was said just before it too, and by its date.
    """
    before: list[str] = []
    for number, kind, date, text in units:
        own = terms(text)
        held = [*own, *before, *date_terms(date)] if kind == "turn" else [*own, *date_terms(date)]
        before = own if kind == "turn" else []
        yield number, kind, Counter(held)


class PostingsWriter:
    """Collects what is added and removed within one transaction, and writes it in large pieces."""

    def __init__(self, database: Database) -> None:
        check_words(database)
        self._database = database
        self._chunk = -1
        self._added: defaultdict[str, list[int]] = defaultdict(list)
        self._removed: dict[tuple[str, int], set[int]] = {}
        self._lengths: Counter[tuple[int, str]] = Counter()

    def add(self, units: Iterable[IndexedUnit]) -> None:
        """Add the units of one note, in order; their numbers are above all that were added."""
        added = self._added
        for number, kind, held in indexed_terms(units):
            if number >> _CHUNK_BITS != self._chunk:
                self._write_added()
                added = self._added
                self._chunk = number >> _CHUNK_BITS
            code, length = self._count(kind, held, 1)
            once = int.from_bytes(ENTRY.pack(number, length, 1, code), "little")
            for term, frequency in held.items():
                if frequency == 1:
                    added[term].append(once)
                else:
                    more = min(frequency, _MAX_FREQUENCY) - 1
                    added[term].append(once + (more << _FREQUENCY_BITS))

    def remove(self, units: Iterable[IndexedUnit]) -> None:
        """Remove the units of one note, given as they were when they were added."""
        for number, kind, held in indexed_terms(units):
            self._count(kind, held, -1)
            chunk = number >> _CHUNK_BITS
            for term in held:
                self._removed.setdefault((term, chunk), set()).add(number)

    def finish(self) -> None:
        """Write what has been collected."""
        self._write_added()
        self._write_removed()
        for (code, what), change in self._lengths.items():
            self._database.run(
                "INSERT INTO lengths (kind, units, terms) VALUES (?1, 0, 0) ON CONFLICT DO NOTHING",
                (code,),
            )
            self._database.run(
                f"UPDATE lengths SET {what} = {what} + ?2 WHERE kind = ?1",
                (code, change),
            )

    def _count(self, kind: str, held: Counter[str], sign: int) -> tuple[int, int]:
        code = UNIT_KINDS.index(kind)
        length = min(sum(held.values()), _MAX_LENGTH)
        self._lengths[code, "units"] += sign
        self._lengths[code, "terms"] += sign * length
        return code, length

    def _write_added(self) -> None:
        self._database.many(
            "INSERT INTO postings (term, chunk, entries) VALUES (?1, ?2, ?3)"
            " ON CONFLICT DO UPDATE SET entries = CAST(entries || ?3 AS BLOB)",
            ((term, self._chunk, _packed(self._added[term])) for term in sorted(self._added)),
        )
        self._added = defaultdict(list)

    def _write_removed(self) -> None:
        for place, numbers in sorted(self._removed.items()):
            found = self._database.one(
                "SELECT entries FROM postings WHERE term = ? AND chunk = ?", place
            )
            kept = _without(found[0], numbers) if found else b""
            if kept:
                self._database.run(
                    "UPDATE postings SET entries = ?3 WHERE term = ?1 AND chunk = ?2",
                    (*place, kept),
                )
            else:
                self._database.run("DELETE FROM postings WHERE term = ? AND chunk = ?", place)
        self._removed = {}


def _packed(entries: Sequence[int]) -> bytes:
    """Return entries, each read as one little-endian number, as they stand in a blob."""
    return struct.pack(f"<{len(entries)}Q", *entries)


def _without(entries: bytes, numbers: Iterable[int]) -> bytes:
    """Return a blob of entries, which are in order of unit, without those of some units."""

    def unit(place: int) -> int:
        return int(ENTRY.unpack_from(entries, place * ENTRY.size)[0])

    pieces, begin, count = [], 0, len(entries) // ENTRY.size
    for number in sorted(numbers):
        place = bisect_left(range(count), number, key=unit)
        if place < count and unit(place) == number:
            pieces.append(entries[begin : place * ENTRY.size])
            begin = (place + 1) * ENTRY.size
    return b"".join([*pieces, entries[begin:]])


def check_words(database: Database) -> None:
    """Make sure that the terms in the index are those that this program would give its texts.

    Raises:
        DamagedIndexError: They are another version's, so that none could be found or taken away.
    """
    found: dict[str, str] = dict(
        database.all("SELECT key, value FROM meta WHERE key IN ('words', 'next_unit')")
    )
    if found.get("words") != WORDS_VERSION and found.get("next_unit", "1") != "1":
        raise DamagedIndexError(database.path, "its words were cut by another version")


def read_word(database: Database, word: Forms) -> bytes:
    """Return the entries of a query's word, one for each unit, in order of unit.

    Raises:
        DamagedIndexError: What stands there are no entries.
    """
    found = [entries for term in word if (entries := read_postings(database, term))]
    if len(found) == 1 and not _is_beginning(word):
        return found[0]
    if not found or _is_beginning(word):
        found = [read_postings(database, term) for term in begun_by(database, word)]
    if len(found) == 1:
        return found[0]
    merge = merged_in_bulk if "numpy" in sys.modules else merged_one_by_one
    return merge(b"".join(found))


def stands_for(database: Database, word: Forms) -> list[str]:
    """Return the terms in the index by which a query's word is found."""
    held = [term for term in word if read_postings(database, term)]
    return begun_by(database, word) if not held or _is_beginning(word) else held


def begun_by(database: Database, word: Forms) -> list[str]:
    """Return the terms in the index that begin with a word, for which it may be meant.

    One character of a script without spaces may begin any number of terms; the beginning of another
    word, such as of a hash, counts only when it has four characters and begins few of them.
    """
    if not _is_beginning(word) and len(word[0]) < _LEAST_BEGINNING:
        return []
    most = -1 if _is_beginning(word) else _MOST_BEGUN + 1
    rows = database.all(
        "SELECT DISTINCT term FROM postings WHERE term >= ?1 AND term < ?1 || char(0x10FFFF)"
        " ORDER BY term LIMIT ?2",
        (word[0], most),
    )
    return [row[0] for row in rows] if most < 0 or len(rows) < most else []


def _is_beginning(word: Forms) -> bool:
    return len(word[0]) == 1 and is_unspaced(word[0])


def read_postings(database: Database, term: str) -> bytes:
    """Return all entries of a term, in order of unit.

    Raises:
        DamagedIndexError: What stands there are no entries.
    """
    found = database.all("SELECT entries FROM postings WHERE term = ? ORDER BY chunk", (term,))
    entries = b"".join(row[0] for row in found)
    if len(entries) % ENTRY.size:
        raise DamagedIndexError(database.path, "its full text is damaged")
    return entries


def unpacked(entries: bytes) -> Sequence[Entry]:
    """Return the entries of a blob."""
    return list(ENTRY.iter_unpack(entries))


def merged_one_by_one(entries: bytes) -> bytes:
    """Return entries with one for each unit, its frequencies added up, in order of unit."""
    summed: dict[int, tuple[int, int, int]] = {}
    for unit, length, frequency, kind in unpacked(entries):
        earlier = summed[unit][1] if unit in summed else 0
        summed[unit] = (length, min(earlier + frequency, _MAX_FREQUENCY), kind)
    return b"".join(ENTRY.pack(unit, *rest) for unit, rest in sorted(summed.items()))


def merged_in_bulk(entries: bytes) -> bytes:
    """Return exactly what ``merged_one_by_one`` does, for when numpy is loaded anyway."""
    import numpy as np

    fields = [("unit", "<u4"), ("length", "<u2"), ("frequency", "u1"), ("kind", "u1")]
    held = np.frombuffer(entries, np.dtype(fields))
    if not len(held):
        return b""
    held = held[np.argsort(held["unit"], kind="stable")]
    begins = np.flatnonzero(np.diff(held["unit"].astype(np.int64), prepend=-1))
    sums = np.add.reduceat(held["frequency"].astype(np.int64), begins)
    merged = held[begins]
    merged["frequency"] = np.minimum(sums, _MAX_FREQUENCY)
    return merged.tobytes()

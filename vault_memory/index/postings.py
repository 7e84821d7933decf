"""Which units hold a term, how often, and how long they are: the rows behind full text.

The entries of a term lie together in blobs, one for every 1,024 unit numbers, eight bytes an entry:
number of the unit, its length in terms, how often it holds the term, its kind. So a common word
costs a few reads instead of thousands of rows, and a changed note touches only small blobs.
"""

import struct
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vault_memory.index.database import DamagedIndexError, Database
from vault_memory.index.rows import UNIT_KINDS
from vault_memory.index.words import date_terms, terms

ENTRY = struct.Struct("<IHBB")
"""Unit, length, frequency, kind; the middle two stop at the largest number they hold."""

_CHUNK_BITS = 10
_MAX_LENGTH = 0xFFFF
_MAX_FREQUENCY = 0xFF

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
        held = Counter(own)
        if kind == "turn":
            held.update(before)
            before = own
        else:
            before = []
        held.update(date_terms(date))
        yield number, kind, held


class PostingsWriter:
    """Collects what is added and removed within one transaction, and writes it in large pieces."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._chunk = -1
        self._added: dict[str, bytearray] = {}
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
            for term, frequency in held.items():
                entry = ENTRY.pack(number, length, min(frequency, _MAX_FREQUENCY), code)
                if term in added:
                    added[term] += entry
                else:
                    added[term] = bytearray(entry)

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
        length = min(held.total(), _MAX_LENGTH)
        self._lengths[code, "units"] += sign
        self._lengths[code, "terms"] += sign * length
        return code, length

    def _write_added(self) -> None:
        self._database.many(
            "INSERT INTO postings (term, chunk, entries) VALUES (?1, ?2, ?3)"
            " ON CONFLICT DO UPDATE SET entries = CAST(entries || ?3 AS BLOB)",
            ((term, self._chunk, entries) for term, entries in sorted(self._added.items())),
        )
        self._added = {}

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


def read_postings(database: Database, term: str, *, prefix: bool = False) -> bytes:
    """Return all entries of a term, or of every term that begins with it, in order of unit.

    With a prefix a unit may have several entries, one for each of the terms.

    Raises:
        DamagedIndexError: What stands there are no entries.
    """
    if prefix:
        found = database.all(
            "SELECT entries FROM postings WHERE term >= ?1 AND term < ?1 || char(0x10FFFF)"
            " ORDER BY term, chunk",
            (term,),
        )
    else:
        found = database.all("SELECT entries FROM postings WHERE term = ? ORDER BY chunk", (term,))
    entries = b"".join(row[0] for row in found)
    if len(entries) % ENTRY.size:
        raise DamagedIndexError(database.path, "its full text is damaged")
    return entries


def merged(entries: bytes) -> bytes:
    """Return entries with one for each unit, its frequencies added up, in order of unit."""
    summed: dict[int, tuple[int, int, int]] = {}
    for unit, length, frequency, kind in unpacked(entries):
        earlier = summed[unit][1] if unit in summed else 0
        summed[unit] = (length, min(earlier + frequency, _MAX_FREQUENCY), kind)
    return b"".join(ENTRY.pack(unit, *rest) for unit, rest in sorted(summed.items()))


def unpacked(entries: bytes) -> Sequence[Entry]:
    """Return the entries of a blob."""
    return list(ENTRY.iter_unpack(entries))

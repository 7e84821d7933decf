"""Which units hold a term, how often, and how long they are: the rows behind full text.

The entries of a term lie together in blobs, one for every 1,024 unit numbers, eight bytes an entry:
number of the unit, its length in terms, how often it holds the term, its kind. So a common word
costs a few reads instead of thousands of rows, and a changed note touches only small blobs.
"""

import struct
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
            " ON CONFLICT DO UPDATE SET entries = entries || ?3",
            ((term, self._chunk, entries) for term, entries in sorted(self._added.items())),
        )
        self._added = {}

    def _write_removed(self) -> None:
        for place, numbers in sorted(self._removed.items()):
            found = self._database.one(
                "SELECT entries FROM postings WHERE term = ? AND chunk = ?", place
            )
            if found is None:
                continue
            kept = b"".join(
                ENTRY.pack(*entry)
                for entry in unpacked(self._database, found[0])
                if entry[0] not in numbers
            )
            if kept:
                self._database.run(
                    "UPDATE postings SET entries = ?3 WHERE term = ?1 AND chunk = ?2",
                    (*place, kept),
                )
            else:
                self._database.run("DELETE FROM postings WHERE term = ? AND chunk = ?", place)
        self._removed = {}


def read_postings(database: Database, term: str, *, prefix: bool = False) -> bytes:
    """Return all entries of a term, or of every term that begins with it, in order of unit.

    With a prefix a unit may have several entries, one for each of the terms.
    """
    if prefix:
        found = database.all(
            "SELECT entries FROM postings WHERE term >= ?1 AND term < ?1 || char(0x10FFFF)"
            " ORDER BY term, chunk",
            (term,),
        )
    else:
        found = database.all("SELECT entries FROM postings WHERE term = ? ORDER BY chunk", (term,))
    return b"".join(row[0] for row in found)


def unpacked(database: Database, entries: bytes) -> Sequence[tuple[int, int, int, int]]:
    """Return the entries of a blob: unit, length, frequency and number of the kind.

    Raises:
        DamagedIndexError: It is no blob of entries.
    """
    if len(entries) % ENTRY.size:
        raise DamagedIndexError(database.path, "its full text is damaged")
    return list(ENTRY.iter_unpack(entries))

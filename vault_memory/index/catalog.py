"""The catalogue: what every note of the vault is and says, in one SQLite file that can be deleted.

``index.db`` is derived. Each change is one transaction and raises the generation last, so that a
reader sees the old state or the new one. Vectors lie elsewhere; a unit knows its row in them, and
the facts that say which files those are stand here, so that both change together.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from vault_memory.index.catalog_files import LISTING, FileReader
from vault_memory.index.catalog_notes import NoteReader
from vault_memory.index.catalog_units import UnitReader
from vault_memory.index.database import DamagedIndexError, Database
from vault_memory.index.database_check import Kind, Mending
from vault_memory.index.database_open import open_database, open_for_reading
from vault_memory.index.manifest import Applied, Counts, Stamp
from vault_memory.index.schema import APPLICATION_ID, DRAFTS, SCHEMA_VERSION, TABLES

if TYPE_CHECKING:
    from vault_memory.core.note import Note
    from vault_memory.index.lexical import ByWords
    from vault_memory.index.matching import Matched
    from vault_memory.index.rows import UnitRow, Wanted

FILE_NAME = "index.db"
KIND = Kind(APPLICATION_ID, SCHEMA_VERSION, TABLES, drafts=DRAFTS)

MOST_BY_WORDS = 200
"""How many units are found by words unless told otherwise."""

_NUMBERS = ("generation", "scanned_ns", "next_note", "next_unit")
"""Facts that are whole numbers."""


def open_catalog(
    folder: Path,
    *,
    mode: Literal["read", "write"] = "read",
    mend: Callable[[str], None] | None = None,
) -> "Catalog":
    """Open the catalogue of a derived folder; for writing, make it when it is not there.

    Args:
        folder: The derived folder, usually ``.vaultmem`` in the vault.
        mode: ``read`` changes nothing and works on a read-only disk too.
        mend: Have a damaged one made anew, and told what was wrong in a few words.

    Raises:
        DamagedIndexError: It is damaged, foreign or of another version, or for reading, not there.
            Methods raise it too when they meet damage; when it leaves the catalogue's context, the
            next to open the catalogue makes it anew.
        StorageError: The disk refuses.
    """
    path = folder / FILE_NAME
    if mode == "read":
        return Catalog(open_for_reading(path, KIND))
    mending = Mending(mend) if mend else None
    return Catalog(open_database(path, KIND, mending=mending), writable=True)


class Catalog(FileReader, NoteReader, UnitReader):
    """An open catalogue; a context manager that closes it at the end."""

    def __init__(self, database: Database, *, writable: bool = False) -> None:
        super().__init__(database)
        self._writable = writable

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, DamagedIndexError) and error.where == str(self.database.path):
            self.database.condemn(error.reason)
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all reading inside see one generation."""
        with self.database.reading():
            yield

    @property
    def generation(self) -> int:
        """How often the index has changed since it was made."""
        return int(self.facts().get("generation", "0"))

    def facts(self) -> dict[str, str]:
        """Return all that is noted about the index itself, by name."""
        found: dict[str, str] = dict(self.database.all("SELECT key, value FROM meta"))
        if not all(found.get(name, "0").isdecimal() for name in _NUMBERS):
            raise DamagedIndexError(self.database.path, "what it says of itself is damaged")
        return found

    def counts(self) -> Counts:
        """Return how much the index holds."""
        notes: dict[str, int] = {}
        types: dict[str, int] = {}
        for kind, type_, number in self.database.all(
            "SELECT kind, type, count(*) FROM notes GROUP BY kind, type ORDER BY kind, type"
        ):
            notes[kind] = notes.get(kind, 0) + number
            if kind == "entity":
                types[type_] = number
        links = self.database.all("SELECT count(*) FROM links")[0][0]
        return Counts(notes, types, self.unit_count(), self.pending_count(), links)

    def apply(
        self,
        notes: "Iterable[tuple[Note, Stamp]]" = (),
        *,
        removed: Iterable[str] = (),
        touched: Iterable[tuple[str, Stamp]] = (),
        facts: Mapping[str, str] | None = None,
    ) -> Applied:
        """Bring the catalogue up to what the vault holds now, in one transaction.

        Units whose texts are the same keep their number and row; the others are pending.

        Args:
            notes: Notes that are new or changed, read one at a time.
            removed: Paths that are gone; they go first.
            touched: Files whose content is as before, with their new stamps.
            facts: What to note about the index itself.
        """
        from vault_memory.index.catalog_write import NotesWriter

        with self.database.writing():
            writer = NotesWriter(self.database)
            for path in removed:
                writer.remove(path)
            for path, stamp in touched:
                writer.touch(path, stamp)
            for note, stamp in notes:
                writer.put(note, stamp)
            writer.finish()
            changed = bool(writer.added or writer.changed or writer.removed)
            generation = self._note_facts({LISTING: "", **(facts or {})}, changed=changed)
        return Applied(writer.added, writer.changed, writer.removed, generation)

    def set_rows(self, rows: Mapping[int, int], *, facts: Mapping[str, str] | None = None) -> int:
        """Note at which row of the vectors each unit lies, and return the new generation.

        Args:
            rows: The row by number of unit; a unit that is gone is passed over.
            facts: What to note with it: which file of vectors this is, how many of its rows count.
        """
        with self.database.writing():
            self.database.many(
                "UPDATE units SET row = ? WHERE id = ?", [(row, unit) for unit, row in rows.items()]
            )
            return self._note_facts(facts or {}, changed=bool(rows))

    def renew_rows(self, units: Sequence[int], place: Callable[[], Mapping[str, str]]) -> int:
        """Note that these units, and they alone, lie at the rows from 0 on; return the generation.

        Args:
            units: Numbers of units; one that is gone is passed over.
            place: Puts the new file in place, last of all, and returns the facts about it.
        """
        with self.database.writing():
            self.database.run("UPDATE units SET row = NULL WHERE row IS NOT NULL")
            self.database.many(
                "UPDATE units SET row = ? WHERE id = ?",
                ((row, unit) for row, unit in enumerate(units)),
            )
            return self._note_facts(place(), changed=True)

    def place_file(self, place: Callable[[], Mapping[str, str]]) -> int:
        """Put a file in place and note the facts about it, which ``place`` returns, in one step."""
        with self.database.writing():
            return self._note_facts(place(), changed=False)

    def forget_vectors(self, seen: Mapping[str, str]) -> bool:
        """Forget the rows, and with them the approximate index, or that alone.

        Args:
            seen: The record under ``rows`` or ``ann`` as it was when the file turned out damaged.

        Returns:
            Whether it was forgotten; not when another process has put another there meanwhile.
        """
        with self.database.writing():
            facts = self.facts()
            if any(facts.get(name) != record for name, record in seen.items()):
                return False
            if "rows" in seen:
                self.database.run("UPDATE units SET row = NULL WHERE row IS NOT NULL")
            self._note_facts(dict.fromkeys((*seen, "ann"), ""), changed="rows" in seen)
        return True

    def search_words(
        self, query: str, wanted: "Wanted | None" = None, *, limit: int = MOST_BY_WORDS
    ) -> list[tuple[int, float]]:
        """Return the best units by their words, best first, as number and score."""
        return self.by_words(query, wanted, limit=limit).best

    def by_words(
        self, query: str, wanted: "Wanted | None" = None, *, limit: int = MOST_BY_WORDS
    ) -> "ByWords":
        """Find the best units by their words, and the score of every unit that holds one."""
        from vault_memory.index.lexical import by_words
        from vault_memory.index.postings import check_words

        if self._writable:
            check_words(self.database)
        return by_words(self.database, query, wanted, limit=limit)

    def matched_words(self, query: str, units: "Sequence[UnitRow]") -> "Matched":
        """Return which of a query's words the last of these units is found by.

        Args:
            query: Any text.
            units: The unit, behind the one before it in its note if there is one.
        """
        from vault_memory.index.matching import matched_words
        from vault_memory.index.postings import stands_for

        return matched_words(
            query,
            [(one.id, one.kind, one.date, one.text) for one in units],
            stands_for=lambda word: stands_for(self.database, word),
        )

    def unknown_words(self, words: Sequence[str]) -> list[str]:
        """Return those words that nothing in the vault is found by."""
        from vault_memory.index.matching import unknown_words

        return unknown_words(self.database, words)

    def _note_facts(self, facts: Mapping[str, str], *, changed: bool) -> int:
        before = self.facts()
        new = {key: value for key, value in facts.items() if before.get(key, "") != value}
        generation = int(before.get("generation", "0")) + (changed or bool(new))
        new["generation"] = str(generation)
        self.database.many(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", list(new.items())
        )
        return generation

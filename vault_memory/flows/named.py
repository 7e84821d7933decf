"""Whom a query names, and which units belong to them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_memory.core.about import ROLES
from vault_memory.core.identity import fold
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow, UnitRow

_LONGEST_NAME = 6
"""Words of a query that are tried as one name, at most."""


@dataclass(frozen=True, slots=True)
class Named:
    """Whom a query names.

    Attributes:
        names: As people write them, in the order of their mention, each once.
        notes: The notes of the one entity that is named and of its relations; empty when none or
            several are named.
        speaker: The folded name of the one that is named; empty when none or several are.
    """

    names: tuple[str, ...] = ()
    notes: frozenset[int] = frozenset()
    speaker: str = ""

    def owns(self, unit: UnitRow) -> bool:
        """Whether a unit belongs to the one that is named: it is of their notes or their words."""
        return unit.note in self.notes or bool(self.speaker and fold(unit.speaker) == self.speaker)


def named_in(index: VaultIndex, query: str, units: Iterable[UnitRow]) -> Named:
    """Find the entities of the vault, and the speakers of these units, that a query names.

    Args:
        index: The open index.
        query: Any text.
        units: Those that may answer it.
    """
    speakers = {
        fold(name): name for name in sorted({unit.speaker for unit in units if unit.speaker})
    }
    for role in ROLES & speakers.keys():
        del speakers[role]
    entities: dict[str, Sequence[NoteRow]] = {}
    names: dict[str, str] = {}
    words = _words(query)
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
            folded = " ".join(words[at : at + length])
            found = _entities(index, folded)
            if found:
                name = found[0].name
                names[fold(name)], entities[fold(name)] = name, found
            elif folded in speakers:
                names[folded] = speakers[folded]
            if found or folded in speakers:
                at += length - 1
                break
        at += 1
    if len(names) != 1:
        return Named(tuple(names.values()))
    only = next(iter(names))
    return Named(tuple(names.values()), _notes_of(index, entities.get(only, ())), only)


def _words(query: str) -> list[str]:
    words = [word.strip(".,;:!?\"'()") for word in fold(query).split()]
    return [word.removesuffix("'s").removesuffix("\u2019s") for word in words if word]


def _entities(index: VaultIndex, folded: str) -> list[NoteRow]:
    keys = [row.note for row in index.catalog.find_names(folded) if row.kind == "entity"]
    notes = index.catalog.notes_by_key(keys) if keys else {}
    return [notes[key] for key in keys]


def _notes_of(index: VaultIndex, entities: Sequence[NoteRow]) -> frozenset[int]:
    if len(entities) != 1:
        return frozenset()
    key = entities[0].key
    return frozenset({key, *(row.note for row in index.catalog.relations_of([key]))})

"""What the catalog takes and gives, as plain values.

They are named tuples: a frozen dataclass takes six times as long to define, which every start of
the program would pay, and longer to make, of which there are many.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vault_memory.core.belief import Standing
    from vault_memory.core.findings import Finding
    from vault_memory.core.note import Kind, UnitKind

UNIT_KINDS: "tuple[UnitKind, ...]" = ("entity", "relation", "turn", "source", "note")
"""Every kind of unit; the position is the kind's number in the postings, so never reorder."""


class NoteRow(NamedTuple):
    """One note as the index knows it; the fields are those of ``core.note.Note``.

    Attributes:
        key: The note's number in this index, good until the index is made anew.
        id: The note's own id; empty when it has none.
    """

    key: int
    path: str
    kind: "Kind"
    type: str
    id: str
    name: str
    title: str
    abstract: str
    created: str
    updated: str
    session: str
    standing: "Standing | None"
    findings: "tuple[Finding, ...]"


class NameRow(NamedTuple):
    """A note that bears a name.

    Attributes:
        note: The note's key.
        path: Its path.
        kind: The note's kind.
        type: The note's type.
        rank: How it bears the name: 0 as its file's stem, 1 true name, 2 alias, 3 title.
        name: The name as written.
    """

    note: int
    path: str
    kind: "Kind"
    type: str
    rank: int
    name: str


class RelationRow(NamedTuple):
    """What a relation note relates.

    Attributes:
        note: The key of the relation note.
        source: The link target it starts from, as written.
        rel: The verb.
        target: The link target it leads to, as written.
        source_note: The key of the note that ``source`` resolves to; None when none does.
        target_note: The same for ``target``.
    """

    note: int
    source: str
    rel: str
    target: str
    source_note: int | None
    target_note: int | None


class LinkRow(NamedTuple):
    """A link from one note to another.

    Attributes:
        note: The key of the note that holds the link.
        target: As written.
        anchor: ``Heading`` or ``^block``; empty when none.
        line: 1-based line in the file.
        embed: Whether it is an embed.
        target_note: The key of the note it leads to; None when it leads nowhere.
        ambiguous: Whether several notes fit equally well by name.
    """

    note: int
    target: str
    anchor: str
    line: int
    embed: bool
    target_note: int | None
    ambiguous: bool


class UnitRow(NamedTuple):
    """A unit of text; the fields are those of ``core.note.Unit``.

    Attributes:
        id: The unit's number; the units of a note have consecutive ones, and none is ever reused.
        note: The key of its note.
        ordinal: Its place in the note, from 0.
        row: Its row in the vectors; None until it is embedded.
    """

    id: int
    note: int
    ordinal: int
    kind: "UnitKind"
    anchor: str
    line: int
    speaker: str
    date: str
    text: str
    row: int | None


class Wanted(NamedTuple):
    """Which units a search is for.

    Attributes:
        kinds: Kinds of unit.
        types: Types of note; empty for any.
        unsupported: Whether beliefs that no evidence supports any more are wanted too.
    """

    kinds: "Sequence[UnitKind]" = UNIT_KINDS
    types: "Sequence[str]" = ()
    unsupported: bool = False

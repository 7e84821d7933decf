"""A decoded note: what the index, the graph and the commands know of one file."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from vault_memory.core.belief import Standing
from vault_memory.core.findings import Finding

Kind = Literal["entity", "relation", "conversation", "source", "note"]
UnitKind = Literal["entity", "relation", "turn", "source", "note"]


class Link(NamedTuple):
    """A wikilink or markdown link found in prose.

    Attributes:
        target: The note named, unescaped, without anchor and shown text; as written.
        anchor: ``Heading`` or ``^block``, empty when none.
        line: 1-based line in the file.
        embed: Whether it is an embed (``![[…]]``).
    """

    target: str
    anchor: str
    line: int
    embed: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a note that is embedded and found by itself.

    Attributes:
        kind: What sort of text this is.
        anchor: ``^t-…`` for a turn, a heading for a section, empty for the head of the note.
        line: 1-based line in the file where the text begins.
        text: The text that is embedded: ``Speaker or name: text``.
        speaker: Who says it, for turns; else empty.
        date: ISO 8601 day or time that the text is about or was said at; empty when unknown.
    """

    kind: UnitKind
    anchor: str
    line: int
    text: str
    speaker: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """What a relation note relates: link targets as written, and the verb between them."""

    source: str
    rel: str
    target: str


@dataclass(frozen=True, slots=True)
class Note:
    """One note of the vault, decoded.

    Attributes:
        path: Relative to the vault, with ``/``, in the form found on disk.
        kind: The sort of note, from its ``type``.
        type: One of the 17 entity types, or the kind again for other notes.
        id: The note's id; computed when the note has none and is an entity or relation; else empty.
        name: The true name: what people call it.
        aliases: Other names, the true name not among them.
        title: The title in the frontmatter or the first heading; empty when none.
        abstract: One line that says what it is; empty when none.
        created: ISO day or time, empty when unknown.
        updated: ISO day or time, empty when unknown.
        standing: What is believed; None for notes that hold no belief.
        ends: What a relation relates; None for others.
        session: The session id of a conversation note, the source id of a source note; else empty.
        links: Links in prose and in the note's own frontmatter, in order.
        units: The text that is indexed, in order.
        findings: What was odd about it.
    """

    path: str
    kind: Kind
    type: str
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    title: str = ""
    abstract: str = ""
    created: str = ""
    updated: str = ""
    standing: Standing | None = None
    ends: Ends | None = None
    session: str = ""
    links: tuple[Link, ...] = ()
    units: tuple[Unit, ...] = ()
    findings: tuple[Finding, ...] = ()

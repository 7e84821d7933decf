"""The note of a source: a document from outside, kept whole and found by its sections."""

from dataclasses import dataclass

from vault_memory.core.belief import day_of
from vault_memory.core.findings import Finding
from vault_memory.core.note import Note, Unit
from vault_memory.core.provenance import Provenance
from vault_memory.notes.given_text import heading_text
from vault_memory.notes.reading import Reading
from vault_memory.notes.scalars import auto, quoted, render_scalar
from vault_memory.notes.units import section_units


@dataclass(frozen=True, slots=True)
class Source:
    """What a new source note is made of.

    Attributes:
        source_id: The short key of the first bytes ingested; kept through revisions.
        title: What people call the document.
        origin: Its path or address.
        provenance: ``external``, or ``agent`` for what an agent wrote.
        ingested: The UTC day.
        text: The document.
    """

    source_id: str
    title: str
    origin: str
    provenance: Provenance
    ingested: str
    text: str


def decode(reading: Reading) -> Note:
    """Return the note of a source."""
    name = reading.stem
    title = reading.title
    ingested = reading.scalar("ingested")
    day = ingested if day_of(ingested) else ""
    units = tuple(section_units(reading, "source", title or name, date=day))
    findings = list(reading.findings)
    if not reading.scalar("source_id"):
        message = "no source_id, so evidence cannot name it; ingest the document again"
        findings.append(Finding(reading.path, 1, "source-id-missing", message))
    return Note(
        path=reading.path,
        kind="source",
        type="source",
        id="",
        name=name,
        aliases=reading.aliases,
        title=title,
        created=ingested,
        updated=reading.scalar("updated"),
        session=reading.scalar("source_id"),
        links=reading.links(),
        units=units or (Unit("source", "", 1, title or name, date=day),),
        findings=tuple(findings),
    )


def encode(source: Source) -> str:
    r"""Return the text of a new source note; the document's line ends become ``\n``."""
    head = [
        "type: source",
        f"source_id: {render_scalar(quoted(source.source_id))}",
        f"title: {render_scalar(auto(source.title))}",
        f"origin: {render_scalar(quoted(source.origin))}",
        f"provenance: {source.provenance}",
        f"ingested: {source.ingested}",
        f"updated: {source.ingested}",
    ]
    document = (
        source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    )
    return "\n".join(["---", *head, "---", f"# {heading_text(source.title)}", "", document, ""])

"""The note of an entity: its three tiers, its evidence, and a new one written out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.entity import Entity, entity_type
from vault_memory.core.evidence import EvidenceLine
from vault_memory.core.identity import entity_id, fold, nfc
from vault_memory.core.names import true_name
from vault_memory.core.note import Note, Unit
from vault_memory.core.provenance import AGENT_CAP
from vault_memory.notes.belief_keys import first_keys
from vault_memory.notes.belief_note import observe, read_belief
from vault_memory.notes.given_text import contained, heading_text
from vault_memory.notes.reading import Reading
from vault_memory.notes.scalars import auto, flow_list, quoted, render_list, render_scalar
from vault_memory.notes.sections import Section
from vault_memory.notes.units import section_units, without_evidence

_TIERS = frozenset({"overview", "content"})


@dataclass(frozen=True, slots=True)
class Tiers:
    """The two tiers of an entity that its body holds, as written, without blanks around them.

    Attributes:
        overview: The section of that name.
        content: The section of that name and whatever else the body holds but evidence.
    """

    overview: str
    content: str


def decode(
    reading: Reading,
    type: str,  # noqa: A002 - the key of the format
    *,
    agent_cap: Decimal = AGENT_CAP,
) -> Note:
    """Return the note of an entity.

    Args:
        reading: The note.
        type: Its type, one of the 17.
        agent_cap: The most that agent lines add in each direction.
    """
    name = true_name(reading.stem, reading.aliases, type=type)
    believed = read_belief(reading, agent_cap=agent_cap)
    abstract = " ".join(reading.scalar("abstract").split())
    return Note(
        path=reading.path,
        kind="entity",
        type=type,
        id=reading.scalar("id") or entity_id(type, name),
        name=name,
        aliases=_other_names(reading, name),
        title=reading.title,
        abstract=abstract,
        created=reading.scalar("created"),
        updated=reading.scalar("updated"),
        standing=believed.standing,
        links=reading.links(),
        units=tuple(_units(reading, name, abstract)),
        findings=(*reading.findings, *believed.findings),
    )


def tiers(reading: Reading) -> Tiers:
    """Return the overview and the content of an entity note."""
    overview = [part for part in reading.sections if _is_tier(part, "overview")][:1]
    inside = [(part.start, part.outer_end) for part in overview]
    kind = entity_type(reading.scalar("type")) or ""
    name = fold(true_name(reading.stem, reading.aliases, type=kind))
    said = []
    for part in without_evidence(reading):
        if any(start <= part.start < end for start, end in inside):
            continue
        named = part.level == 1 and fold(part.title) in {name, fold(reading.title)}
        start = part.body if named or _is_tier(part, "content") else part.start
        said.append(reading.text[start : part.end].strip())
    return Tiers(
        overview="".join(reading.text[part.body : part.outer_end].strip() for part in overview),
        content="\n\n".join(words for words in said if words),
    )


def encode(
    entity: Entity,
    lines: Sequence[EvidenceLine],
    *,
    stem: str,
    today: str,
    id: str = "",  # noqa: A002
) -> str:
    """Return the text of a new entity note.

    Args:
        entity: What it is made of.
        lines: Its first evidence.
        stem: The stem of its file; where it is not the name, the name becomes the first alias.
        today: The UTC day, for a note without evidence.
        id: What it is; computed from type and name by default.
    """
    name = nfc(entity.name)
    aliases = [name] if nfc(stem) != name else []
    aliases += [nfc(alias) for alias in entity.aliases if nfc(alias) not in {name, nfc(stem)}]
    head = [
        f"id: {render_scalar(quoted(id or entity_id(entity.type, name)))}",
        f"type: {entity.type}",
        f"abstract: {render_scalar(auto(' '.join(entity.abstract.split())))}".rstrip(),
    ]
    if aliases:
        head.append(f"aliases: {render_list(flow_list(aliases))}")
    head += [*first_keys(entity.prior), f"created: {today}", f"updated: {today}"]
    head.append(f"tags: [entity/{entity.type}]")
    body = [f"# {heading_text(name)}"]
    if entity.overview.strip():
        body.append(f"\n## Overview\n{contained(entity.overview)}")
    if entity.content.strip():
        body.append(f"\n## Content\n{contained(entity.content)}")
    text = "\n".join(["---", *head, "---", *body, ""])
    return observe(text, lines)


def _is_tier(section: Section, title: str) -> bool:
    return section.level == 2 and fold(section.title) == title


def _other_names(reading: Reading, name: str) -> tuple[str, ...]:
    given = [*reading.aliases, nfc(reading.scalar("name"))]
    return tuple(alias for alias in dict.fromkeys(given) if alias and alias != name)


def _units(reading: Reading, name: str, abstract: str) -> Iterator[Unit]:
    date = reading.scalar("updated") or reading.scalar("created")
    texts = list(section_units(reading, "entity", name, date=date, silent=_TIERS))
    if abstract:
        line = reading.line_of("abstract")
        yield Unit("entity", "", line, f"{name}: {abstract}", date=date)
    elif not texts:
        yield Unit("entity", "", 1, name, date=date)
    yield from texts

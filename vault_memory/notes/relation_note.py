"""The note of a relation: what it relates, its evidence, and a new one written out."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from vault_memory.core.evidence import EvidenceLine
from vault_memory.core.findings import Finding
from vault_memory.core.identity import fold, nfc, relation_id
from vault_memory.core.note import Ends, Note, Unit
from vault_memory.core.provenance import AGENT_CAP
from vault_memory.core.relation import is_rel, snake
from vault_memory.notes.belief_keys import first_keys
from vault_memory.notes.belief_note import observe, read_belief
from vault_memory.notes.given_text import contained
from vault_memory.notes.reading import Reading, sound
from vault_memory.notes.scalars import quoted, render_scalar
from vault_memory.notes.units import section_units
from vault_memory.notes.wikilinks import find_links, parse_link, render_link

_ENDS = frozenset({"from", "to"})
_LINE = re.compile(r"[^\r\n]*")
_BLANKS = re.compile(r"\s*")


def decode(reading: Reading, *, agent_cap: Decimal = AGENT_CAP) -> Note:
    """Return the note of a relation; one that names no ends has none, and a finding says so.

    Its id, when it holds none, is made of the names of its ends as links name them: whoever knows
    the ends' own ids makes it of these (``core.identity.relation_id``).

    Args:
        reading: The note.
        agent_cap: The most that agent lines add in each direction.
    """
    source, source_name = _end(reading, "from")
    target, target_name = _end(reading, "to")
    rel = reading.scalar("rel")
    whole = bool(source and rel and target)
    name = f"{source_name} {rel} {target_name}" if whole else reading.stem
    believed = read_belief(reading, agent_cap=agent_cap)
    return Note(
        path=reading.path,
        kind="relation",
        type="relation",
        id=reading.scalar("id") or relation_id(fold(source_name), rel, fold(target_name)),
        name=name,
        aliases=reading.aliases,
        title=reading.scalar("title"),
        created=reading.scalar("created"),
        updated=reading.scalar("updated"),
        standing=believed.standing,
        ends=Ends(source, rel, target) if whole else None,
        links=reading.links(without=_ENDS),
        units=tuple(_units(reading, _sentence(source_name, rel, target_name) if whole else name)),
        findings=(*reading.findings, *_end_findings(reading), *believed.findings),
    )


def description(reading: Reading) -> str:
    """Return the free text of a relation note, without the sentence that opens it."""
    start = _description_start(reading)
    said = [part for part in reading.sections if part.level == 0]
    return reading.text[start : said[0].end].strip() if said else ""


def encode(
    *,
    source: str,
    rel: str,
    target: str,
    lines: Sequence[EvidenceLine],
    id: str,  # noqa: A002 - the key of the format
    today: str,
    source_name: str = "",
    target_name: str = "",
    description: str = "",
    prior: str = "explicit",
    valid_from: str = "",
    valid_until: str = "",
) -> str:
    """Return the text of a new relation note.

    Args:
        source: The stem of the entity it starts from.
        rel: The verb, in lower snake case.
        target: The stem of the entity it leads to.
        lines: Its first evidence.
        id: What it is, of the ids of its ends.
        today: The UTC day, for a note without evidence.
        source_name: The true name of the entity it starts from, where it is not the stem.
        target_name: The true name of the entity it leads to, where it is not the stem.
        description: Free text.
        prior: How the claim first came in.
        valid_from: The day from which it is true; empty when not given.
        valid_until: The day until which it was true; empty when open.
    """
    one = render_link(source, source_name or None)
    other = render_link(target, target_name or None)
    head = [
        f"id: {render_scalar(quoted(id))}",
        "type: relation",
        f"from: {render_scalar(quoted(one))}",
        f"rel: {rel}",
        f"to: {render_scalar(quoted(other))}",
        *first_keys(prior),
        f"valid_from: {valid_from}".rstrip(),
        f"valid_until: {valid_until}".rstrip(),
        f"created: {today}",
        f"updated: {today}",
    ]
    body = [_sentence(one, rel, other)]
    if description.strip():
        body.append(f"\n{contained(description)}")
    return observe("\n".join(["---", *head, "---", *body, ""]), lines)


def _sentence(source: str, rel: str, target: str) -> str:
    return f"{source} {rel.replace('_', ' ')} {target}."


def _end(reading: Reading, key: str) -> tuple[str, str]:
    """Return the link target of an end and the name it is shown by."""
    value = reading.scalar(key)
    link = parse_link(value)
    if link is None:
        return (value, value) if "[[" not in value else ("", "")
    shown = value.strip("[] ").partition("|")[2].strip()
    last = link.target.rpartition("/")[2]
    name = last[:-3] if last[-3:].lower() == ".md" else last
    return sound(link.target), nfc(sound(shown or name))


def _end_findings(reading: Reading) -> Iterator[Finding]:
    for key in ("from", "to"):
        if not _end(reading, key)[0]:
            message = f'no link in {key}; write one such as {key}: "[[Dani]]"'
            yield Finding(
                reading.path, reading.line_of(key), "relation-end-missing", message, "error"
            )
    rel = reading.scalar("rel")
    if not rel:
        message = "no verb in rel; write one such as rel: uses"
        yield Finding(
            reading.path, reading.line_of("rel"), "relation-verb-missing", message, "error"
        )
    elif not is_rel(rel):
        message = f"rel is not in lower snake case; write it as: {snake(rel) or 'uses'}"
        yield Finding(reading.path, reading.line_of("rel"), "relation-verb", message)


def _description_start(reading: Reading) -> int:
    """Return where the text begins that is not the sentence about the ends itself."""
    blanks = _BLANKS.match(reading.text, reading.front.body)
    start = blanks.end() if blanks else reading.front.body
    first = _LINE.match(reading.text, start)
    end = first.end() if first else start
    targets = [link.target for link in find_links(reading.text[start:end])]
    ends = [_end(reading, "from")[0], _end(reading, "to")[0]]
    opens = reading.text.startswith("[[", start)
    return end if opens and targets == ends else reading.front.body


def _units(reading: Reading, sentence: str) -> Iterator[Unit]:
    """Yield the sentence with the description, in pieces when that is long."""
    date = reading.scalar("valid_from") or reading.scalar("created")
    start = _description_start(reading)
    label = sentence.removesuffix(".")
    pieces = list(section_units(reading, "relation", label, date=date, start=start))
    if not pieces:
        yield Unit("relation", "", 1, sentence, date=date)
    yield from pieces

"""What entity and relation notes have in common: evidence, what it comes to, and what is odd."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.belief import Standing
from vault_memory.core.declared import Declared, base_of, standing_of
from vault_memory.core.evidence import EvidenceLine, Tally, tally
from vault_memory.core.findings import Finding
from vault_memory.core.provenance import AGENT_CAP
from vault_memory.errors import NoteError
from vault_memory.notes.belief_keys import (
    BASE_RULES,
    cached,
    confidence_agrees,
    counts_agree,
    differing,
    key_findings,
    prior_value,
    read_declared,
)
from vault_memory.notes.conflicts import conflict_regions
from vault_memory.notes.evidence_lines import Evidence, add_lines, read_evidence
from vault_memory.notes.frontmatter import Frontmatter, parse
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.reading import Reading
from vault_memory.notes.scalars import Value, quoted

BELIEF_KEYS = ("confidence", "alpha", "beta", "prior", "provenance", "self")

ENTITY_KEYS = ("id", "type", "abstract", "aliases", *BELIEF_KEYS, "created", "updated", "tags")
"""The keys of an entity note, in the order of the format."""

RELATION_KEYS = (
    "id",
    "type",
    "from",
    "rel",
    "to",
    *BELIEF_KEYS,
    "valid_from",
    "valid_until",
    "created",
    "updated",
)
"""The keys of a relation note, in the order of the format."""


@dataclass(frozen=True, slots=True)
class Believed:
    """The belief of a note: its lines, what they come to, and what is odd about it."""

    evidence: Evidence
    standing: Standing
    findings: tuple[Finding, ...]


def read_belief(reading: Reading, *, agent_cap: Decimal = AGENT_CAP) -> Believed:
    """Return the belief of an entity or relation note."""
    evidence = read_evidence(reading.text, reading.front.body, within=reading.sections)
    declared = read_declared(reading.front)
    base = base_of(declared, has_lines=bool(evidence.placed))
    total = tally(base.counts, evidence.lines, agent_cap=agent_cap)
    findings = [
        *key_findings(reading.front, reading.path),
        *_evidence_findings(evidence, reading.path),
        *(_cache_findings(reading, declared, total) if evidence.placed else ()),
    ]
    return Believed(evidence, standing_of(declared, base, total), tuple(findings))


def observe(
    text: str,
    lines: Sequence[EvidenceLine],
    *,
    id: str = "",  # noqa: A002 - the key of the format
    agent_cap: Decimal = AGENT_CAP,
    path: str = "",
) -> str:
    """Return an entity or relation note with evidence added and its cached keys brought up to date.

    Lines that are there already change nothing. A new line of an origin whose line is struck is
    struck at once. Before the first line the base is kept as a prior. Every other byte stays.

    Args:
        text: The note.
        lines: The new lines, in order.
        id: What the note's id is, for a note that holds none.
        agent_cap: The most that agent lines add in each direction.
        path: The note's path, for errors only.

    Raises:
        NoteError: The frontmatter must not be written to before a person has resolved it, or what
            it says of the belief cannot be understood.
    """
    refuse_conflict(text, path)
    front = parse(text)
    there = read_evidence(text, front.body).lines
    fresh = _fresh(there, lines)
    if not fresh:
        return text
    _refuse_unknown_base(front, path)
    declared = read_declared(front)
    base = base_of(declared, has_lines=bool(there))
    values: dict[str, Value] = {}
    if id and not front.get("id"):
        values["id"] = quoted(id)
    if not there and declared.prior != base.prior:
        values["prior"] = prior_value(base)
    values |= cached(front, tally(base.counts, [*there, *fresh], agent_cap=agent_cap))
    longer = add_lines(text, front.body, fresh, path=path)
    return set_values(longer, values, order=_order(front), path=path)


def settle(text: str, *, agent_cap: Decimal = AGENT_CAP, path: str = "") -> str:
    """Return the note with its cached keys as its evidence has them; what ``check --fix`` writes.

    A confidence that differs while the counts agree is a person's word and stays. A note without
    evidence stands by its own keys and stays as it is.

    Args:
        text: The note.
        agent_cap: The most that agent lines add in each direction.
        path: The note's path, for errors only.

    Raises:
        NoteError: The frontmatter must not be written to before a person has resolved it.
    """
    front = parse(text)
    if not read_evidence(text, front.body).placed:
        return text
    return with_cache(text, agent_cap=agent_cap, path=path, keep_edit=True)


def with_cache(
    text: str, *, agent_cap: Decimal = AGENT_CAP, path: str = "", keep_edit: bool = False
) -> str:
    """Return the note with its cached keys as its prior and evidence have them.

    Args:
        text: The note.
        agent_cap: The most that agent lines add in each direction.
        path: The note's path, for errors only.
        keep_edit: Whether a confidence that a person edited stays.

    Raises:
        NoteError: The note must not be written to before a person has resolved it.
    """
    refuse_conflict(text, path)
    front = parse(text)
    lines = read_evidence(text, front.body).lines
    declared = read_declared(front)
    total = tally(base_of(declared, has_lines=True).counts, lines, agent_cap=agent_cap)
    values = cached(front, total)
    if keep_edit and counts_agree(declared, total) and not confidence_agrees(declared, total):
        del values["confidence"]
    return set_values(text, values, order=_order(front), path=path)


def _order(front: Frontmatter) -> tuple[str, ...]:
    return RELATION_KEYS if front.get("type") == "relation" else ENTITY_KEYS


def _fresh(there: Sequence[EvidenceLine], lines: Sequence[EvidenceLine]) -> list[EvidenceLine]:
    """Return the lines that say something new, struck where their origin is retracted."""
    retracted = {line.origin for line in there if line.struck and not line.singly}
    ids = {line.id for line in there}
    said = {(line.origin, line.provenance, line.polarity) for line in there}
    fresh = []
    for line in lines:
        saying = (line.origin, line.provenance, line.polarity)
        if line.id in ids or saying in said:
            continue
        ids.add(line.id)
        said.add(saying)
        fresh.append(line._replace(struck=line.struck or line.origin in retracted))
    return fresh


def _refuse_unknown_base(front: Frontmatter, path: str) -> None:
    """Refuse to count on from a belief that a person wrote in a way nobody can count with."""
    for finding in key_findings(front, path):
        if finding.rule in BASE_RULES:
            raise NoteError(
                f"not written to: {finding.message}",
                where=f"{path}:{finding.line}" if path else f"line {finding.line}",
            )


def _evidence_findings(evidence: Evidence, path: str) -> list[Finding]:
    found = [
        Finding(
            path,
            item.number,
            "evidence-malformed",
            f"not an evidence line, so it counts for nothing: {item.text.strip()[:60]!r}",
            "error",
        )
        for item in evidence.malformed
    ]
    times = Counter(line.id for line in evidence.lines)
    if len(times) < len(evidence.placed):
        seen: set[str] = set()
        for placed in evidence.placed:
            if placed.line.id in seen:
                message = f"^{placed.line.id} stands twice and counts once; remove one"
                found.append(Finding(path, placed.number, "evidence-duplicate", message))
            seen.add(placed.line.id)
    if len(evidence.found) > 1:
        line = evidence.found[1].line
        message = "a second evidence section; both count, unite them"
        found.append(Finding(path, line, "evidence-sections", message, "notice"))
    return found


def _cache_findings(reading: Reading, declared: Declared, total: Tally) -> list[Finding]:
    """Return where the keys that should cache the evidence do not."""
    front, path = reading.front, reading.path
    if counts_agree(declared, total) and not confidence_agrees(declared, total):
        message = (
            "confidence was edited by hand and evidence says otherwise; make it evidence with"
            " vaultmem check --adopt"
        )
        line = reading.line_of("confidence")
        return [Finding(path, line, "confidence-edited", message)]
    if differing(front, cached(front, total)):
        line = reading.line_of("alpha")
        message = "keys differ from the evidence below; mend them with vaultmem check --fix"
        return [Finding(path, line, "counts-stale", message, fixable=front.ok)]
    return []


def refuse_conflict(text: str, path: str) -> None:
    """Refuse to write to a note in which both sides of a git conflict stand.

    Raises:
        NoteError: There is a conflict outside code.
    """
    for region in conflict_regions(text)[:1]:
        raise NoteError(
            "an unresolved git conflict",
            where=f"{path}:{region.line}" if path else f"line {region.line}",
            cure="Resolve it by hand or with: vaultmem resolve",
        )

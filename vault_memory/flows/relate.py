"""A new relation with its first evidence line, or an observation of one that exists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from vault_memory.core.answers import WriteAnswer
from vault_memory.core.belief import DEFAULT_PRIOR
from vault_memory.core.evidence import EvidenceLine
from vault_memory.core.identity import relation_id
from vault_memory.core.names import relation_stem
from vault_memory.core.relation import checked_rel
from vault_memory.errors import UsageError
from vault_memory.flows.believing import checked_prior
from vault_memory.flows.naming import (
    end_id,
    link_target,
    named_note,
    refuse_unsound,
    relations_between,
    stem_taken,
)
from vault_memory.flows.observation import Observation
from vault_memory.flows.observe import observed
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.flows.writing import Plan, create, write
from vault_memory.index.rows import NoteRow
from vault_memory.notes import relation_note
from vault_memory.redaction import redact
from vault_memory.vault.layout import RELATIONS

_ADD = "Add it with: vaultmem graph add-entity"


@dataclass(frozen=True, slots=True)
class NewRelation:
    """What was given of a relation; ``prior`` and ``valid_from`` are empty unless given."""

    source: str
    rel: str
    target: str
    description: str = ""
    prior: str = ""
    valid_from: str = ""


def relate(
    index: VaultIndex, wanted: NewRelation, observation: Observation, *, dry_run: bool = False
) -> WriteAnswer:
    """Write a new relation note with its first evidence line, or observe the one there is.

    Args:
        index: The open index of a vault that may be written.
        wanted: The relation; both ends are notes of the vault.
        observation: Who says so, and where it comes from.
        dry_run: Whether to answer the diff and write nothing.

    Raises:
        AmbiguousError: An end fits several notes.
        NotFoundError: An end is no note of the vault.
        NoteError: An end is a note that cannot be parsed.
        UsageError: The verb, prior or date is not one.
    """
    rel = checked_rel(wanted.rel)
    checked_prior(wanted.prior)
    if wanted.valid_from:
        _day(wanted.valid_from)

    def plan() -> Plan:
        source = named_note(index, wanted.source, cure=_ADD)
        target = named_note(index, wanted.target, cure=_ADD)
        for end in (source, target):
            refuse_unsound(index, end)
        existing = relations_between(index, source.path, rel, target.path)
        current = _current(existing, wanted.valid_from)
        if current is None:
            line = observation.line(index)
            return _new(index, wanted, (source, target), line, ordinal=len(existing) + 1)
        notice = "The prior of a belief that exists is not changed" if wanted.prior else ""
        return observed(index, current, observation, notice=notice)

    return write(index, plan, dry_run=dry_run)


def _current(existing: Sequence[NoteRow], valid_from: str) -> NoteRow | None:
    """The relation that an observation is of: one whose interval is open, else the latest."""
    open_ones = [note for note in existing if note.standing and not note.standing.valid_until]
    if open_ones or not existing:
        return open_ones[0] if open_ones else None
    ended = [note.standing.valid_until for note in existing if note.standing]
    returned = valid_from and all(valid_from > end for end in ended)
    return None if returned else existing[-1]


def _day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no date", cure="Write it as 2026-03-06") from None


def _new(
    index: VaultIndex,
    wanted: NewRelation,
    ends: tuple[NoteRow, NoteRow],
    line: EvidenceLine,
    *,
    ordinal: int,
) -> Plan:
    source, target = ends
    rel = wanted.rel
    stem = relation_stem(source.name, rel, target.name, taken=lambda name: stem_taken(index, name))
    text = relation_note.encode(
        source=link_target(index, source),
        rel=rel,
        target=link_target(index, target),
        lines=[line],
        id=relation_id(end_id(source), rel, end_id(target), ordinal),
        today=line.date,
        source_name=source.name,
        target_name=target.name,
        description=redact(wanted.description).text,
        prior=wanted.prior or DEFAULT_PRIOR,
        valid_from=wanted.valid_from,
    )
    message = f"Relate {source.name} {rel} {target.name}"
    return create(index, f"{RELATIONS}/{stem}.md", text, message=message)

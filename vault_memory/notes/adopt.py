"""A person's edit of a confidence, written down as evidence before anything else is."""

from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.adopt import HIGHEST, LOWEST, MOST_WEIGHT, adopt
from vault_memory.core.belief import write_number
from vault_memory.core.declared import base_of
from vault_memory.core.evidence import tally
from vault_memory.core.provenance import AGENT_CAP
from vault_memory.notes.belief_keys import confidence_agrees, counts_agree, read_declared
from vault_memory.notes.belief_note import refuse_conflict, with_cache
from vault_memory.notes.evidence_lines import PlacedLine, add_lines, read_evidence
from vault_memory.notes.frontmatter import parse


@dataclass(frozen=True, slots=True)
class Adopted:
    """A note with a person's edit as evidence.

    Attributes:
        text: The note; as it was when nobody edited its confidence.
        notice: What to tell the person when the confidence falls short of theirs; else empty.
    """

    text: str
    notice: str = ""


def adopt_edit(
    text: str, *, person: str, date: str, agent_cap: Decimal = AGENT_CAP, path: str = ""
) -> Adopted:
    """Turn a confidence that differs from counts which agree with the evidence into one line.

    A note holds at most one such line of a person: the older is taken out first.

    Args:
        text: The note.
        person: Git e-mail address or user of whoever is at the terminal.
        date: The UTC day.
        agent_cap: The most that agent lines add in each direction.
        path: The note's path, for errors and the notice.

    Raises:
        NoteError: The note must not be written to before a person has resolved it.
    """
    front = parse(text)
    evidence = read_evidence(text, front.body)
    declared = read_declared(front)
    base = base_of(declared, has_lines=True).counts
    total = tally(base, evidence.lines, agent_cap=agent_cap)
    edited = counts_agree(declared, total) and not confidence_agrees(declared, total)
    if not evidence.placed or not edited or declared.confidence is None:
        return Adopted(text)
    refuse_conflict(text, path)
    adoption = adopt(
        base, evidence.lines, declared.confidence, person=person, date=date, agent_cap=agent_cap
    )
    older = [placed for placed in evidence.placed if placed.line.origin == adoption.replaced]
    kept = _without(text, older)
    fresh = [adoption.line] if adoption.line else []
    longer = add_lines(kept, front.body, fresh, path=path)
    notice = ""
    if adoption.short:
        notice = (
            f"confidence {write_number(declared.confidence)} was adopted as"
            f" {write_number(adoption.mean)}: an edit is one line of at most {MOST_WEIGHT},"
            f" and keeps within {LOWEST} and {HIGHEST}"
        )
    return Adopted(with_cache(longer, agent_cap=agent_cap, path=path), notice)


def _without(text: str, placed: list[PlacedLine]) -> str:
    """Return the note without some of its evidence lines; a missing final newline stays missing."""
    for one in reversed(placed):
        before, behind = text[: one.start], text[one.end :]
        if behind:
            behind = behind[2:] if behind.startswith("\r\n") else behind[1:]
        else:
            before = before.removesuffix("\n").removesuffix("\r")
        text = before + behind
    return text

"""What is believed of a note, as commands answer it: with age, interval and all."""

from collections.abc import Collection
from datetime import date

from vault_memory.core.answers import Belief
from vault_memory.core.belief import DEFAULT_PRIOR, Standing, effective, interval, prior_counts
from vault_memory.core.entity import IMMUTABLE
from vault_memory.errors import UsageError
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow

_PLACES = 4


def belief(index: VaultIndex, note: NoteRow, today: date) -> Belief | None:
    """The belief of a note; None for notes that hold none."""
    if note.standing is None:
        return None
    faded = effective_confidence(index, note, today)
    return belief_of(note.standing, effective=faded)


def checked_prior(given: str) -> str:
    """The prior that was given, or the default when none was.

    Raises:
        UsageError: It is neither the name of one nor a pair.
    """
    if given and prior_counts(given) is None:
        raise UsageError(
            f"No prior {given!r}",
            cure="Give authoritative, explicit, inferred, speculative or a pair such as 4:6",
        )
    return given or DEFAULT_PRIOR


def belief_of(standing: Standing, *, effective: float) -> Belief:
    """A belief as it is answered, its effective confidence being known."""
    low, high = interval(standing.counts)
    return Belief(
        {
            "alpha": float(standing.alpha),
            "beta": float(standing.beta),
            "confidence": round(standing.mean, _PLACES),
            "effective": round(effective, _PLACES),
            "interval": (round(low, _PLACES), round(high, _PLACES)),
            "self": float(standing.self_part),
            "prior": standing.prior,
            "provenance": standing.provenance or None,
            "valid_from": standing.valid_from or None,
            "valid_until": standing.valid_until or None,
            "unsupported": standing.unsupported,
        }
    )


def effective_confidence(
    index: VaultIndex, note: NoteRow, today: date, *, ends: Collection[NoteRow] | None = None
) -> float:
    """How sure a belief is at this day, age included; 1 for a note that holds no belief.

    Args:
        index: The open index.
        note: The entity or relation.
        today: The UTC day.
        ends: The notes that a relation relates, if they are at hand.
    """
    if note.standing is None:
        return 1.0
    half_lives = index.vault.config.graph_half_life_days
    return effective(
        note.standing,
        today=today,
        updated=note.updated,
        half_life=half_lives.get(note.type, half_lives["default"]),
        lasting=_lasts(index, note, ends),
    )


def _lasts(index: VaultIndex, note: NoteRow, ends: Collection[NoteRow] | None) -> bool:
    """Whether a relation touches an entity that never changes, so that it never fades."""
    if note.kind != "relation":
        return False
    if ends is None:
        own = [row for row in index.catalog.relations_of([note.key]) if row.note == note.key]
        keys = {key for row in own for key in (row.source_note, row.target_note) if key is not None}
        ends = index.catalog.notes_by_key(keys).values()
    return any(end.type in IMMUTABLE for end in ends)

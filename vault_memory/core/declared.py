"""What a note's own keys say of its belief, and the base they give for evidence to build on."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.belief import (
    DEFAULT_PRIOR,
    PRIOR_WORTH,
    PRIORS,
    Counts,
    Standing,
    agree,
    prior_counts,
    prior_name,
    rounded,
)
from vault_memory.core.evidence import EvidenceLine, Tally, tally
from vault_memory.core.provenance import AGENT_CAP


@dataclass(frozen=True, slots=True)
class Declared:
    """The belief keys of a note as they stand in its frontmatter.

    Attributes:
        prior: As written; empty when missing.
        alpha: None when missing or no number.
        beta: None when missing or no number.
        confidence: Within [0, 1]; None when missing or no such number.
        provenance: As written; empty when missing.
        valid_from: As written; empty when missing.
        valid_until: As written; empty when missing.
    """

    prior: str = ""
    alpha: Decimal | None = None
    beta: Decimal | None = None
    confidence: Decimal | None = None
    provenance: str = ""
    valid_from: str = ""
    valid_until: str = ""


@dataclass(frozen=True, slots=True)
class Base:
    """Where a belief starts before evidence: its counts, and how they are written as a prior."""

    counts: Counts
    prior: str


def base_of(declared: Declared, *, has_lines: bool) -> Base:
    """Return the base that a note's keys give.

    With evidence lines the base is the prior, since the counts are then a cache. Without any the
    note stands by alpha and beta; confidence wins over them where they disagree and keeps their
    sum, and alone is worth ten observations; with none of these it is the prior.
    """
    named = prior_counts(declared.prior)
    if has_lines or not _has_counts(declared):
        if named is None:
            return Base(PRIORS[DEFAULT_PRIOR], DEFAULT_PRIOR)
        return Base(named, declared.prior)
    counts = _own_counts(declared)
    if named == counts:
        return Base(counts, declared.prior)
    return Base(counts, prior_name(counts, declared=declared.prior))


def stand(
    declared: Declared, lines: Sequence[EvidenceLine], *, agent_cap: Decimal = AGENT_CAP
) -> Standing:
    """Return what is believed of a note by its keys and all its evidence lines, struck ones too."""
    base = base_of(declared, has_lines=bool(lines))
    return standing_of(declared, base, tally(base.counts, lines, agent_cap=agent_cap))


def standing_of(declared: Declared, base: Base, total: Tally) -> Standing:
    """Return what is believed of a note by its keys, where it began and what that came to."""
    return Standing(
        alpha=total.alpha,
        beta=total.beta,
        self_part=total.self_part,
        prior=base.prior,
        provenance=total.provenance or declared.provenance,
        valid_from=declared.valid_from,
        valid_until=declared.valid_until,
        last_support=total.last_support,
        unsupported=total.unsupported,
    )


def _has_counts(declared: Declared) -> bool:
    return declared.confidence is not None or _total(declared) > 0


def _total(declared: Declared) -> Decimal:
    """Return alpha and beta together; 0 where one is missing or both are too small to be kept."""
    alpha, beta = declared.alpha, declared.beta
    if alpha is None or beta is None or not (rounded(alpha) or rounded(beta)):
        return Decimal(0)
    return alpha + beta


def _own_counts(declared: Declared) -> Counts:
    """Return the counts of a note without lines that has confidence, alpha and beta, or both."""
    total, confidence = _total(declared), declared.confidence
    if total and declared.alpha is not None and declared.beta is not None:
        counts = Counts(declared.alpha, declared.beta)
        if confidence is None or agree(confidence, counts.mean):
            return counts
    worth = total or PRIOR_WORTH
    for_it = worth * (confidence or Decimal(0))
    return Counts(for_it, worth - for_it)

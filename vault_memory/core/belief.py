"""A belief: a Beta distribution over whether a claim holds, where it began and how it fades."""

import math
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from vault_memory.core.beta import quantile

PRIOR_WORTH = Decimal(10)
"""How many observations a prior is worth."""

DEFAULT_PRIOR = "explicit"

FADING_FLOOR = 0.3
"""The confidence below which age alone takes no belief."""

DEFAULT_HALF_LIFE = 180.0
"""Days after which a belief has lost half of what stands above the floor."""

_PLACES = Decimal("0.0001")
_AGREES = _PLACES / 2


@dataclass(frozen=True, slots=True)
class Counts:
    """What was observed for a claim (alpha) and against it (beta)."""

    alpha: Decimal
    beta: Decimal

    @property
    def mean(self) -> Decimal:
        """The confidence, alpha / (alpha + beta); one half when nothing was observed at all."""
        total = self.alpha + self.beta
        return self.alpha / total if total else Decimal("0.5")


PRIORS = {
    "authoritative": Counts(Decimal(10), Decimal(0)),
    "explicit": Counts(Decimal(9), Decimal(1)),
    "inferred": Counts(Decimal(6), Decimal(4)),
    "speculative": Counts(Decimal(3), Decimal(7)),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What is believed of one note.

    Attributes:
        alpha: Observations for it, the prior's among them.
        beta: Observations against it, the prior's among them.
        self_part: The part of alpha and beta together that came from agents, after their cap.
        prior: How the claim first came in: a name of ``PRIORS`` or a pair such as ``4:6``.
        provenance: Who gave the heaviest support that counts; empty when unknown.
        valid_from: The day from which it is true; empty when not given.
        valid_until: The day until which it was true; empty when open.
        last_support: The day of the last support that counts; else empty.
        unsupported: Whether it had evidence and none of that counts any more.
    """

    alpha: Decimal
    beta: Decimal
    self_part: Decimal
    prior: str
    provenance: str
    valid_from: str
    valid_until: str
    last_support: str
    unsupported: bool

    @property
    def counts(self) -> Counts:
        """Alpha and beta together."""
        return Counts(self.alpha, self.beta)

    @property
    def mean(self) -> float:
        """The confidence."""
        return float(self.counts.mean)


def prior_counts(prior: str) -> Counts | None:
    """Return what a prior is worth, given by name or as a pair; None when it is neither.

    Args:
        prior: A name of ``PRIORS``, or two numbers such as ``4:6`` that are not both nought.
    """
    if prior in PRIORS:
        return PRIORS[prior]
    first, colon, second = prior.partition(":")
    alpha, beta = parse_number(first), parse_number(second)
    if not colon or alpha is None or beta is None or not alpha + beta:
        return None
    return Counts(alpha, beta)


def prior_name(base: Counts, *, declared: str = "") -> str:
    """Return how a base is written down: by its declared name when that gives it, else as a pair.

    Args:
        base: The counts before any evidence.
        declared: The prior that the note names; without one a claim came in as ``explicit``.
    """
    name = declared or DEFAULT_PRIOR
    if PRIORS.get(name) == base:
        return name
    return f"{write_number(base.alpha)}:{write_number(base.beta)}"


def parse_number(text: str) -> Decimal | None:
    """Return a count or weight written as plain digits with at most one point, else None.

    Signs, exponents, words and more than 12 digits before the point are no counts.
    """
    whole, _, part = text.strip().partition(".")
    digits = whole + part
    if not (digits.isascii() and digits.isdigit()) or len(whole) > 12 or len(part) > 20:
        return None
    return Decimal(f"{whole or '0'}.{part or '0'}")


def write_number(number: Decimal) -> str:
    """Return a number as notes hold it: decimal, at most four places, no needless noughts."""
    text = f"{rounded(number):f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rounded(number: Decimal) -> Decimal:
    """Return a number with the four places that notes hold of it."""
    with localcontext() as context:
        context.prec = 60
        return number.quantize(_PLACES, rounding=ROUND_HALF_EVEN)


def agree(one: Decimal, other: Decimal) -> bool:
    """Tell whether two numbers are the same as far as notes hold them."""
    return abs(one - other) <= _AGREES


def variance(counts: Counts) -> float:
    """Return ``ab / ((a + b)^2 (a + b + 1))`` of alpha a and beta b; 0 when one of them is 0."""
    alpha, beta = float(counts.alpha), float(counts.beta)
    total = alpha + beta
    return alpha * beta / (total * total * (total + 1)) if alpha and beta else 0.0


def interval(counts: Counts, *, level: float = 0.9) -> tuple[float, float]:
    """Return the equal-tailed interval that holds the claim's probability at this level.

    With beta 0 it is [1, 1] and with alpha 0 [0, 0]. It takes origins as independent, which the
    sessions of one person are not quite: it is nominal.
    """
    if not counts.beta and counts.alpha:
        return (1.0, 1.0)
    if not counts.alpha:
        return (0.0, 0.0) if counts.beta else (0.0, 1.0)
    tail = (1 - level) / 2
    alpha, beta = float(counts.alpha), float(counts.beta)
    return (quantile(alpha, beta, tail), quantile(alpha, beta, 1 - tail))


def log_odds(mean: float) -> float:
    """Return ``ln(mean / (1 - mean))``, the mean clamped to [.001, .999] to stay finite."""
    clamped = min(max(mean, 0.001), 0.999)
    return math.log(clamped / (1 - clamped))


def faded(mean: float, age: float | None, half_life: float = DEFAULT_HALF_LIFE) -> float:
    """Return ``f + (mean - f) * 2^(-age / half_life)`` with ``f = min(mean, 0.3)``.

    Args:
        mean: The confidence.
        age: Days since the last support; before it counts as 0; None, when unknown, fades nothing.
        half_life: Days; one that is not above 0 fades nothing.
    """
    if age is None or age <= 0 or half_life <= 0:
        return mean
    floor = min(mean, FADING_FLOOR)
    return float(floor + (mean - floor) * 2.0 ** (-age / half_life))


def effective(
    standing: Standing,
    *,
    today: date,
    updated: str = "",
    half_life: float = DEFAULT_HALF_LIFE,
    lasting: bool = False,
) -> float:
    """Return the confidence that is left at this day; it ranks and is told, and never written.

    Args:
        standing: What is believed.
        today: The UTC day at which it is asked.
        updated: The note's own day, for a belief without a supporting line.
        half_life: Days, by the type of the entity.
        lasting: Whether it never fades: a relation that touches an immutable entity.
    """
    if lasting or standing.prior == "authoritative":
        return standing.mean
    since = day_of(standing.last_support) or day_of(updated)
    age = None if since is None else float((today - since).days)
    return faded(standing.mean, age, half_life)


def day_of(text: str) -> date | None:
    """Return the day that an ISO 8601 day or time begins with; None when it begins with none."""
    head = text[:10]
    if len(head) != 10 or head[4] != "-" or head[7] != "-":
        return None
    try:
        return date.fromisoformat(head)
    except ValueError:
        return None

"""A confidence that a person wrote into a note, turned into the one line that says as much."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.belief import Counts, agree, rounded
from vault_memory.core.evidence import EvidenceLine, Polarity, new_line, tally
from vault_memory.core.identity import origin_key
from vault_memory.core.provenance import AGENT_CAP

MOST_WEIGHT = Decimal(20)
LOWEST, HIGHEST = Decimal("0.02"), Decimal("0.98")
_FALLS_SHORT = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Adoption:
    """What becomes of a person's edit.

    Attributes:
        line: The line that moves the mean; None when it lies there without one.
        replaced: The key of the origin whose older line the new one takes the place of.
        mean: The confidence that comes out.
        short: Whether that is not what the person wrote.
    """

    line: EvidenceLine | None
    replaced: str
    mean: Decimal
    short: bool


def adopt(
    base: Counts,
    lines: Sequence[EvidenceLine],
    confidence: Decimal,
    *,
    person: str,
    date: str,
    agent_cap: Decimal = AGENT_CAP,
) -> Adoption:
    """Return the human line that moves the mean to a confidence that was edited by hand.

    With alpha a and beta b of the other lines, ``w = (t (a + b) - a) / (1 - t)`` in support or
    ``w = a / t - (a + b)`` against moves the mean to t. It is at most 20, and t is kept within
    [.02, .98].

    Args:
        base: What the prior is worth.
        lines: All lines of the note, an older edit of that person among them.
        confidence: What the person wrote.
        person: Git e-mail address or user.
        date: The UTC day.
        agent_cap: The most that agent lines add in each direction.
    """
    origin = f"edit:{person}"
    key = origin_key(origin)
    others = [line for line in lines if line.origin != key]
    before = tally(base, others, agent_cap=agent_cap).counts
    target = min(max(confidence, LOWEST), HIGHEST)
    weight = _weight(before, target)
    line = None
    if weight:
        polarity: Polarity = "supports" if target >= before.mean else "contradicts"
        line = new_line(origin, date=date, polarity=polarity, provenance="human", weight=weight)
    after = tally(base, [*others, line] if line else others, agent_cap=agent_cap).counts.mean
    return Adoption(line, key, after, abs(after - confidence) > _FALLS_SHORT)


def _weight(before: Counts, target: Decimal) -> Decimal:
    """Return what moves the mean to the target; 0 where it is that already, as it is written."""
    if agree(target, before.mean):
        return Decimal(0)
    total = before.alpha + before.beta
    if target > before.mean:
        needed = (target * total - before.alpha) / (1 - target)
    else:
        needed = before.alpha / target - total
    return rounded(min(needed, MOST_WEIGHT))

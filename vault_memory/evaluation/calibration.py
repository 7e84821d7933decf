"""Fitting the probability of hits to labelled questions, and measuring how true it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vault_memory.core.probability import REACH, Weights, probability, standings

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS = 10
SHOWN = 10
"""Hits that an answer has unless more are asked for."""

Told = tuple[float, bool]
"""The probability of a hit, and whether it answers."""

_RIDGE = 1e-3
"""Holds the weights of few hits, of which all or none answer, within bounds."""

_STEPS = 100
_ENOUGH = 1e-10


@dataclass(frozen=True, slots=True)
class Asked:
    """What was found for one question.

    Attributes:
        group: What is left out together with this question, such as its conversation.
        scores: Of the hits, best first.
        right: Which of them answer.
        said: The probabilities that were said of them.
    """

    group: str
    scores: Sequence[float]
    right: Sequence[bool]
    said: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Bin:
    """The hits whose probability lies in one tenth.

    Attributes:
        number: How many.
        told: The mean of their probabilities.
        right: The share of them that answer.
    """

    number: int
    told: float
    right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How good probabilities are.

    Attributes:
        hits: How many were measured.
        auroc: The chance that a hit which answers is told to be more probable than one that does
            not (Hanley and McNeil, 1982); 0.5 where there is nothing to tell apart.
        ece: The expected calibration error: how far the probability told and the share that
            answers lie apart, the mean over `BINS` equal bins by their numbers (Naeini et al.,
            2015).
        bins: The bins; None for one that is empty.
    """

    hits: int
    auroc: float
    ece: float
    bins: tuple[Bin | None, ...] = field(default=())


def fit(asked: Sequence[Asked]) -> Weights:
    """Return the weights under which what answers is most likely (Newton's method)."""
    import numpy as np

    standing = [one for each in asked for one in standings(each.scores)[:REACH]]
    signals = np.array([[1.0, one.behind, one.ahead] for one in standing])
    right = np.array([float(one) for each in asked for one in each.right[:REACH]])
    weights: NDArray[np.float64] = np.zeros(3)
    for _ in range(_STEPS):
        told = 1 / (1 + np.exp(-(signals @ weights)))
        slope = signals.T @ (right - told) - _RIDGE * weights
        curve = (signals * (told * (1 - told))[:, None]).T @ signals + _RIDGE * np.eye(3)
        step = np.linalg.solve(curve, slope)
        weights += step
        if float(np.abs(step).max()) < _ENOUGH:
            break
    base, behind, ahead = (float(one) for one in weights)
    return Weights(base, behind, ahead)


def told(asked: Sequence[Asked], *, most: int = REACH) -> list[Told]:
    """Return what was said of every hit up to a place, and whether it answers."""
    return [pair for one in asked for pair in zip(one.said[:most], one.right[:most], strict=True)]


def told_by(asked: Sequence[Asked], weights: Weights, *, most: int = REACH) -> list[Told]:
    """Return what the weights say of every hit up to a place, and whether it answers."""
    return [
        (probability(standing, weights), right)
        for one in asked
        for standing, right in zip(standings(one.scores)[:most], one.right, strict=False)
    ]


def told_left_out(asked: Sequence[Asked], *, most: int = REACH) -> list[Told]:
    """Return the same, each group's by weights that were fitted to the other groups."""
    found: list[Told] = []
    for group in dict.fromkeys(one.group for one in asked):
        weights = fit([one for one in asked if one.group != group])
        found += told_by([one for one in asked if one.group == group], weights, most=most)
    return found


def calibration(pairs: Sequence[Told]) -> Calibration:
    """Measure probabilities, of which some answer and some do not."""
    binned: list[list[Told]] = [[] for _ in range(BINS)]
    for pair in pairs:
        binned[min(int(pair[0] * BINS), BINS - 1)].append(pair)
    bins = tuple(map(_bin, binned))
    off = sum(one.number * abs(one.told - one.right) for one in bins if one)
    return Calibration(len(pairs), _auroc(pairs), off / len(pairs), bins)


def _bin(pairs: Sequence[Told]) -> Bin | None:
    if not pairs:
        return None
    number = len(pairs)
    return Bin(number, sum(p for p, _ in pairs) / number, sum(right for _, right in pairs) / number)


def _auroc(pairs: Sequence[Told]) -> float:
    by_value: dict[float, list[int]] = {}
    for value, right in pairs:
        by_value.setdefault(value, [0, 0])[right] += 1
    wrong = won = 0.0
    for value in sorted(by_value):
        lost, good = by_value[value]
        won += good * (wrong + lost / 2)
        wrong += lost
    rights = len(pairs) - wrong
    return won / (wrong * rights) if wrong and rights else 0.5


def reliability(measured: Calibration) -> Iterator[str]:
    """Yield the reliability table as markdown."""
    yield "| probability | hits | told | answer |"
    yield "|---|--:|--:|--:|"
    for place, one in enumerate(measured.bins):
        if one:
            low, high = place / BINS, (place + 1) / BINS
            yield f"| {low:.1f} to {high:.1f} | {one.number} | {one.told:.3f} | {one.right:.3f} |"

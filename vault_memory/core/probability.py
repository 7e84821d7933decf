"""How probable it is that a hit answers, told from how it stands among the others of its kind.

``p = 1 / (1 + exp(-(base + behind * b + ahead * a / rank)))``, where ``rank`` counts from 1, ``b``
is how far the hit's score lies behind the best one, and ``a`` how far the best lies ahead of the
second; both as parts of the way from the best score to that of the `REACH`-th, so that a change of
scale in the ranking changes nothing. Where other kinds were searched too, ``b`` is as much more as
the best of this kind lies behind the best of all. No hit is ever more probable than one of its kind
before it.

It is the probability that a person who knows the answer would point at this hit, given that there
is an answer: whether there is one, no score tells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

REACH = 50
"""The place whose score counts as having nothing to do with the query any more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the log-odds are made of: where they begin, and what each part of the way adds."""

    base: float
    behind: float
    ahead: float


FITTED = Weights(base=-0.9, behind=-5.9, ahead=5.8)
"""Fitted on the turns of LoCoMo's open half by ``scripts/bench calibration``, and rounded.

Notes have the same: where one note answers it is as true of them, and where a question needs
several it says too little rather than too much. Weights of their own, fitted to questions that need
several, put notes before turns that answer.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a hit stands among the others.

    Attributes:
        behind: How far it lies behind the best of its kind, at most 1, and that behind the best.
        ahead: How far the best lies ahead of the second, divided by the rank of this one.
    """

    behind: float
    ahead: float


def standings(scores: Sequence[float], *, lag: float = 0.0) -> list[Standing]:
    """Return how each hit stands, given the scores, best first.

    Where there are fewer than `REACH`, what is not there scores 0, and being ahead counts for that
    much less: among few it is easy to stand out.

    Args:
        scores: Of the hits of one kind.
        lag: What `lag` returned for them.
    """
    way = _way(scores)
    if way <= 0:
        return [Standing(lag, 0.0)] * len(scores)
    best = scores[0]
    second = scores[1] if len(scores) > 1 else best - way
    ahead = min(1.0, len(scores) / REACH) * (best - second) / way
    return [
        Standing(min(1.0, (best - score) / way) + lag, ahead / rank)
        for rank, score in enumerate(scores, 1)
    ]


def lag(scores: Sequence[float], best_of_all: float) -> float:
    """Return how far the best of a kind lies behind the best of all, as a part of its kind's way.

    Args:
        scores: Of the hits of the kind, best first, as they compare with those of other kinds.
        best_of_all: The best score of any kind.
    """
    way = _way(scores)
    return (best_of_all - scores[0]) / way if way > 0 else 0.0


def _way(scores: Sequence[float]) -> float:
    """How far it is from the best score to the last that counts."""
    if not scores:
        return 0.0
    return scores[0] - (scores[REACH - 1] if len(scores) >= REACH else min(0.0, scores[-1]))


def probability(standing: Standing, weights: Weights = FITTED) -> float:
    """Return the probability, within [0, 1], that a hit which stands like this answers."""
    odds = weights.base + weights.behind * standing.behind + weights.ahead * standing.ahead
    return 1 / (1 + math.exp(-odds)) if odds > 0 else math.exp(odds) / (1 + math.exp(odds))


def probabilities(scores: Sequence[float], *, lag: float = 0.0) -> list[float]:
    """Return the probability of each hit of a kind, given the scores, best first."""
    return [probability(one) for one in standings(scores, lag=lag)]

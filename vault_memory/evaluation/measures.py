"""How good a ranking is, given what should have been found."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one ranking, or their mean over several; each within [0, 1].

    Attributes:
        recall_5: The share of what is relevant among the first five.
        recall_10: Among the first ten.
        recall_50: Among the first fifty.
        mrr: One over the place of the first relevant one.
        ndcg_10: Discounted cumulative gain of the first ten over the best possible, gains 0 or 1
            (Järvelin and Kekäläinen, 2002).
    """

    recall_5: float
    recall_10: float
    recall_50: float
    mrr: float
    ndcg_10: float


def measure(ranked: Sequence[str], relevant: Collection[str]) -> Measures:
    """Measure one ranking; what comes up again counts where it came first.

    Args:
        ranked: What was found, best first.
        relevant: What should be, at least one.
    """
    wanted = set(relevant)
    places = [place for place, one in enumerate(dict.fromkeys(ranked), 1) if one in wanted]
    gain = sum(1 / math.log2(place + 1) for place in places if place <= 10)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(wanted), 10) + 1))

    def recall(first: int) -> float:
        return sum(place <= first for place in places) / len(wanted)

    return Measures(
        recall(5), recall(10), recall(50), 1 / places[0] if places else 0.0, gain / ideal
    )


def mean(measured: Sequence[Measures]) -> Measures:
    """Return the mean of each measure over at least one ranking."""
    number = len(measured)
    return Measures(
        recall_5=sum(one.recall_5 for one in measured) / number,
        recall_10=sum(one.recall_10 for one in measured) / number,
        recall_50=sum(one.recall_50 for one in measured) / number,
        mrr=sum(one.mrr for one in measured) / number,
        ndcg_10=sum(one.ndcg_10 for one in measured) / number,
    )

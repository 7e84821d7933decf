"""The second stage of ranking: turns of conversations among themselves, token by token."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vault_memory.core.ranking import minmax

NEIGHBOUR = 0.9
"""What a token of the turn before or after counts for, beside the turn's own."""

WITH_TOKENS: Mapping[str, float] = {
    "first": 1.0,
    "own": 0.5,
    "before": 1.0,
    "around": 1.0,
    "session_first": 1.0,
    "session_around": 1.0,
    "date": 0.5,
    "other": -0.5,
    "asks": -0.5,
    "time": 0.5,
    "name": 0.5,
}
"""What each signal adds at most.

All count the same but for the halves: weights fitted to LoCoMo do no better on what they were not
fitted to.
"""

WITHOUT_TOKENS: Mapping[str, float] = {
    "first": 1.0,
    "session_first": 1.0,
    "date": 0.25,
    "other": -0.25,
    "asks": -0.25,
    "time": 0.25,
    "name": 0.25,
}
"""The same where tokens have no vectors; with so little else, what is yes or no counts less."""

_TIME = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|ago|recently|last|next"
    r"|(?:day|week|weekend|month|year|morning|evening|night)s?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|winter|(?:19|20)[0-9]{2})\b",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(
    r"\b(?:when|how long|(?:what|which) (?:date|day|month|year|time|week))\b", re.IGNORECASE
)
_ASKS_NAME = re.compile(r"\b(?:who|whose|whom|which|where|names?|called)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=\s)(?<![.!?]\s)[\"'(]?(?!I\b)[A-Z][\w']+")
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True, slots=True)
class Alike:
    """How near the tokens of a query are to those of a turn; means over the query's tokens.

    Attributes:
        own: The turn's own tokens, all of the query's counting the same.
        before: Those of the turn or the one before it, the query's weighed by their rarity.
        around: Those of the turn, the one before or the one after it, weighed likewise.
    """

    own: float
    before: float
    around: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was found.

    Attributes:
        id: The unit's number.
        first: Its score in the first stage.
        session: The number of its conversation.
        text: What was said, without the speaker's name.
        dated: Whether the query names a day or month and this is of it.
        other: Whether the query names one speaker and this is another's.
        alike: None when its tokens have no vectors.
    """

    id: int
    first: float
    session: int
    text: str
    dated: bool = False
    other: bool = False
    alike: Alike | None = None


def rerank(
    query: str, turns: Sequence[Turn], *, meaning: float = 1.0
) -> list[tuple[int, dict[str, float]]]:
    """Return the turns in their new order, each with what every signal adds to its new score.

    The score is linear in: its score in the first stage; how alike tokens are in the turn, with
    the one before, and with both neighbours; the best first score and the best likeness of its
    conversation; whether the date fits; whether somebody else says it than the one asked about;
    whether it asks instead of answering; whether it tells a time where the query asks for one, or
    a name likewise. Scores and likenesses are brought to [0, 1] among these turns (late
    interaction: Khattab and Zaharia, 2020). Equal scores stay in the order given.

    Args:
        query: What was asked.
        turns: The best of the first stage, best first; unless all of them have ``alike``, none of
            it counts.
        meaning: What all but the first stage counts for, within [0, 1]: nothing where the model
            cannot read the query, and the first stage goes by its words.
    """
    signals = _signals(query, turns)
    weights = WITH_TOKENS if "own" in signals else WITHOUT_TOKENS
    counts = {name: 1.0 if name == "first" else meaning for name in weights}
    parts = [
        {name: weight * counts[name] * signals[name][at] for name, weight in weights.items()}
        for at in range(len(turns))
    ]
    order = sorted(range(len(turns)), key=lambda at: -sum(parts[at].values()))
    return [(turns[at].id, parts[at]) for at in order]


def _signals(query: str, turns: Sequence[Turn]) -> dict[str, list[float]]:
    sessions = [turn.session for turn in turns]
    first = minmax(turn.first for turn in turns)
    asks_time, asks_name = _ASKS_TIME.search(query), _ASKS_NAME.search(query)
    signals = {
        "first": first,
        "session_first": _best_of(sessions, first),
        "date": [float(turn.dated) for turn in turns],
        "other": [float(turn.other) for turn in turns],
        "asks": [float(turn.text.rstrip().endswith(_QUESTION_MARKS)) for turn in turns],
        "time": [float(bool(asks_time and _TIME.search(turn.text))) for turn in turns],
        "name": [float(bool(asks_name and _NAME.search(turn.text))) for turn in turns],
    }
    alike = [turn.alike for turn in turns if turn.alike is not None]
    if len(alike) == len(turns):
        around = minmax(one.around for one in alike)
        signals |= {
            "own": minmax(one.own for one in alike),
            "before": minmax(one.before for one in alike),
            "around": around,
            "session_around": _best_of(sessions, around),
        }
    return signals


def _best_of(sessions: Iterable[int], values: Sequence[float]) -> list[float]:
    """For each value, the best of its session."""
    listed = list(sessions)
    best: dict[int, float] = {}
    for session, value in zip(listed, values, strict=True):
        best[session] = max(best.get(session, 0.0), value)
    return [best[session] for session in listed]

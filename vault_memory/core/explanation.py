"""Why a hit scores what it does, in words that a person understands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_memory.core.found import Explanation, ScorePart

_PLACES = 4
_WORDS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Reasons:
    """What the parts of a score rest on.

    Attributes:
        cosine: Of the unit's vector with the query's; None when it has no vector.
        held: The query's words that the unit is found by.
        missing: Those that it lacks.
        named: Whom the query names.
        path: The names on the way from the hit that led here, that hit first; empty when none did.
    """

    cosine: float | None = None
    held: Sequence[str] = ()
    missing: Sequence[str] = ()
    named: Sequence[str] = ()
    path: Sequence[str] = ()


def explain(
    parts: Mapping[str, float], reasons: Reasons, again: Mapping[str, float] | None = None
) -> Explanation:
    """Return each part of a score that is not 0, with its reason.

    Args:
        parts: What each signal adds, by its name; their sum is the score.
        reasons: What they rest on.
        again: What each signal added when turns were ranked again, by its name.
    """
    said = [
        ScorePart(signal=signal, adds=round(adds, _PLACES), why=_REASONS[signal](reasons))
        for signal, adds in parts.items()
        if round(adds, _PLACES)
    ]
    compared = [
        ScorePart(signal=signal, adds=round(adds, _PLACES), why=AGAIN[signal])
        for signal, adds in (again or {}).items()
        if round(adds, _PLACES)
    ]
    return Explanation(parts=said, again=compared)


def _meaning(reasons: Reasons) -> str:
    near = f"cosine {reasons.cosine:.2f}" if reasons.cosine is not None else "no vector yet"
    return f"how near its meaning is to the query's, beside the others ({near})"


def _words(reasons: Reasons) -> str:
    lacks = f", and not {_quoted(reasons.missing)}" if reasons.missing else ""
    return f"it holds the query's {_quoted(reasons.held)}{lacks}"


def _name(reasons: Reasons) -> str:
    return f"it belongs to {' and '.join(reasons.named)}, whom the query names"


def _date(reasons: Reasons) -> str:
    del reasons
    return "it is of the time that the query names"


def _context(reasons: Reasons) -> str:
    del reasons
    return "what was said just before and after it answers too"


def _again(reasons: Reasons) -> str:
    del reasons
    return "the place it came to when the turns that were found were compared once more"


def _kind(reasons: Reasons) -> str:
    del reasons
    return "the place it came to when turns and notes were put in one order"


def _graph(reasons: Reasons) -> str:
    return f"it hangs together with another hit: {' → '.join(reasons.path)}"


_REASONS = {
    "dense": _meaning,
    "lexical": _words,
    "name": _name,
    "date": _date,
    "context": _context,
    "again": _again,
    "kind": _kind,
    "graph": _graph,
}

AGAIN = {
    "first": "its score in the first ranking",
    "own": "its own words, beside each word of the query",
    "before": "its words or those of the turn before, the rare words of the query first",
    "around": "its words or those of the turn before or after",
    "session_first": "the best score in its conversation",
    "session_around": "the best likeness of words in its conversation",
    "date": "it is of the time that the query names",
    "other": "somebody else says it than the one the query names",
    "asks": "it asks instead of answering",
    "time": "it tells a time, and the query asks for one",
    "name": "it tells a name, and the query asks who, which or where",
}
"""Why a signal counts when turns are ranked again."""


def _quoted(words: Sequence[str]) -> str:
    shown = ", ".join(f"\u201c{word}\u201d" for word in words[:_WORDS_SHOWN])
    return shown + (" …" if len(words) > _WORDS_SHOWN else "")

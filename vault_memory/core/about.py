"""Whom a query asks for, and whether what was found is about them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_memory.core.found import About, Hit
from vault_memory.core.identity import fold

ROLES = frozenset({"user", "assistant", "human", "agent", "system"})
"""What speakers are called who have no name."""

_BEST_TURNS = 3
_MOST_FOUND = 5
_LETTERS = 3
"""Letters that a name has at least, so that an initial or a unit is no name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a query asks for.

    Attributes:
        known: Names of entities and speakers of the vault, as the vault writes them.
        unknown: Names that nothing in the vault mentions, as the query writes them.
        closer: Another speaker whose words fit the query better; empty when there is none.
    """

    known: Sequence[str] = ()
    unknown: Sequence[str] = ()
    closer: str = ""


def possible_names(query: str) -> list[str]:
    """Return the words of a query that look like a name: with a capital, but not for beginning it.

    In scripts without capitals nothing looks like a name.
    """
    _, *rest = query.split() or [""]
    words = [
        word.strip(".,;:!?\"'()[]").removesuffix("'s").removesuffix("\u2019s") for word in rest
    ]
    return list(
        dict.fromkeys(word for word in words if len(word) >= _LETTERS and word[0].isupper())
    )


def about(asked: Asked, hits: Sequence[Hit]) -> About:
    """Compare whom a query asks for with whom the hits are about, by, or mention.

    Args:
        asked: Whom the query asks for.
        hits: What was found, best first.
    """
    speaking = [one["speaker"] or one["name"] for one in hits if one["kind"] != "relation"]
    found = [name for name in dict.fromkeys(speaking) if fold(name) not in ROLES]
    missing = [name for name in asked.known if not any(_concerns(one, name) for one in hits)]
    return About(
        asked=[*asked.known, *asked.unknown],
        found=found[:_MOST_FOUND],
        missing=[*missing, *asked.unknown],
        closer=asked.closer or None,
    )


def closer_speaker(asked: str, said: Iterable[tuple[str, float]]) -> str:
    """Return who says things that fit a query better than those of the one it asks for.

    The mean of the best three turns of each speaker is compared. On LoCoMo's open half somebody
    else was told so for 48 % of the questions that ask one speaker for what another said, and for
    8 % of the others (``scripts/bench locomo``).

    Args:
        asked: The folded name of the one speaker that the query names.
        said: The speaker of each turn that was found, and how alike its tokens are to the query's.

    Returns:
        The name as it is written; empty when nobody does, or the one asked for said nothing.
    """
    turns: dict[str, list[float]] = defaultdict(list)
    names = {}
    for name, alike in said:
        turns[fold(name)].append(alike)
        names[fold(name)] = name
    if asked not in turns:
        return ""
    fits = {one: _mean_of_best(alike) for one, alike in turns.items() if one not in ROLES}
    best = max(sorted(fits), key=fits.__getitem__, default=asked)
    return names[best] if fits and fits[best] > _mean_of_best(turns[asked]) else ""


def _mean_of_best(alike: Sequence[float]) -> float:
    best = sorted(alike, reverse=True)[:_BEST_TURNS]
    return sum(best) / len(best)


def _concerns(hit: Hit, name: str) -> bool:
    wanted = fold(name)
    return any(
        _mentions(fold(said), wanted)
        for said in (hit["name"], hit["speaker"] or "", hit["text"], hit["abstract"] or "")
    )


def _mentions(text: str, name: str) -> bool:
    """Whether a text holds a name as words of its own; both are folded."""
    at = text.find(name)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() and name[0].isascii()) and not (
            behind.isalnum() and name[-1].isascii()
        ):
            return True
        at = text.find(name, at + 1)
    return False

"""Curated facts, and which of them have to do with the work at hand, told by words alone."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vault_memory.core.stopwords import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]{2,40}")
_PLACES = frozenset(
    """
    home users user root src code work works projects project repos repo git github gitlab com org
    main master trunk develop feature fix tmp mnt opt var www documents desktop
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words of paths and branches that every project has."""

_HEADING_SHARE = 0.5
"""What a word counts for in the heading above a fact, against one in the fact itself."""


class Fact(NamedTuple):
    """One curated fact.

    Attributes:
        text: What it says, as it stands.
        heading: The headings above it, outermost first, parted by ``/``.
        line: 1-based line where it begins.
    """

    text: str
    heading: str
    line: int


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a model makes of a text: 4 letters of ASCII each, or 1 other."""
    plain = sum(map(str.isascii, text))
    return math.ceil(plain / 4) + len(text) - plain


def chosen(facts: Sequence[Fact], words: Iterable[str], budget: int) -> list[Fact]:
    """Return the facts that fit into a budget, the most relevant preferred, in their own order.

    A fact counts by the words it shares with the work, each the more the fewer facts have it. Of
    equal worth the earlier comes first, so facts that hold everywhere fill what is left.

    Args:
        facts: All facts, in the order of the file.
        words: Words that tell what is worked on, in lower case.
        budget: The most tokens, estimated, that the facts may have together.
    """
    wanted = {word for word in words if word not in STOP_WORDS and word not in _PLACES}
    held = [_words(fact.text) for fact in facts]
    above = [_words(fact.heading) for fact in facts]
    spread = Counter(word for place, own in enumerate(held) for word in own | above[place])
    rarity = {word: math.log(1 + len(facts) / spread[word]) for word in wanted if spread[word]}

    def worth(place: int) -> float:
        return sum(
            rare * (1.0 if word in held[place] else _HEADING_SHARE)
            for word, rare in rarity.items()
            if word in held[place] or word in above[place]
        )

    taken, left = set[int](), budget
    for place in sorted(range(len(facts)), key=lambda place: (-worth(place), place)):
        cost = estimated_tokens(facts[place].text)
        if cost <= left:
            left -= cost
            taken.add(place)
    return [facts[place] for place in sorted(taken)]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}

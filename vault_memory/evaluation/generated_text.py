"""Invented names and sentences, the same for the same seed: what generated vaults are made of.

Few words are frequent and many are rare, as in what people write, so that full text has long lists
and short ones.
"""

from itertools import accumulate
from random import Random

_LISTS = """
pilot engineer nurse baker carpenter librarian sailor teacher gardener clerk
lighthouse ferry boiler orchard ledger kitchen workshop bridge harbour engine timetable ticket \
cabin invoice greenhouse archive telescope pipeline database kiosk sail anchor
repairs paints counts insures restores inspects heats moves measures replaces cleans rents sells \
plans tests releases reviews borrows
old small northern shared broken spare quiet yearly second wooden cheap hidden
spring summer autumn winter dawn noon dusk Sunday Tuesday March October
ba ka lo mi ren sol tar vel dor fen gri hal jun mar nev pol qui sta tor wil
bek dan go holm ik lund mar ner os per rin sted ton ul vik wen
"""
_ROLES, _THINGS, _VERBS, _KINDS, _TIMES, _SYLLABLES, _ENDINGS = (
    line.split() for line in _LISTS.strip().splitlines()
)
_REASONS = (
    "because the tide is low",
    "since nobody else has the key",
    "to save an hour a week",
    "although it rained for days",
    "as agreed at the last meeting",
    "until the new one arrives",
    "so that the guests can sleep",
    "which took longer than planned",
)
_RARE = 4_000
"""Invented words that stand in sentences besides the ordinary ones."""


class Words:
    """A source of names and sentences.

    Args:
        seed: The same seed gives the same words, asked in the same order.
        paragraphs: How many different paragraphs there are at most; None for as many as are asked
            for.
    """

    def __init__(self, seed: int, *, paragraphs: int | None = None) -> None:
        self._dice = Random(seed)  # noqa: S311 - notes for a benchmark, no secret
        self._rare = [self._coined() for _ in range(_RARE)]
        self._weights = list(accumulate(1 / (1 + place) for place in range(_RARE)))
        self._pool = [self._sentences(3) for _ in range(paragraphs or 0)]

    def name(self, number: int) -> str:
        """A name that no other number has, such as ``Velholm Bridge 17``."""
        return f"{self._coined().title()} {self._dice.choice(_THINGS).title()} {number}"

    def sentence(self) -> str:
        """One sentence of a few invented facts."""
        dice = self._dice
        (rare,) = dice.choices(self._rare, cum_weights=self._weights)
        reason = f", {dice.choice(_REASONS)}" if dice.random() < 0.5 else ""
        number = f"; ticket {dice.randrange(1000)}" if dice.random() < 0.3 else ""
        return (
            f"The {dice.choice(_ROLES)} {dice.choice(_VERBS)} the {dice.choice(_KINDS)} "
            f"{dice.choice(_THINGS)} of {rare.title()} in {dice.choice(_TIMES)}{reason}{number}."
        )

    def paragraph(self, most: int) -> str:
        """One to so many sentences; where paragraphs are few, one of those."""
        return self._dice.choice(self._pool) if self._pool else self._sentences(most)

    def _sentences(self, most: int) -> str:
        return " ".join(self.sentence() for _ in range(self._dice.randint(1, most)))

    def _coined(self) -> str:
        dice = self._dice
        middle = dice.choice(_SYLLABLES) if dice.random() < 0.5 else ""
        return dice.choice(_SYLLABLES) + middle + dice.choice(_ENDINGS)

"""Who spoke: an outside document, a person or an agent, and what one word of each weighs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

Provenance = Literal["external", "human", "agent"]

PROVENANCES: Final[tuple[Provenance, ...]] = ("external", "human", "agent")
"""In the order that decides a tie between equal weights."""

WEIGHTS: Final[Mapping[Provenance, Decimal]] = {
    "external": Decimal(1),
    "human": Decimal("0.8"),
    "agent": Decimal("0.05"),
}
"""What a new evidence line weighs by default; one that stands keeps the weight written in it."""

AGENT_CAP: Final = Decimal(1)
"""The most that all agent lines of one belief add in one direction, by default."""

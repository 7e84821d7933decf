"""Who spoke: an outside document, a person or an agent, and what one word of each weighs."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

Provenance = Literal["external", "human", "agent"]

PROVENANCES: Final[tuple[Provenance, ...]] = ("external", "human", "agent")
"""In the order that decides a tie between equal weights."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What new evidence lines weigh; a line that stands keeps the weight written in it.

    Attributes:
        external: Of a document from outside.
        human: Of what a person said.
        agent: Of what an agent said or a tool printed.
        agent_cap: The most that all agent lines of one belief add in one direction.
    """

    external: Decimal = Decimal(1)
    human: Decimal = Decimal("0.8")
    agent: Decimal = Decimal("0.05")
    agent_cap: Decimal = Decimal(1)

    def of(self, provenance: Provenance) -> Decimal:
        """Return the weight of a new line by this speaker."""
        return {"external": self.external, "human": self.human, "agent": self.agent}[provenance]

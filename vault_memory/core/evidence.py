"""Evidence: the lines that are the truth of a belief, and what they add up to."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from vault_memory.core.belief import Counts, rounded
from vault_memory.core.identity import line_id, nfc, origin_key
from vault_memory.core.provenance import AGENT_CAP, PROVENANCES, WEIGHTS, Provenance

Polarity = Literal["supports", "contradicts"]

MOST_QUOTED = 300
"""Characters of a quote or source text that a line holds; what is longer ends with an ellipsis."""


class EvidenceLine(NamedTuple):
    """One observation of a claim; a named tuple, since a note may hold thousands.

    Attributes:
        id: Of origin, provenance and polarity; unique within its note.
        date: The UTC day of the observation.
        polarity: Whether it speaks for the claim or against it.
        provenance: Who spoke.
        weight: What it adds to alpha or beta, unless struck; a fact once written.
        origin: The short key of what it came from.
        source: A link's inside when ``linked``, such as ``conversation-005#^t-1a2b3c4d5e6f``; else
            plain text on one line, empty when there is none.
        linked: Whether the source is a link.
        quote: What was said, on one line; empty when there is none.
        struck: Whether it is retracted and weighs nothing.
        singly: Whether it was struck by itself, so that undoing its source leaves it struck.
    """

    id: str
    date: str
    polarity: Polarity
    provenance: Provenance
    weight: Decimal
    origin: str
    source: str = ""
    linked: bool = False
    quote: str = ""
    struck: bool = False
    singly: bool = False

    @property
    def target(self) -> str:
        """The note that the source links to, without anchor and shown text; empty for none."""
        if not self.linked:
            return ""
        return self.source.split("|")[0].removesuffix("\\").split("#")[0].strip()

    @property
    def anchor(self) -> str:
        """What of that note the source links to, such as ``^t-1a2b3c4d5e6f``; empty for all."""
        return self.source.split("|")[0].removesuffix("\\").partition("#")[2] if self.linked else ""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a base and its evidence lines come to: everything a note caches of them.

    Attributes:
        alpha: For the claim.
        beta: Against it.
        self_part: The part of both that came from agents, after their cap.
        provenance: Of the heaviest single support that counts; empty when none does.
        created: The day of the first line; empty without lines.
        updated: The day of the last line; empty without lines.
        last_support: The day of the last support that counts; empty when none does.
        unsupported: Whether there are lines and none of them counts.
    """

    alpha: Decimal
    beta: Decimal
    self_part: Decimal
    provenance: str
    created: str
    updated: str
    last_support: str
    unsupported: bool

    @property
    def counts(self) -> Counts:
        """Alpha and beta together."""
        return Counts(self.alpha, self.beta)


def new_line(
    origin: str,
    *,
    date: str,
    polarity: Polarity = "supports",
    provenance: Provenance = "human",
    weight: Decimal | None = None,
    source: str = "",
    linked: bool = False,
    quote: str = "",
) -> EvidenceLine:
    """Return the line of a new observation.

    Args:
        origin: The whole origin: a session id, a source id, ``person:…`` or a text.
        date: The UTC day.
        polarity: For the claim or against it.
        provenance: Who spoke.
        weight: What it weighs, kept to four places; None for the default of the speaker.
        source: A link's inside when ``linked``, else text that stands where a link would.
        linked: Whether the source is a link.
        quote: What was said; brought to one line and cut.
    """
    return EvidenceLine(
        id=line_id(origin, provenance, polarity),
        date=date,
        polarity=polarity,
        provenance=provenance,
        weight=WEIGHTS[provenance] if weight is None else rounded(weight),
        origin=origin_key(origin),
        source=source if linked else quotable(source),
        linked=linked,
        quote=quotable(quote),
    )


def quotable(text: str) -> str:
    """Return a quote as a line holds it: NFC, one line, at most 300 characters, cut with ``…``.

    Control characters and half characters (lone surrogates) become blanks.
    """
    shown = "".join(" " if _unfit(character) else character for character in nfc(text))
    flat = " ".join(shown.split())
    return flat if len(flat) <= MOST_QUOTED else flat[: MOST_QUOTED - 1].rstrip() + "…"


def distinct(lines: Iterable[EvidenceLine]) -> list[EvidenceLine]:
    """Return the lines with each observation once, whatever order they come in.

    Two lines are one observation when their id is the same, or their origin, provenance and
    polarity. Of copies that differ a struck one stands, else the earliest, then the lightest.
    """
    given = list(lines)
    if len({line.id for line in given}) == len(given) == len({_said(line) for line in given}):
        return given
    ordered = sorted(given, key=_precedence)
    seen: set[object] = set()
    kept = []
    for line in ordered:
        said = _said(line)
        if line.id not in seen and said not in seen:
            kept.append(line)
        seen.update((line.id, said))
    return kept


def tally(base: Counts, lines: Iterable[EvidenceLine], *, agent_cap: Decimal = AGENT_CAP) -> Tally:
    """Return what the base and the lines come to, in whatever order they stand.

    Args:
        base: What the prior is worth.
        lines: All lines of the belief, struck ones included; one that is there twice counts once.
        agent_cap: The most that agent lines add in each direction.
    """
    lines = list(lines)
    kept = distinct(lines)
    live = [line for line in kept if not line.struck]
    supports = [line for line in live if line.polarity == "supports"]
    against = [line for line in live if line.polarity == "contradicts"]
    spoken_for, agent_for = _parts(supports, agent_cap)
    spoken_against, agent_against = _parts(against, agent_cap)
    dates = sorted(line.date for line in lines)
    return Tally(
        alpha=base.alpha + spoken_for + agent_for,
        beta=base.beta + spoken_against + agent_against,
        self_part=agent_for + agent_against,
        provenance=_heaviest(supports, agent_cap),
        created=dates[0] if dates else "",
        updated=dates[-1] if dates else "",
        last_support=max((line.date for line in supports), default=""),
        unsupported=bool(kept) and not live,
    )


def _parts(lines: list[EvidenceLine], cap: Decimal) -> tuple[Decimal, Decimal]:
    """Return what people and documents add, and what agents add under their cap."""
    agent = sum(sorted(line.weight for line in lines if line.provenance == "agent"), Decimal(0))
    others = sum(sorted(line.weight for line in lines if line.provenance != "agent"), Decimal(0))
    return others, min(agent, cap)


def _heaviest(supports: list[EvidenceLine], cap: Decimal) -> str:
    """Return who gave the heaviest support; an agent's single word weighs no more than the cap."""

    def rank(line: EvidenceLine) -> tuple[Decimal, int]:
        weight = min(line.weight, cap) if line.provenance == "agent" else line.weight
        return (-weight, PROVENANCES.index(line.provenance))

    words = {(line.provenance, line.weight): line for line in supports}
    return min(words.values(), key=rank).provenance if words else ""


def _said(line: EvidenceLine) -> tuple[str, str, str]:
    return (line.origin, line.provenance, line.polarity)


def _precedence(line: EvidenceLine) -> tuple[bool, str, Decimal, str, str, str, str]:
    said = (line.id, line.origin, line.provenance, line.polarity)
    return (not line.struck, line.date, line.weight, *said)


def _unfit(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f" or "\ud800" <= character <= "\udfff"

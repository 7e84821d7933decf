"""The seventeen types of entities and which of them never change."""

from dataclasses import dataclass
from typing import Final

TYPES: Final = (
    "person",
    "project",
    "tool",
    "service",
    "preference",
    "decision",
    "event",
    "concept",
    "case",
    "pattern",
    "thread",
    "thought",
    "question",
    "observation",
    "policy",
    "measurement",
    "outcome",
)

IMMUTABLE: Final = frozenset({"decision", "event", "case", "observation", "measurement", "outcome"})
"""A change to one of these is a new note that links to the old."""

_KNOWN = frozenset(TYPES)


@dataclass(frozen=True, slots=True)
class Entity:
    """What a new entity note is made of.

    Attributes:
        type: One of the 17 types.
        name: The true name.
        abstract: One line that says what it is.
        overview: A paragraph or so; may be empty.
        content: Everything else; may be empty.
        aliases: Other names.
        prior: How the claim first came in.
    """

    type: str
    name: str
    abstract: str
    overview: str = ""
    content: str = ""
    aliases: tuple[str, ...] = ()
    prior: str = "explicit"


def entity_type(written: str) -> str | None:
    """Return the entity type that a note's ``type`` names; None when it names none.

    A note of type ``entity`` is a concept.
    """
    if written == "entity":
        return "concept"
    return written if written in _KNOWN else None

"""What searches, queries and walks answer, key by key; programs rely on it as on ``answers``."""

from typing import Literal, NotRequired, TypedDict

from vault_memory.core.answers import Belief


class ScorePart(TypedDict):
    """What one signal adds to a hit's score, and why, in words."""

    signal: str
    adds: float
    why: str


class Explanation(TypedDict):
    """Why a hit scores what it does: the ``parts`` add up to its score.

    ``again`` tells, for a turn that was compared with the other turns once more, what each signal
    added there; the order of these sums is the order of the turns.
    """

    parts: list[ScorePart]
    again: list[ScorePart]


class Hit(TypedDict):
    """One thing found: how (``found_by``) and, when by a walk, over which relations (``via``).

    ``score`` orders the hits of one answer; ``probability`` is that of the hit being what was
    looked for, if the vault holds it at all.

    ``explain`` is there when it was asked for.
    """

    id: str | None
    name: str
    kind: str
    type: str
    path: str
    line: int
    text: str
    abstract: str | None
    date: str | None
    speaker: str | None
    score: float
    probability: float
    belief: Belief | None
    found_by: list[str]
    via: list[str]
    explain: NotRequired[Explanation]


class About(TypedDict):
    """Whom the query asks for, whom the hits speak of, and who is ``missing``.

    Those are asked for and no hit is about them, by them or mentions them. ``closer`` is another
    speaker, whose words fit the query better than those of the one it asks for.
    """

    asked: list[str]
    found: list[str]
    missing: list[str]
    closer: str | None


class SearchAnswer(TypedDict):
    """The answer of ``graph search``; ``stale`` counts notes not wholly indexed yet."""

    query: str
    hits: list[Hit]
    about: About
    stale: int
    notice: str | None


class QueryAnswer(TypedDict):
    """The answer of ``graph query``."""

    query: str
    hits: list[Hit]
    episodes: list[Hit]
    about: About
    stale: int
    notice: str | None


class Match(TypedDict):
    """A line of an archive that holds the words, with the lines around it."""

    path: str
    line: int
    text: str
    before: list[str]
    after: list[str]


class RankedFile(TypedDict):
    """A file with matches; ``coverage`` is the share of the query's words that it holds."""

    path: str
    score: float
    matches: int
    coverage: float


class ArchiveSearchAnswer(TypedDict):
    """The answer of ``search``."""

    query: str
    matches: list[Match]
    files: list[RankedFile]


class WalkNode(TypedDict):
    """A note that the walk reached; ``path`` is None for an end of a relation without a note."""

    id: str | None
    name: str
    type: str
    abstract: str | None
    depth: int
    path: str | None


WalkEdge = TypedDict(
    "WalkEdge",
    {
        "id": str | None,
        "from": str,
        "rel": str,
        "to": str,
        "direction": Literal["out", "in"],
        "depth": int,
        "belief": Belief | None,
        "path": str,
        "from_path": str | None,
        "to_path": str | None,
    },
)
"""An edge that the walk took: ``from`` and ``to`` are names, whatever its ``direction``.

``path`` is the relation's note, or of a link (``rel`` is then ``links_to``) the note that holds it.
"""


class TraverseAnswer(TypedDict):
    """The answer of ``graph traverse``; ``hidden`` counts edges of too low a confidence."""

    root: str
    nodes: list[WalkNode]
    edges: list[WalkEdge]
    hidden: int

"""What the commands answer, key by key: the shapes that programs rely on within a schema version.

Lists are empty when nothing was found, unknown values are None, paths are relative to the vault
with ``/``, times are ISO 8601 UTC. New keys may come; none goes or changes its meaning.
"""

from typing import Literal, TypedDict


class Belief(TypedDict):
    """A Beta distribution as it stands.

    ``interval`` is the equal-tailed 90 %, ``effective`` is the confidence with its age.
    """

    alpha: float
    beta: float
    confidence: float
    effective: float
    interval: tuple[float, float]
    self: float
    prior: str
    provenance: str | None
    valid_from: str | None
    valid_until: str | None
    unsupported: bool


class EvidenceItem(TypedDict):
    """One evidence line; ``origin`` is its short key, ``line`` its place in the file."""

    id: str
    date: str
    polarity: Literal["supports", "contradicts"]
    retracted: bool
    provenance: str
    weight: float
    source: str | None
    origin: str
    quote: str | None
    path: str
    line: int


RelationItem = TypedDict(
    "RelationItem",
    {
        "id": str | None,
        "from": str,
        "rel": str,
        "to": str,
        "path": str,
        "belief": Belief | None,
    },
)
"""A relation in a list."""


class EntityItem(TypedDict):
    """An entity in a list."""

    id: str | None
    name: str
    type: str
    path: str
    abstract: str | None
    belief: Belief | None


class ListAnswer(TypedDict):
    """The answer of ``graph list``."""

    entities: list[EntityItem]
    relations: list[RelationItem]


ShowAnswer = TypedDict(
    "ShowAnswer",
    {
        "id": str | None,
        "name": str,
        "kind": str,
        "type": str,
        "path": str,
        "aliases": list[str],
        "abstract": str | None,
        "overview": str | None,
        "content": str | None,
        "belief": Belief | None,
        "evidence": list[EvidenceItem],
        "relations": list[RelationItem] | None,
        "from": str | None,
        "rel": str | None,
        "to": str | None,
    },
)
"""The answer of ``graph show``: one note; a relation has no ``relations``, others no belief."""


class WriteAnswer(TypedDict):
    """The answer of a writing command; ``diff`` is set by ``--dry-run`` only."""

    changed: list[str]
    created: list[str]
    belief: Belief | None
    notice: str | None
    diff: str | None


class FindingItem(TypedDict):
    """One finding of ``check``."""

    rule: str
    severity: str
    path: str
    line: int
    message: str
    fixable: bool


class CheckAnswer(TypedDict):
    """The answer of ``check``; ``fixed`` and ``adopted`` are paths."""

    findings: list[FindingItem]
    fixed: list[str]
    adopted: list[str]


class NoteCounts(TypedDict):
    """How many notes a rebuild found new, changed, gone and as they were."""

    added: int
    changed: int
    removed: int
    unchanged: int


class RebuildAnswer(TypedDict):
    """The answer of ``rebuild``; ``embedded`` texts were computed, ``cached`` ones were known."""

    notes: NoteCounts
    units: int
    embedded: int
    cached: int
    generation: int
    seconds: float
    findings: list[FindingItem]


class MemoryLines(TypedDict):
    """How full MEMORY.md is."""

    lines: int
    limit: int


class EphemeralEntries(TypedDict):
    """How full EPHEMERAL.md is."""

    entries: int
    limit: int


class IndexState(TypedDict):
    """The state of the index; ``digest`` is a sha256 over all (unit, vector) in order of unit."""

    generation: int
    units: int
    stale: int
    model: str | None
    digest: str | None


class StatusAnswer(TypedDict):
    """The answer of ``status``; ``findings`` are the errors that the index met while reading."""

    health: Literal["healthy", "degraded", "down"]
    reason: str | None
    vault: str
    memory: MemoryLines
    ephemeral: EphemeralEntries
    conversations: int
    entities: int
    relations: int
    sources: int
    notes: int
    index: IndexState
    findings: list[FindingItem]


class GraphStatusAnswer(TypedDict):
    """The answer of ``graph status``; ``types`` counts entities, ``rels`` relations, by kind."""

    entities: int
    relations: int
    links: int
    types: dict[str, int]
    rels: dict[str, int]
    unsupported: int
    stale: int


class ArchiveAnswer(TypedDict):
    """The answer of ``archive-session``; ``skipped`` counts records that were no conversation."""

    path: str | None
    log: int | None
    session_id: str | None
    messages: int
    created: bool
    updated: bool
    redacted: int
    skipped: dict[str, int]
    notice: str | None
    diff: str | None


class PassedOver(TypedDict):
    """A session's file that could not be archived, and why."""

    path: str
    reason: str


class ArchiveAllAnswer(TypedDict):
    """The answer of ``archive``: what was archived now; ``known`` counts what was before.

    ``recent`` counts sessions left alone because they may still be running, ``passed_over`` are
    files that hold no session of their own.
    """

    sessions: list[ArchiveAnswer]
    known: int
    recent: int
    passed_over: list[PassedOver]
    failed: list[PassedOver]
    notice: str | None


class ConsumeAnswer(TypedDict):
    """The answer of ``consume``: what is told, and of how many sessions and facts."""

    text: str
    sessions: int
    left_out: int
    facts: int


class HookItem(TypedDict):
    """One hook of ours; ``outdated`` calls another program or vault than one installed now."""

    event: str
    matcher: str | None
    command: str
    timeout: float | None
    state: Literal["installed", "outdated", "missing"]


class HooksAnswer(TypedDict):
    """The answer of ``hooks``: paths are absolute, since they lie outside the vault."""

    client: str
    scope: Literal["user", "project"]
    settings: str
    hooks: list[HookItem]
    changed: bool
    backup: str | None
    notice: str | None
    diff: str | None


class WhereAnswer(TypedDict):
    """The answer of ``where``."""

    vault: str
    root: str | None
    reason: str


class InitAnswer(TypedDict):
    """The answer of ``init``; ``changed`` are files that were there and lacked some lines."""

    vault: str
    created: list[str]
    changed: list[str]
    git: bool
    notice: str | None


class ConfigItem(TypedDict):
    """A setting as it holds now, and where that value comes from."""

    value: str | int | float | bool | list[str] | None
    source: str


class ConfigChange(TypedDict):
    """The answer of ``config set``: the file and the key in it."""

    path: str
    key: str


class ConfigPath(TypedDict):
    """The answer of ``config path``."""

    path: str


class Trust(TypedDict):
    """The answer of ``config trust``."""

    vault: str
    trusted: bool

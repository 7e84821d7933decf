"""A new entity, or an observation of one that exists."""

from dataclasses import dataclass

from vault_memory.core.answers import WriteAnswer
from vault_memory.core.entity import IMMUTABLE, TYPES, Entity, entity_type
from vault_memory.core.evidence import EvidenceLine
from vault_memory.core.identity import entity_id, fold, nfc
from vault_memory.core.names import safe_stem
from vault_memory.errors import ConflictError, UsageError
from vault_memory.flows.believing import checked_prior
from vault_memory.flows.naming import find_note, find_notes, refuse_unsound, stem_taken
from vault_memory.flows.observation import Observation
from vault_memory.flows.observe import observed
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.flows.writing import Plan, create, write
from vault_memory.index.rows import NoteRow
from vault_memory.notes import entity_note
from vault_memory.notes.belief_note import ENTITY_KEYS
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.scalars import auto
from vault_memory.redaction import redact
from vault_memory.vault.layout import ENTITIES


@dataclass(frozen=True, slots=True)
class NewEntity:
    """What was given of an entity; ``prior`` is empty unless it was given."""

    name: str
    type: str
    abstract: str
    overview: str = ""
    content: str = ""
    prior: str = ""


def add_entity(
    index: VaultIndex,
    wanted: NewEntity,
    observation: Observation,
    *,
    update: bool = False,
    dry_run: bool = False,
) -> WriteAnswer:
    """Write a new entity note with its first evidence line, or observe the one there is.

    Names are unique within a type: an entity of this name and type, under an alias too, is the
    same entity.

    Args:
        index: The open index of a vault that may be written.
        wanted: The entity.
        observation: Who says so, and where it comes from.
        update: Whether the abstract of an entity that exists may change.
        dry_run: Whether to answer the diff and write nothing.

    Raises:
        ConflictError: The entity exists with another abstract, and ``update`` is not given or its
            type is one that never changes.
        NoteError: A note of that name may be the entity, but its frontmatter cannot be parsed.
        UsageError: The name is empty, or the type or prior unknown.
    """
    entity = _checked(wanted)

    def plan() -> Plan:
        existing = find_entity(index, entity.name, entity.type)
        if existing is None:
            _refuse_unknown(index, entity.name)
            return _new(index, entity, observation.line(index))
        return _observed(index, existing, entity, observation, update=update, prior=wanted.prior)

    return write(index, plan, dry_run=dry_run)


def find_entity(index: VaultIndex, name: str, type_: str) -> NoteRow | None:
    """The entity of this name and type, whatever its file is called now.

    A file's stem that only stands in for a true name is no name of its entity here: ``TCP-IP`` is
    another one than ``TCP/IP``.

    Raises:
        AmbiguousError: Several fit equally well.
    """
    by_name = find_note(index, name, kinds=("entity",), types=(type_,))
    if by_name is not None and not _stands_in(index, by_name, name):
        return by_name
    by_id = index.catalog.notes_by_id(entity_id(type_, name))
    return next((note for note in by_id if note.kind == "entity"), None)


def _checked(wanted: NewEntity) -> Entity:
    type_ = entity_type(wanted.type.strip().lower())
    if type_ is None:
        raise UsageError(f"No type {wanted.type!r}", cure=f"Types: {', '.join(TYPES)}")
    prior = checked_prior(wanted.prior)
    abstract = " ".join(redact(wanted.abstract).text.split())
    if not abstract:
        raise UsageError("The abstract is empty", cure="Say in one line what it is")
    return Entity(
        type=type_,
        name=nfc(wanted.name).strip(),
        abstract=abstract,
        overview=redact(wanted.overview).text,
        content=redact(wanted.content).text,
        prior=prior,
    )


def _stands_in(index: VaultIndex, note: NoteRow, name: str) -> bool:
    """Whether a name is that of a note's file alone."""
    ranks = {row.rank for row in index.catalog.find_names(fold(name)) if row.note == note.key}
    return ranks == {0} and fold(note.name) != fold(name)


def _refuse_unknown(index: VaultIndex, name: str) -> None:
    """Refuse to make a second note where one of that name may be the same entity."""
    for note in find_notes(index, name, kinds=("note",)):
        refuse_unsound(index, note)


def _new(index: VaultIndex, entity: Entity, line: EvidenceLine) -> Plan:
    stem = safe_stem(entity.name, type=entity.type, taken=lambda name: stem_taken(index, name))
    text = entity_note.encode(entity, [line], stem=stem, today=line.date)
    path = f"{ENTITIES}/{entity.type}/{stem}.md"
    return create(index, path, text, message=f"Add {entity.type} {entity.name}")


def _observed(
    index: VaultIndex,
    note: NoteRow,
    entity: Entity,
    observation: Observation,
    *,
    update: bool,
    prior: str,
) -> Plan:
    differs = nfc(note.abstract) != nfc(entity.abstract)
    if differs and note.type in IMMUTABLE:
        raise ConflictError(
            f"a {note.type} never changes, and its abstract says otherwise",
            where=note.path,
            cure="Add a new one under another name and relate it to this one",
        )
    if differs and note.abstract and not update:
        raise ConflictError(
            "exists with another abstract",
            where=note.path,
            cure="Give --update to replace it, or leave the abstract as it is to observe it",
        )

    def abstract(text: str) -> str:
        return set_values(
            text, {"abstract": auto(entity.abstract)}, order=ENTITY_KEYS, path=note.path
        )

    notices = ["The prior of a belief that exists is not changed"] if prior else []
    if entity.overview or entity.content:
        notices.append("Overview and content of an entity that exists are edited in its note")
    return observed(
        index,
        note,
        observation,
        then=abstract if differs else None,
        notice="; ".join(notices),
    )

"""Which note is meant: by name, alias, file's stem, path, id, or a relation's three words."""

from collections.abc import Collection, Sequence

from vault_memory.core.identity import fold, relation_id
from vault_memory.core.links import stem_path
from vault_memory.core.note import Kind
from vault_memory.errors import AmbiguousError, NotFoundError
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow
from vault_memory.notes.belief_note import refuse_conflict
from vault_memory.notes.frontmatter import parse
from vault_memory.notes.frontmatter_edit import refuse_unparsable
from vault_memory.notes.text import decode_bytes
from vault_memory.vault.read import read_bytes

BELIEFS: tuple[Kind, ...] = ("entity", "relation")


def find_notes(
    index: VaultIndex, name: str, *, kinds: Sequence[Kind] = (), types: Collection[str] = ()
) -> list[NoteRow]:
    """All notes that a name fits best: by path, id, true name, file's stem, then alias or title.

    Where one is borne by an entity or relation, that goes before a note.

    Args:
        index: The open index.
        name: A name, alias, stem, path in the vault or id, in any case and Unicode form.
        kinds: Only notes of these kinds; any when empty.
        types: Only notes of these types; any when empty.
    """
    catalog = index.catalog

    def fit(notes: Sequence[NoteRow]) -> list[NoteRow]:
        return [
            note
            for note in notes
            if (not kinds or note.kind in kinds) and (not types or note.type in types)
        ]

    path = name.removeprefix("./")
    at_path = [
        note for note in (catalog.note(path), catalog.note(f"{path}.md")) if note is not None
    ]
    found = fit(at_path) or fit(catalog.notes_by_id(name.strip().lower()))
    if found:
        return found
    named = catalog.find_names(fold(stem_path(name)) if name else "")
    named = named or catalog.find_names(fold(name)) or catalog.find_names(fold(name.strip()))
    rows = catalog.notes_by_key(row.note for row in named)
    true_names = {fold(name), fold(name.strip()), fold(stem_path(name))}
    by_rank: dict[tuple[int, bool], list[NoteRow]] = {}
    for row in named:
        note = rows[row.note]
        rank = 0 if fold(note.name) in true_names else 1 if row.rank == 0 else 2
        by_rank.setdefault((rank, row.kind not in BELIEFS), []).append(note)
    for sort in sorted(by_rank):
        found = fit(by_rank[sort])
        if found:
            return found
    return []


def find_note(
    index: VaultIndex, name: str, *, kinds: Sequence[Kind] = (), types: Collection[str] = ()
) -> NoteRow | None:
    """The one note that a name means, or None.

    Raises:
        AmbiguousError: Several fit equally well.
    """
    return _only(find_notes(index, name, kinds=kinds, types=types), name)


def named_note(
    index: VaultIndex, name: str, *, kinds: Sequence[Kind] = (), cure: str = ""
) -> NoteRow:
    """The one note that a name means.

    Args:
        index: The open index.
        name: As for `find_notes`.
        kinds: Only notes of these kinds; any when empty.
        cure: What to do when there is none and no name is like it.

    Raises:
        AmbiguousError: Several fit equally well.
        NotFoundError: None does; the nearest names are told.
    """
    note = find_note(index, name, kinds=kinds)
    if note is None:
        raise missing(index, name, kinds=kinds, cure=cure)
    return note


def named_belief(index: VaultIndex, words: Sequence[str], *, others: bool = False) -> NoteRow:
    """The entity or relation that is meant, by one name or by FROM REL TO.

    Args:
        index: The open index.
        words: One name, or FROM REL TO.
        others: Whether another note of that name will do where there is none of these.

    Raises:
        AmbiguousError: Several fit equally well.
        NotFoundError: None does.
        NoteError: The note of that name may be one, but its frontmatter cannot be parsed.
    """
    whole = " ".join(words)
    if len(words) == 3:
        found = relations_between(index, words[0], words[1], words[2])
        if found:
            return _only(found, whole) or found[0]
    if others and not find_notes(index, whole, kinds=BELIEFS):
        return named_note(index, whole)
    return named_note(index, whole, kinds=BELIEFS)


def relations_between(index: VaultIndex, source: str, rel: str, target: str) -> list[NoteRow]:
    """The relation notes with this verb between two ends, each named like a note."""
    ends: list[set[int | str]] = []
    for name in (source, target):
        found = find_notes(index, name)
        ends.append({note.key for note in found} or {fold(name)})
    catalog = index.catalog
    keys = [key for key in ends[0] | ends[1] if isinstance(key, int)]
    rows = catalog.relations_of(keys) if keys else catalog.relations()
    between = [
        row.note
        for row in rows
        if fold(row.rel) == fold(rel)
        and (row.source_note or fold(row.source)) in ends[0]
        and (row.target_note or fold(row.target)) in ends[1]
    ]
    return sorted(catalog.notes_by_key(between).values(), key=lambda note: note.path)


def missing(
    index: VaultIndex, name: str, *, kinds: Sequence[Kind] = (), cure: str = ""
) -> NotFoundError:
    """The error for a name that nothing bears, with the names that are like it.

    Raises:
        NoteError: A note bears it whose kind cannot be told, since its frontmatter does not parse.
    """
    others = find_notes(index, name) if kinds else []
    if others:
        refuse_unsound(index, others[0])
        kind = others[0].kind
        return NotFoundError(
            f"is a {kind}, and holds no belief",
            where=others[0].path,
            cure="Name an entity or relation",
        )
    near = index.catalog.similar_names(fold(name), list(kinds))
    hint = f"Did you mean: {', '.join(near)}?" if near else cure
    return NotFoundError(f"Nothing is named {name!r}", cure=hint or "List all: vaultmem graph list")


def _only(notes: Sequence[NoteRow], name: str) -> NoteRow | None:
    if len(notes) > 1:
        paths = ", ".join(note.path for note in notes)
        raise AmbiguousError(f"{name!r} fits several notes: {paths}", cure="Name one by its path")
    return notes[0] if notes else None


def link_target(index: VaultIndex, note: NoteRow) -> str:
    """What a link to a note is written as: its stem, or its path where others have that stem."""
    stem = stem_path(note.path.rpartition("/")[2])
    bearers = {row.note for row in index.catalog.find_names(fold(stem)) if row.rank == 0}
    return stem if bearers <= {note.key} else stem_path(note.path)


def refuse_unsound(index: VaultIndex, note: NoteRow) -> None:
    """Refuse to build upon a note that a person has to mend first.

    Raises:
        NoteError: Where and what is wrong with it.
    """
    text = decode_bytes(read_bytes(index.vault.path, note.path) or b"")
    refuse_conflict(text, note.path)
    refuse_unparsable(parse(text), note.path)


def stem_taken(index: VaultIndex, folded: str) -> bool:
    """Whether a note of the vault has this folded stem."""
    return any(row.rank == 0 for row in index.catalog.find_names(folded))


def end_id(note: NoteRow) -> str:
    """What a relation's id is made of for an end: the note's id, else its folded name."""
    return note.id or fold(note.name)


def belief_id(index: VaultIndex, note: NoteRow) -> str:
    """The id to give a note that holds none.

    A relation's is made of the ids of its ends, which its own note does not know; of several
    between the same ends each has the number of its place by path.
    """
    own = [row for row in index.catalog.relations_of([note.key]) if row.note == note.key]
    if not own:
        return note.id
    row = own[0]
    keys = [key for key in (row.source_note, row.target_note) if key is not None]
    ends = index.catalog.notes_by_key(keys)
    source = end_id(ends[row.source_note]) if row.source_note in ends else fold(row.source)
    target = end_id(ends[row.target_note]) if row.target_note in ends else fold(row.target)
    alike = [
        other.note
        for other in index.catalog.relations_of(keys or [note.key])
        if (other.source_note, other.rel, other.target_note)
        == (row.source_note, row.rel, row.target_note)
    ]
    paths = sorted(index.catalog.notes_by_key(alike).values(), key=lambda one: one.path)
    ordinal = [one.key for one in paths].index(note.key) + 1
    return relation_id(source, row.rel, target, ordinal)

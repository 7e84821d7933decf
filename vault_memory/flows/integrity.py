"""What is wrong between notes: names that clash, ids borne twice, links that lead nowhere."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from vault_memory.core.findings import Finding
from vault_memory.core.identity import fold
from vault_memory.core.links import names_attachment
from vault_memory.core.relation import Relating, same
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow, RelationRow
from vault_memory.notes.reading import conflict_findings
from vault_memory.notes.text import MAX_NOTE_BYTES, decode_bytes
from vault_memory.vault.layout import TOOL_NOTES
from vault_memory.vault.read import read_bytes
from vault_memory.vault.scan import Scan


def between_notes(index: VaultIndex, scan: Scan) -> list[Finding]:
    """Everything that no note can tell by itself, in no particular order."""
    notes = index.catalog.notes()
    by_key = {note.key: note for note in notes}
    return [
        *left_out(scan),
        *_torn(index),
        *clashes(note.path for note in notes),
        *_twice_borne(notes),
        *_same_entities(notes),
        *_same_relations(index, by_key),
        *_links(index, by_key),
    ]


def left_out(scan: Scan) -> Iterator[Finding]:
    """Files that are not read: conflict copies, links, folders that cannot be listed."""
    for path in scan.copies:
        message = "a conflict copy that a sync program left; unite it with its note by hand"
        yield Finding(path, 0, "sync-copy", message)
    for path in scan.links:
        yield Finding(path, 0, "symbolic-link", "a symbolic link is not followed", "notice")
    for path in scan.unreadable:
        yield Finding(path, 0, "folder-unreadable", "cannot be listed; look at its permissions")


def _torn(index: VaultIndex) -> Iterator[Finding]:
    """Conflicts in the table and the window of sessions, which are not read as notes are."""
    for path in TOOL_NOTES:
        data = read_bytes(index.vault.path, path)
        if data and len(data) <= MAX_NOTE_BYTES:
            yield from conflict_findings(path, decode_bytes(data))


def clashes(paths: Iterable[str]) -> Iterator[Finding]:
    """Notes whose paths are one on disks that do not tell case or Unicode form apart."""
    alike: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        alike[fold(path)].append(path)
    for found in alike.values():
        other, *rest = sorted(found)
        for path in rest:
            form = unicodedata.normalize("NFC", path) == unicodedata.normalize("NFC", other)
            what = "Unicode form" if form else "case"
            message = f"differs from {other} in {what} only; rename one or unite them"
            yield Finding(path, 0, "name-clash", message)


def _twice_borne(notes: Sequence[NoteRow]) -> Iterator[Finding]:
    bearers: dict[str, list[NoteRow]] = defaultdict(list)
    for note in notes:
        if note.id and note.kind in {"entity", "relation"}:
            bearers[note.id].append(note)
    for found in bearers.values():
        for note in found[1:]:
            message = f"has the id of {found[0].path}; unite the two notes"
            yield Finding(note.path, 1, "id-duplicate", message, "error")


def _same_entities(notes: Sequence[NoteRow]) -> Iterator[Finding]:
    named: dict[tuple[str, str], list[NoteRow]] = defaultdict(list)
    for note in notes:
        if note.kind == "entity":
            named[note.type, fold(note.name)].append(note)
    for found in named.values():
        for note in found[1:]:
            if not note.id or note.id != found[0].id:
                message = f"a second {note.type} of this name, after {found[0].path}; unite them"
                yield Finding(note.path, 1, "entity-duplicate", message)


def _same_relations(index: VaultIndex, notes: dict[int, NoteRow]) -> Iterator[Finding]:
    alike: dict[tuple[object, str, object], list[RelationRow]] = defaultdict(list)
    for row in index.catalog.relations():
        ends = (row.source_note or fold(row.source), row.rel, row.target_note or fold(row.target))
        alike[ends].append(row)
    for found in alike.values():
        times = [(notes[row.note], _relating(notes[row.note], row)) for row in found]
        for at, (note, relating) in enumerate(times):
            for other, earlier in times[:at]:
                if same(relating, earlier) and (not note.id or note.id != other.id):
                    message = f"says what {other.path} says, of the same time; unite them"
                    yield Finding(note.path, 1, "relation-duplicate", message)


def _relating(note: NoteRow, row: RelationRow) -> Relating:
    standing = note.standing
    return Relating(
        source="",
        rel=row.rel,
        target="",
        valid_from=standing.valid_from if standing else "",
        valid_until=standing.valid_until if standing else "",
    )


def _links(index: VaultIndex, notes: dict[int, NoteRow]) -> Iterator[Finding]:
    for link in index.catalog.links():
        path = notes[link.note].path
        if link.ambiguous:
            message = f"[[{link.target}]] fits several notes; name the one you mean by its path"
            yield Finding(path, link.line, "link-ambiguous", message)
        elif link.target_note is None and not names_attachment(link.target):
            message = f"[[{link.target}]] leads nowhere"
            yield Finding(path, link.line, "link-unresolved", message)
    for row in index.catalog.relations():
        for key, target in ((row.source_note, row.source), (row.target_note, row.target)):
            if key is None:
                message = f"[[{target}]] is no note; add the entity or mend the link"
                yield Finding(notes[row.note].path, 1, "relation-end-unresolved", message)

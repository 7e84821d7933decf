"""One session of an agent into the archive: its note, its row, its entry among the recent ones."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vault_memory.core.answers import ArchiveAnswer
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.core.conversation import Conversation, Source
from vault_memory.core.summary import Summary, summarise
from vault_memory.core.tags import Tags, tags_of
from vault_memory.errors import ConflictError, TranscriptError
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow
from vault_memory.notes.archive_table import parse_rows, row_of, upsert
from vault_memory.notes.belief_note import refuse_conflict
from vault_memory.notes.conversation_note import note_stem, parse, render, rerender
from vault_memory.notes.ephemeral import entry_of, put
from vault_memory.notes.text import decode_bytes, encode_text
from vault_memory.redaction import redact_conversation
from vault_memory.transcripts.read import read_transcript
from vault_memory.vault.diff import diff
from vault_memory.vault.layout import ARCHIVE, CONVERSATIONS, EPHEMERAL
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit

_NUMBERED = re.compile(r"conversation-(\d{3,9})\.md")


@dataclass(frozen=True, slots=True)
class _Session:
    """A session that is ready to be written: read, without secrets, summed up."""

    conversation: Conversation
    summary: Summary
    tags: Tags
    redacted: int


@dataclass(frozen=True, slots=True)
class _Written:
    """What planning decided."""

    changes: ChangeSet
    path: str
    log: int
    created: bool
    notice: str | None = None


def archive(
    index: VaultIndex, data: bytes, *, name: str, dry_run: bool, source: Source = "session"
) -> ArchiveAnswer:
    """Archive one transcript; one that was archived before and grew updates its note.

    An older copy of a session, with fewer turns than its note, changes nothing. No model is used
    and secrets are taken out before anything is written. A checkpoint saves a session that goes on:
    it gets its note and its row, and its entry among the recent ones only when it is over.

    Args:
        index: The open index of a vault that may be written.
        data: The transcript's bytes.
        name: The transcript's file name, for errors; its stem may be the session's id.
        dry_run: Whether to answer the diff and write nothing.
        source: Whether the session is over, or a checkpoint of it is to be saved.

    Raises:
        TranscriptError: It holds no conversation, or only a subagent's part of one.
        NoteError: The session's note holds a git conflict.
        ConflictError: A note was changed by somebody else each time.
        StorageError: The disk refused.
    """
    session = _read(data, name, source)
    conversation = session.conversation
    written = _Written(ChangeSet(), "", 0, created=False)

    def plan() -> ChangeSet:
        nonlocal written
        refresh(index)
        written = _planned(index, session)
        return written.changes

    applied = commit(index.vault, plan, dry_run=dry_run)
    return ArchiveAnswer(
        path=written.path,
        log=written.log,
        session_id=conversation.session_id,
        messages=conversation.message_count,
        created=written.created,
        updated=bool(applied.changes) and not written.created,
        redacted=session.redacted,
        skipped=dict(conversation.skipped),
        notice=written.notice,
        diff=diff(applied) if dry_run else None,
    )


def _read(data: bytes, name: str, source: Source) -> _Session:
    read = read_transcript(data, name=name)
    if read.is_subagent:
        raise TranscriptError(
            "is a subagent's own work, which belongs to its session's note",
            where=name,
            cure="Archive the session's file instead",
        )
    conversation, kinds = redact_conversation(read)
    return _Session(
        conversation=replace(conversation, source=source),
        summary=summarise(conversation),
        tags=tags_of(conversation),
        redacted=Counter(kinds).total(),
    )


def _planned(index: VaultIndex, session: _Session) -> _Written:
    """Plan the writes so that one that was cut short anywhere is seen and finished by the next.

    What differs last is written last: the row of a new note, which nothing may name before it is
    there, and the note of a session that grew.
    """
    known = _known(index, session.conversation.session_id)
    notice = None
    if known is None:
        _refuse_torn(index, session.conversation.session_id)
        log = _next_number(index)
        path = f"{CONVERSATIONS}/{note_stem(log)}.md"
        text = render(
            session.conversation,
            log=log,
            summary=session.summary,
            tags=session.tags,
            redacted=session.redacted,
        )
        note = Change(path, None, encode_text(text))
    else:
        path = known.path
        note, log, held = _updated(index, known, session)
        turns = {turn.id for turn in session.conversation.turns}
        if held and not held & turns:
            raise ConflictError(
                f"holds another session that goes by the id {session.conversation.session_id}",
                where=path,
                cure="Nothing was written; give the file of this transcript another name or id",
            )
        if lacking := len(held - turns):
            if len(turns) <= len(held):
                notice = f"{path} holds {len(held)} turns, this copy no more; it stays as it is"
                return _Written(ChangeSet(), path, log, created=False, notice=notice)
            gone = "1 turn is" if lacking == 1 else f"{lacking} turns are"
            notice = f"{path}: {gone} not in this longer copy, and in the note no more"
    table = _table(index, session, log)
    changes = [table]
    if session.conversation.source == "session" and _differ(note, table):
        changes.insert(0, _window(index, session, log))
    changes.insert(0 if known is None else len(changes), note)
    kept = tuple(filter(_differ, changes))
    message = f"Archive session {session.conversation.session_id} as {note_stem(log)}"
    return _Written(ChangeSet(kept, message), path, log, created=known is None, notice=notice)


def _differ(*changes: Change) -> bool:
    return any(change.before != change.after for change in changes)


def _known(index: VaultIndex, session_id: str) -> NoteRow | None:
    """The note of a session that was archived before; of several the one with the lowest path."""
    found = index.catalog.notes_by_session(session_id)
    return next((note for note in found if note.kind == "conversation"), None)


def _refuse_torn(index: VaultIndex, session_id: str) -> None:
    """Refuse a session that may be one side of a conflict, since it would get a second note."""
    for path in {finding.path for finding in index.catalog.findings()}:
        if path.startswith(f"{CONVERSATIONS}/"):
            text = decode_bytes(read_bytes(index.vault.path, path) or b"")
            if session_id in text:
                refuse_conflict(text, path)


def _next_number(index: VaultIndex) -> int:
    """One more than any number in use, in file names and in the table."""
    folder = index.vault.path / CONVERSATIONS
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    table = decode_bytes(read_bytes(index.vault.path, ARCHIVE) or b"")
    return max([0, *_numbers(names), *(row.log for row in parse_rows(table))]) + 1


def _numbers(names: Iterable[str]) -> list[int]:
    return [int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))]


def _updated(index: VaultIndex, known: NoteRow, session: _Session) -> tuple[Change, int, set[str]]:
    """The change of a session's note, its number, and the ids of the turns it holds."""
    before = read_bytes(index.vault.path, known.path) or b""
    text = decode_bytes(before)
    refuse_conflict(text, known.path)
    number = _NUMBERED.fullmatch(known.path.rpartition("/")[2])
    parsed = parse(text)
    log = parsed.log or (int(number[1]) if number else _next_number(index))

    def written(source: Source) -> bytes:
        after = rerender(
            text,
            replace(session.conversation, source=source),
            log=log,
            summary=session.summary,
            tags=session.tags,
            redacted=session.redacted,
        )
        return encode_text(after)

    source = session.conversation.source
    if source == "checkpoint" and written("session") == before:
        source = "session"
    held = {turn.id for turn in parsed.turns if turn.id}
    return Change(known.path, before, written(source)), log, held


def _table(index: VaultIndex, session: _Session, log: int) -> Change:
    before = read_bytes(index.vault.path, ARCHIVE)
    row = row_of(session.conversation, log=log, summary=session.summary)
    return Change(ARCHIVE, before, encode_text(upsert(decode_bytes(before or b""), row)))


def _window(index: VaultIndex, session: _Session, log: int) -> Change:
    before = read_bytes(index.vault.path, EPHEMERAL)
    entry = entry_of(session.conversation, log=log, summary=session.summary)
    window = index.vault.config.ephemeral_max_entries
    after = put(decode_bytes(before or b""), entry, window=window)
    return Change(EPHEMERAL, before, encode_text(after))

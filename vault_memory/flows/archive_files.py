"""Session files into the archive: one, or all that are not in it yet."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from vault_memory.clients.claude_code import SessionFile, working_folder
from vault_memory.core.answers import ArchiveAllAnswer, ArchiveAnswer, PassedOver
from vault_memory.core.conversation import Source
from vault_memory.errors import NotFoundError, TranscriptError, VaultmemError
from vault_memory.flows.archive import archive
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.notes.frontmatter import parse as parse_frontmatter
from vault_memory.notes.text import decode_bytes
from vault_memory.vault.read import read_bytes
from vault_memory.vault.seen_sessions import Seen, add_seen, read_seen

_AT_ONCE = 50
"""Files after which what was done is noted."""


def archive_file(
    index: VaultIndex, path: Path, *, name: str, dry_run: bool = False, source: Source = "session"
) -> ArchiveAnswer:
    """Archive one session's file, and note how it was found, so that it is known if it grows.

    Args:
        index: The open index of a vault that may be written.
        path: The file.
        name: What to call it in errors.
        dry_run: Whether to answer the diff and write nothing.
        source: Whether the session is over, or a checkpoint of it is to be saved.

    Raises:
        NotFoundError: There is no such file.
        TranscriptError: It cannot be read, or holds no session of its own.
        VaultmemError: As ``archive``.
    """
    data, seen = _read(path, name, source)
    answer = archive(index, data, name=path.name, dry_run=dry_run, source=source)
    if not dry_run:
        add_seen(index.vault.derived, {str(path): seen})
    return answer


def archive_all(
    index: VaultIndex,
    files: Sequence[SessionFile],
    *,
    project: Path | None = None,
    before_ns: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> ArchiveAllAnswer:
    """Archive every session that is not archived yet, or grew since; may be interrupted.

    Args:
        index: The open index of a vault that may be written.
        files: The files, oldest first.
        project: Only sessions that began in this folder; files that do not say are taken.
        before_ns: Leave files alone that were changed after this, since they may still be written.
        progress: Told how many of how many files are done.

    Raises:
        VaultmemError: The vault cannot be written.
    """
    answer = ArchiveAllAnswer(
        sessions=[], known=0, recent=0, passed_over=[], failed=[], notice=None
    )
    known, found = read_seen(index.vault.derived), dict[str, Seen]()
    refresh(index)
    try:
        for done, file in enumerate(files):
            progress(done, len(files))
            _take(index, file, known, found, answer, project=project, before_ns=before_ns)
            if len(found) >= _AT_ONCE:
                add_seen(index.vault.derived, found)
                found.clear()
    finally:
        add_seen(index.vault.derived, found)
    progress(len(files), len(files))
    return answer


def _take(
    index: VaultIndex,
    file: SessionFile,
    known: dict[str, Seen],
    found: dict[str, Seen],
    answer: ArchiveAllAnswer,
    *,
    project: Path | None,
    before_ns: int | None,
) -> None:
    path = str(file.path)
    seen = known.get(path) or _archived_before(index, file)
    if seen and seen[:2] == (file.size, file.mtime_ns) and seen.source != "checkpoint":
        answer["known"] += seen.source == "session"
        if path not in known:
            found[path] = seen
        return
    if before_ns is not None and file.mtime_ns > before_ns:
        answer["recent"] += 1
        return
    try:
        if project is not None and not _began_in(file.path, project):
            return
        data, seen = _read(file.path, path, "session")
        answer["sessions"].append(archive(index, data, name=file.path.name, dry_run=False))
        found[path] = seen
    except TranscriptError as error:
        answer["passed_over"].append(PassedOver(path=path, reason=error.problem))
        found[path] = Seen(file.size, file.mtime_ns, "none")
    except (VaultmemError, OSError) as error:
        answer["failed"].append(PassedOver(path=path, reason=str(error)))


def _read(path: Path, name: str, source: Source) -> tuple[bytes, Seen]:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            return file.read(), Seen(status.st_size, status.st_mtime_ns, source)
    except (FileNotFoundError, ValueError):
        raise NotFoundError(
            "no such transcript", where=name, cure="Name the .jsonl file of the session"
        ) from None
    except OSError as error:
        raise TranscriptError(f"cannot be read: {error.strerror}", where=name) from None


def _archived_before(index: VaultIndex, file: SessionFile) -> Seen | None:
    """What the archive says of a file that nothing else is known of, by its session's id."""
    for note in index.catalog.notes_by_session(file.path.stem):
        if note.kind == "conversation":
            text = decode_bytes(read_bytes(index.vault.path, note.path) or b"")
            source = parse_frontmatter(text).get("source") or "session"
            return Seen(file.size, file.mtime_ns, source)
    return None


def _began_in(path: Path, project: Path) -> bool:
    began = working_folder(path)
    return not began or os.path.realpath(began) == os.path.realpath(project)

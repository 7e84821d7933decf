"""Taking changed notes into the catalogue, piece by piece.

So memory stays flat, the index can be asked all the while, and what was interrupted goes on where
it stopped: what is in it by then no longer differs. Notes are read while nobody is kept waiting;
each piece is one transaction, in which a note that another process has taken in meanwhile is left
as it is.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vault_memory.core.findings import Finding
from vault_memory.core.links import stem_path
from vault_memory.core.note import Note, Unit
from vault_memory.errors import StorageError
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.manifest import Applied, FileRow, Stamp
from vault_memory.notes.decode import decode
from vault_memory.vault.read import fingerprint, oversized, read_bytes
from vault_memory.vault.scan import Seen

_BYTES_AT_ONCE = 2 << 20


class _Piece:
    """Notes that were read, each with what was known of its file when it was."""

    def __init__(self) -> None:
        self.notes: list[tuple[Note, Stamp, Stamp | None]] = []
        self.touched: list[tuple[str, Stamp, Stamp | None]] = []
        self.gone: list[tuple[str, Stamp | None]] = []


def take_in(
    index: VaultIndex,
    suspects: Sequence[Seen],
    removed: Sequence[FileRow],
    now: int,
    *,
    notes_at_once: int,
    progress: Callable[[int, int], None],
) -> Applied:
    """Take in what differs and return how many notes were added, changed and removed.

    The time of the scan is noted with the last piece alone: what only might have changed since the
    scan before would not be looked at again otherwise.

    Args:
        index: The open index, which is writable.
        suspects: Files that may be new or changed.
        removed: What was known of files that are gone.
        now: When the scan began, nanoseconds.
        notes_at_once: Notes that are read and committed together, at most.
        progress: Told how many of how many notes are read.

    Raises:
        LockedError: Another process held the index for too long.
    """
    catalog = index.catalog
    added = changed = lost = done = generation = 0

    def still(path: str, was: Stamp | None) -> bool:
        return catalog.file(path) == was

    for seen in _pieces(suspects, notes_at_once):
        piece = _read(index, seen)
        done += len(seen)
        with index.locked():
            paths = [row[0] for row in removed if _row(row[0], catalog.file(row[0])) == row]
            applied = catalog.apply(
                ((note, stamp) for note, stamp, was in piece.notes if still(note.path, was)),
                removed=[*paths, *(path for path, was in piece.gone if still(path, was))],
                touched=[(path, new) for path, new, was in piece.touched if still(path, was)],
                facts={"scanned_ns": str(now)} if done == len(suspects) else None,
            )
        removed = ()
        added += applied.added
        changed += applied.changed
        lost += applied.removed
        generation = applied.generation
        progress(done, len(suspects))
    return Applied(added, changed, lost, generation)


def missing(index: VaultIndex, suspects: Sequence[Seen], removed: Sequence[FileRow]) -> int:
    """Return how many notes an index that cannot be written does not know as they are."""
    pieces = (_read(index, [seen]) for seen in suspects)
    return len(removed) + sum(len(piece.notes) + len(piece.gone) for piece in pieces)


def _row(path: str, stamp: Stamp | None) -> FileRow | None:
    return (path, stamp.size, stamp.mtime_ns, stamp.inode) if stamp else None


def _pieces(suspects: Sequence[Seen], most: int) -> Iterator[list[Seen]]:
    """Yield pieces of bounded size, at least one."""
    piece: list[Seen] = []
    size = 0
    for seen in suspects:
        if len(piece) == most or (piece and size + seen[1] > _BYTES_AT_ONCE):
            yield piece
            piece, size = [], 0
        piece.append(seen)
        size += seen[1]
    yield piece


def _read(index: VaultIndex, suspects: Sequence[Seen]) -> _Piece:
    """Read notes and decode those whose bytes are not the known ones."""
    piece = _Piece()
    cap = index.vault.config.graph_provenance_agent_cap
    for seen in suspects:
        path, size, mtime_ns, inode = seen
        was = index.catalog.file(path)
        data = read_note(index.vault.path, seen)
        if data is None:
            if was is not None:
                piece.gone.append((path, was))
        elif isinstance(data, Note):
            piece.notes.append((data, Stamp(size, mtime_ns, inode, b""), was))
        else:
            digest = bytes.fromhex(fingerprint(data))
            stamp = Stamp(size, mtime_ns, inode, digest)
            if was is not None and was.sha256 == digest:
                piece.touched.append((path, stamp, was))
            else:
                piece.notes.append((decode(path, data, agent_cap=cap), stamp, was))
    return piece


def read_note(vault_path: Path, seen: Seen) -> bytes | Note | None:
    """The bytes of a note; one that may not be read gives a bare note with the finding.

    Returns:
        None when it is gone.
    """
    path, size, *_ = seen
    too_large = oversized(path, size)
    if too_large:
        return _bare(path, too_large)
    try:
        return read_bytes(vault_path, path)
    except StorageError as error:
        return _bare(path, Finding(path, 0, "note-unreadable", error.problem, "error"))


def _bare(path: str, finding: Finding) -> Note:
    """A note of which nothing but the name is known."""
    name = stem_path(path.rpartition("/")[2])
    unit = Unit("note", "", 1, name)
    return Note(path, "note", "note", "", name, units=(unit,), findings=(finding,))

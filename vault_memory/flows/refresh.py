"""Taking changed notes into the catalogue: a cheap scan, and only what differs is read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.errors import StorageError
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import ManifestRow, Stamp
from vault_memory.vault.read import fingerprint, oversized, read_bytes
from vault_memory.vault.scan import Scan, Seen, scan

if TYPE_CHECKING:
    from vault_memory.core.findings import Finding
    from vault_memory.core.note import Note

DECODER = "1"
"""Raised whenever the same note would decode to something else; all notes are then read again."""

_TICK_NS = 20_000_000
"""How coarse the times of files may be: one as new as the last scan may have changed since."""


class Refreshed(NamedTuple):
    """What a refresh found; sums over the whole vault.

    Attributes:
        added: Notes that are new.
        changed: Notes whose bytes changed.
        removed: Notes that are gone.
        unchanged: Notes that are as they were.
        scan: What lies in the vault.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    scan: Scan


class _Difference:
    """How the vault differs from the manifest."""

    def __init__(self) -> None:
        self.suspects: list[Seen] = []
        self.removed: list[str] = []
        self.known: dict[str, bytes] = {}


def refresh(index: VaultIndex, *, full: bool = False) -> Refreshed:
    """Take in every note that was added, changed or removed since the last time.

    Nothing is embedded: what changed is found by its words, names and links at once.

    Args:
        index: The open index.
        full: Whether to read every note, changed or not.
    """
    now = index.clock_ns()
    found = scan(index.vault.path, exclude=index.vault.config.vault_exclude)
    if not _differs(index, found, full=full):
        return Refreshed(0, 0, 0, len(found.files), found)
    if not index.writable:
        _tell_what_is_missing(index, found)
        return Refreshed(0, 0, 0, len(found.files), found)
    with index.locked():
        difference = _difference(index, found, full=full)
        return _take_in(index, found, difference, now)


def _tell_what_is_missing(index: VaultIndex, found: Scan) -> None:
    difference = _difference(index, found, full=False)
    gone = list(difference.removed)
    missing = len(_decoded(index, difference, [], gone)) + len(gone)
    if missing:
        notes = "1 changed note is" if missing == 1 else f"{missing} changed notes are"
        index.notify(f"The index cannot be written; {notes} not in it")


def _differs(index: VaultIndex, found: Scan, *, full: bool) -> bool:
    difference = _difference(index, found, full=full)
    return bool(difference.suspects or difference.removed)


def _difference(index: VaultIndex, found: Scan, *, full: bool) -> _Difference:
    facts = index.catalog.facts()
    scanned = int(facts.get("scanned_ns", "0"))
    anew = full or facts.get("decoder") != _decoder(index)
    difference = _compare(found.files, index.catalog.manifest(), scanned - _TICK_NS, anew=anew)
    hidden = tuple(f"{folder}/" for folder in found.unreadable)
    if hidden:
        difference.removed = [p for p in difference.removed if not p.startswith(hidden)]
    return difference


def _decoder(index: VaultIndex) -> str:
    """What decoding depends on besides the note."""
    return f"{DECODER} {index.vault.config.graph_provenance_agent_cap}"


def _compare(
    files: Sequence[Seen], manifest: Sequence[ManifestRow], racy: int, *, anew: bool
) -> _Difference:
    """Walk two lists sorted by path side by side."""
    difference = _Difference()
    at, end = 0, len(manifest)
    for seen in files:
        while at < end and manifest[at][0] < seen.path:
            difference.removed.append(manifest[at][0])
            at += 1
        if at == end or manifest[at][0] != seen.path:
            difference.suspects.append(seen)
            continue
        row = manifest[at]
        at += 1
        if anew or seen.mtime_ns >= racy or seen != row[:4]:
            difference.suspects.append(seen)
            difference.known[seen.path] = b"" if anew else row[4]
    difference.removed += [row[0] for row in manifest[at:]]
    return difference


def _take_in(index: VaultIndex, found: Scan, difference: _Difference, now: int) -> Refreshed:
    touched: list[tuple[str, Stamp]] = []
    gone = list(difference.removed)
    notes = _decoded(index, difference, touched, gone)
    applied = index.catalog.apply(
        notes,
        removed=gone,
        touched=touched,
        facts={"scanned_ns": str(now), "decoder": _decoder(index)},
    )
    unchanged = len(found.files) - applied.added - applied.changed
    return Refreshed(applied.added, applied.changed, applied.removed, unchanged, found)


def _decoded(
    index: VaultIndex,
    difference: _Difference,
    touched: list[tuple[str, Stamp]],
    gone: list[str],
) -> "list[tuple[Note, Stamp]]":
    from vault_memory.core.note import Note
    from vault_memory.notes.decode import decode

    notes = []
    cap = index.vault.config.graph_provenance_agent_cap
    for seen in difference.suspects:
        known = difference.known.get(seen.path)
        data = read_note(index.vault.path, seen)
        if data is None:
            if known is not None:
                gone.append(seen.path)
            continue
        if isinstance(data, Note):
            notes.append((data, Stamp(seen.size, seen.mtime_ns, seen.inode, b"")))
            continue
        digest = bytes.fromhex(fingerprint(data))
        stamp = Stamp(seen.size, seen.mtime_ns, seen.inode, digest)
        if known == digest:
            touched.append((seen.path, stamp))
        else:
            notes.append((decode(seen.path, data, agent_cap=cap), stamp))
    return notes


def read_note(vault_path: Path, seen: Seen) -> "bytes | Note | None":
    """The bytes of a note; one that may not be read gives a bare note with the finding.

    Returns:
        None when it is gone.
    """
    too_large = oversized(seen.path, seen.size)
    if too_large:
        return _bare(seen, too_large)
    try:
        return read_bytes(vault_path, seen.path)
    except StorageError as error:
        from vault_memory.core.findings import Finding

        return _bare(seen, Finding(seen.path, 0, "note-unreadable", error.problem, "error"))


def _bare(seen: Seen, finding: "Finding") -> "Note":
    """A note of which nothing but the name is known."""
    from vault_memory.core.links import stem_path
    from vault_memory.core.note import Note, Unit

    name = stem_path(seen.path.rpartition("/")[2])
    unit = Unit("note", "", 1, name)
    return Note(seen.path, "note", "note", "", name, units=(unit,), findings=(finding,))

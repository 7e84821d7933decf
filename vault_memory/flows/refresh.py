"""Noticing which notes changed: a cheap scan, and only what differs is read.

A listing whose digest is the one remembered is not even compared. What is known of the files has to
be older than the listing it is compared with, or a note that another process took in meanwhile
would look as if it were gone.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from operator import itemgetter
from typing import NamedTuple

from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.catalog_files import LISTING, listing_digest
from vault_memory.index.manifest import FileRow
from vault_memory.vault.lock import intake_lock
from vault_memory.vault.scan import Scan, Seen, scan

DECODER = "1"
"""Raised whenever the same note would decode to something else; all notes are then read again."""

NOTES_AT_ONCE = 500
"""Notes that are read and committed together, at most."""

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


def _silent(done: int, total: int) -> None:
    del done, total


def refresh(
    index: VaultIndex,
    *,
    full: bool = False,
    wait: bool = True,
    progress: Callable[[int, int], None] = _silent,
) -> Refreshed:
    """Take in every note that was added, changed or removed since the last time.

    Nothing is embedded: what changed is found by its words, names and links at once. It may be
    interrupted at any time.

    Args:
        index: The open index.
        full: Whether to read every note, changed or not.
        wait: Whether to wait for a process that is taking in many notes just now.
        progress: Told how many of how many notes are read.

    Raises:
        LockedError: Another process held the index for too long.
    """
    now = index.clock_ns()
    facts, decoder = index.catalog.facts(), _decoder(index)
    anew = full or facts.get("decoder") != decoder
    if anew and index.writable:
        with index.locked():
            index.catalog.doubt(decoder)
    found = scan(index.vault.path, exclude=index.vault.config.vault_exclude)
    racy = 0 if anew else int(facts.get("scanned_ns", "0")) - _TICK_NS
    if (
        not anew
        and facts.get(LISTING) == listing_digest(found.files)
        and max(map(itemgetter(2), found.files), default=racy - 1) < racy
    ):
        return Refreshed(0, 0, 0, len(found.files), found)
    known = index.catalog.files()
    if index.catalog.facts().get("generation") != facts.get("generation"):
        found = scan(index.vault.path, exclude=index.vault.config.vault_exclude)
    return _took_in(index, found, known, racy, now, wait=wait, progress=progress)


def _took_in(
    index: VaultIndex,
    found: Scan,
    known: Sequence[FileRow],
    racy: int,
    now: int,
    *,
    wait: bool,
    progress: Callable[[int, int], None],
) -> Refreshed:
    from vault_memory.flows.intake import missing, take_in

    suspects, removed = _difference(found, known, racy)
    if not (suspects or removed):
        if index.writable and known == found.files:
            index.catalog.remember_listing(known)
        return Refreshed(0, 0, 0, len(found.files), found)
    if not index.writable:
        number = missing(index, suspects, removed)
        if number:
            notes = "1 changed note is" if number == 1 else f"{number} changed notes are"
            index.notify(f"The index cannot be written; {notes} not in it")
        return Refreshed(0, 0, 0, len(found.files), found)
    with ExitStack() as held:
        if len(suspects) + len(removed) > NOTES_AT_ONCE:
            patience = index.vault.config.serve_lock_timeout_secs if wait else 0
            held.enter_context(intake_lock(index.folder, timeout_seconds=patience))
        taken = take_in(
            index, suspects, removed, now, notes_at_once=NOTES_AT_ONCE, progress=progress
        )
    index.catalog.remember_listing(found.files)
    unchanged = len(found.files) - taken.added - taken.changed
    return Refreshed(taken.added, taken.changed, taken.removed, unchanged, found)


def _decoder(index: VaultIndex) -> str:
    """What decoding depends on besides the note."""
    return f"{DECODER} {index.vault.config.graph_provenance_agent_cap}"


def _difference(
    found: Scan, known: Sequence[FileRow], racy: int
) -> tuple[list[Seen], list[FileRow]]:
    """Walk two lists sorted by path side by side; what cannot be listed is unknown, not gone.

    Returns:
        The files that may be new or changed, and those that are gone.
    """
    suspects: list[Seen] = []
    removed: list[FileRow] = []
    at, end = 0, len(known)
    for seen in found.files:
        path = seen[0]
        while at < end and known[at][0] < path:
            removed.append(known[at])
            at += 1
        if at < end and known[at][0] == path:
            at += 1
            if seen == known[at - 1] and seen[2] < racy:
                continue
        suspects.append(seen)
    removed += known[at:]
    hidden = tuple(f"{folder}/" for folder in found.unreadable)
    if hidden:
        removed = [row for row in removed if not row[0].startswith(hidden)]
    return suspects, removed

"""Bringing the index up to the notes: what changed is read, what is new is embedded."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from vault_memory.errors import LockedError
from vault_memory.flows.embed import embed
from vault_memory.flows.finding_items import finding_item
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.vault.lock import cover_lock

if TYPE_CHECKING:
    from vault_memory.core.answers import RebuildAnswer


def rebuild(
    index: VaultIndex,
    *,
    full: bool,
    progress: Callable[[int, int], None],
    elapsed: Callable[[], float],
) -> "RebuildAnswer":
    """Take in every changed note and embed every text that was never embedded.

    It may be interrupted at any time: what was embedded is kept.

    Args:
        index: The open index.
        full: Whether to read every note and write every row anew; known texts stay embedded.
        progress: Told how many of how many units are done.
        elapsed: Seconds since the command began.

    Raises:
        ModelError: The model is missing or damaged; the notes are taken in all the same.
        StorageError: The index cannot be written.
    """
    refreshed = refresh(index, full=full)
    if full:
        index.catalog.clear_rows(facts={"rows": "", "ann": ""})
    embedded = embed(index, progress=progress)
    if embedded.embedded or embedded.cached or refreshed.removed:
        with index.locked():
            index.vectors.tidy()
        _cover(index)
    facts = index.catalog.facts()
    return {
        "notes": {
            "added": refreshed.added,
            "changed": refreshed.changed,
            "removed": refreshed.removed,
            "unchanged": refreshed.unchanged,
        },
        "units": index.catalog.counts().units,
        "embedded": embedded.embedded,
        "cached": embedded.cached,
        "generation": int(facts.get("generation", "0")),
        "seconds": round(elapsed(), 3),
        "findings": [finding_item(f) for f in index.catalog.findings()],
    }


def _cover(index: VaultIndex) -> None:
    """Have an approximate index made where one is due, unless another process makes it."""
    with ExitStack() as held:
        try:
            held.enter_context(cover_lock(index.folder))
        except LockedError:
            return
        index.vectors.cover(index.locked)

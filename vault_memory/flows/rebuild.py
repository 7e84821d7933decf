"""Bringing the index up to the notes: what changed is read, what is new is embedded."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from vault_memory.errors import LockedError
from vault_memory.flows.complete_tokens import complete_tokens, may_lack_tokens
from vault_memory.flows.embed import NOTHING, embed, has_vectors, pending
from vault_memory.flows.finding_items import finding_item
from vault_memory.flows.refresh import refresh
from vault_memory.flows.renew import renew
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.vault.lock import cover_lock, embed_lock

if TYPE_CHECKING:
    from vault_memory.core.answers import RebuildAnswer


def rebuild(
    index: VaultIndex,
    *,
    full: bool,
    progress: Callable[[str, int, int], None],
    elapsed: Callable[[], float],
) -> "RebuildAnswer":
    """Take in every changed note and embed every text that was never embedded.

    It may be interrupted at any time: what was embedded is kept.

    Args:
        index: The open index.
        full: Whether to read every note and write every row anew; known texts stay embedded.
        progress: Told what is done, and how much of how much.
        elapsed: Seconds since the command began.

    Raises:
        LockedError: Another process embeds or holds the index for too long.
        ModelError: The model is missing or damaged; the notes are taken in all the same.
        StorageError: The index cannot be written.
    """
    refreshed = refresh(index, full=full, progress=partial(progress, "Reading"))
    embedded, known, completed = NOTHING, 0, 0
    if pending(index) or full or refreshed.removed or may_lack_tokens(index):
        patience = index.vault.config.serve_lock_timeout_secs
        with embed_lock(index.folder, timeout_seconds=patience):
            if full and has_vectors(index):
                known = renew(index, progress=partial(progress, "Writing"))
            embedded = embed(index, progress=partial(progress, "Embedding"))
            completed = complete_tokens(index, progress=partial(progress, "Embedding"))
            if has_vectors(index):
                index.vectors.tidy(index.locked)
    if has_vectors(index) and index.vectors.is_cover_due:
        _cover(index)
    return {
        "notes": {
            "added": refreshed.added,
            "changed": refreshed.changed,
            "removed": refreshed.removed,
            "unchanged": refreshed.unchanged,
        },
        "units": index.catalog.unit_count(),
        "embedded": embedded.embedded + completed,
        "cached": embedded.cached + known,
        "generation": index.catalog.generation,
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

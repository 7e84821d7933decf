"""How a vault is: its health, how full it is, and whether the index knows all of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.flows.finding_items import finding_item
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.notes.ephemeral_heads import count_entries
from vault_memory.notes.text import decode_bytes
from vault_memory.vault.layout import CONVERSATIONS, EPHEMERAL, MEMORY
from vault_memory.vault.read import read_bytes

if TYPE_CHECKING:
    from vault_memory.core.answers import StatusAnswer

MEMORY_LIMIT = 200
"""Lines that MEMORY.md should not pass, since all of it is read at the start of a session."""


def status(index: VaultIndex, *, with_digest: bool) -> "StatusAnswer":
    """Look at a vault without a model.

    Args:
        index: The open index, which has taken in what changed.
        with_digest: Whether to compute the digest of the vectors.
    """
    path = index.vault.path
    counts = index.catalog.counts()
    facts = index.catalog.facts()
    reason = _degraded(path)
    embedded = counts.units > counts.pending and not index.model_problem
    return {
        "health": "degraded" if reason else "healthy",
        "reason": reason or None,
        "vault": str(path),
        "memory": {"lines": _line_count(path), "limit": MEMORY_LIMIT},
        "ephemeral": {
            "entries": _entry_count(path),
            "limit": index.vault.config.ephemeral_max_entries,
        },
        "conversations": counts.notes.get("conversation", 0),
        "entities": counts.notes.get("entity", 0),
        "relations": counts.notes.get("relation", 0),
        "sources": counts.notes.get("source", 0),
        "notes": counts.notes.get("note", 0),
        "index": {
            "generation": int(facts.get("generation", "0")),
            "units": counts.units,
            "stale": index.catalog.pending_note_count(),
            "model": index.model_name,
            "digest": _digest(index) if with_digest and embedded else None,
        },
        "findings": [finding_item(f) for f in index.catalog.findings() if f.severity == "error"],
    }


def _digest(index: VaultIndex) -> str:
    from vault_memory.flows.digest import digest

    return digest(index)


def _degraded(path: Path) -> str:
    missing = [name for name in (MEMORY, f"{CONVERSATIONS}/") if not (path / name).exists()]
    them = "it" if len(missing) == 1 else "them"
    return f"{' and '.join(missing)} missing: vaultmem init adds {them}" if missing else ""


def _line_count(path: Path) -> int:
    text = decode_bytes(read_bytes(path, MEMORY) or b"")
    return len(text.splitlines())


def _entry_count(path: Path) -> int:
    return count_entries(decode_bytes(read_bytes(path, EPHEMERAL) or b""))

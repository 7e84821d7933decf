"""How much layer 0 holds."""

from collections import Counter

from vault_memory.core.answers import GraphStatusAnswer
from vault_memory.flows.vault_index import VaultIndex


def graph_status(index: VaultIndex) -> GraphStatusAnswer:
    """Count entities by type, relations by verb, links, and beliefs without support."""
    counts = index.catalog.counts()
    rels = Counter(row.rel for row in index.catalog.relations())
    beliefs = index.catalog.notes(("entity", "relation"))
    return GraphStatusAnswer(
        entities=counts.notes.get("entity", 0),
        relations=counts.notes.get("relation", 0),
        links=counts.links,
        types=dict(sorted(counts.types.items())),
        rels=dict(sorted(rels.items())),
        unsupported=sum(1 for note in beliefs if note.standing and note.standing.unsupported),
        stale=index.catalog.pending_note_count(),
    )

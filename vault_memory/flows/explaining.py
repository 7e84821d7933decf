"""Saying of hits why they score what they do, and whom they are about."""

from collections.abc import Sequence

from vault_memory.core.about import Asked, about, possible_names
from vault_memory.core.explanation import Reasons, explain
from vault_memory.core.found import About, Explanation, Hit
from vault_memory.core.links import stem_path
from vault_memory.flows.retrieve import Found, Retrieved
from vault_memory.flows.vault_index import VaultIndex


def explained(
    index: VaultIndex, hit: Hit, found: Found, *, query: str, named: Sequence[str]
) -> Explanation:
    """Return the parts of a hit's score with their reasons.

    Args:
        index: The open index.
        hit: What is answered.
        found: What was found of it.
        query: What was asked.
        named: Whom the query names.
    """
    parts = dict(found.ranked.parts)
    parts["graph"] = hit["score"] - sum(parts.values())
    path = [stem_path(way.rpartition("/")[2]) for way in hit["via"]]
    before = index.catalog.neighbours([found.unit.id])[found.unit.id][0]
    around = index.catalog.units_by_id({found.unit.id, *([] if before is None else [before])})
    words = index.catalog.matched_words(query, [around[key] for key in sorted(around)])
    reasons = Reasons(found.cosine, words.held, words.missing, named, path)
    return explain(parts, reasons, found.ranked.again)


def told_about(
    index: VaultIndex, query: str, retrieved: Sequence[Retrieved], hits: Sequence[Hit]
) -> About:
    """Return whom a query asks for and whom the hits speak of.

    Args:
        index: The open index.
        query: What was asked.
        retrieved: What was retrieved for it, of one or several kinds.
        hits: What was found, best first.
    """
    named = list(dict.fromkeys(name for one in retrieved for name in one.named))
    words = " ".join(named).split()
    possible = [word for word in possible_names(query) if word not in words]
    closer = next((one.closer for one in retrieved if one.closer), "")
    return about(Asked(named, index.catalog.unknown_words(possible), closer), hits)

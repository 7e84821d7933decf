"""The token vectors of turns as they are stored; what is damaged or gone is made again."""

from collections.abc import Iterable, Sequence

from vault_memory.errors import StorageError
from vault_memory.flows.embed import run_model
from vault_memory.flows.vault_index import INCOMPLETE, TOKENS_FACT, VaultIndex
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.rows import UnitRow

_MOST_NS = 2_000_000_000
"""How long a search makes token vectors again before it goes without."""


def packed_tokens(index: VaultIndex, turns: Iterable[UnitRow]) -> dict[str, bytes]:
    """Return the packed token vectors of turns by text.

    A turn that was embedded has them. Where they are damaged or gone all the same, the model runs
    on it again, for a while; what it did not come to is left out, and one line says so.

    Args:
        index: The open index.
        turns: The more important ones first.

    Returns:
        Nothing when the turns were embedded without, and are to be completed by a rebuild.
    """
    identity = index.model.token_identity
    state = index.catalog.facts().get(TOKENS_FACT, "")
    if not identity or state not in (identity, f"{identity}{INCOMPLETE}"):
        return {}
    listed = list(turns)
    try:
        with index.known_embeddings() as store:
            found = store.get_tokens({turn.text for turn in listed})
    except (DamagedIndexError, StorageError):
        found = {}
    lost = dict.fromkeys(
        turn.text for turn in listed if turn.row is not None and turn.text not in found
    )
    return found | _made_again(index, list(lost)) if lost else found


def _made_again(index: VaultIndex, texts: Sequence[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    index.lack_tokens()
    began = index.clock_ns()
    if index.writable:
        with index.embeddings() as store:
            run_model(
                index,
                store,
                [(text, True) for text in texts],
                lambda: index.clock_ns() - began > _MOST_NS,
            )
            found = store.get_tokens(texts)
    if len(found) < len(texts):
        index.notify(
            "Token vectors of turns are damaged or gone; they rank without until: vaultmem rebuild"
        )
    return found

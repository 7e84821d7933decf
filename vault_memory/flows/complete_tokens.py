"""Giving turns that were embedded before the vectors of their tokens."""

from collections.abc import Callable

from vault_memory.flows.embed import has_vectors, note_tokens, run_model
from vault_memory.flows.vault_index import TOKENS_FACT, VaultIndex

_TEXTS_AT_ONCE = 1_000
"""Texts that are looked up together."""


def may_lack_tokens(index: VaultIndex) -> bool:
    """Whether embedded turns may be without the token vectors that the model gives."""
    facts = index.catalog.facts()
    identity = index.model.token_identity if has_vectors(index) else ""
    return bool(identity) and facts.get(TOKENS_FACT) != identity


def complete_tokens(index: VaultIndex, *, progress: Callable[[int, int], None]) -> int:
    """Run the model on every embedded turn that has no token vectors, where there may be some.

    It may be interrupted at any time: what was done is kept. When the catalogue says that none is
    without, nothing is looked at. Nobody embeds meanwhile: the caller holds ``embed_lock``.

    Args:
        index: The open index, which is writable.
        progress: Told how many of how many texts are done.

    Returns:
        How many texts the model ran on.

    Raises:
        ModelError: The model or its projection is damaged.
    """
    if not may_lack_tokens(index):
        return 0
    texts = index.catalog.embedded_turns()
    ran = 0
    with index.embeddings() as store:
        for at in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts[at : at + _TEXTS_AT_ONCE]
            known = store.get_tokens(some)
            new = [(text, True) for text in some if text not in known]

            def tell(number: int, before: int = at + len(known)) -> None:
                progress(before + number, len(texts))

            ran += len(run_model(index, store, new, tell=tell))
    note_tokens(index)
    return ran

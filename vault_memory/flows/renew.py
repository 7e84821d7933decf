"""Writing all vectors of the units anew from the embedded texts, while the old ones serve."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from vault_memory.flows.embed import rows_of
from vault_memory.flows.vault_index import VaultIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def renew(index: VaultIndex, *, progress: Callable[[int, int], None]) -> int:
    """Write the row of every unit anew; what has no embedded text is pending afterwards.

    Nobody embeds meanwhile: the caller holds ``embed_lock``.

    Args:
        index: The open index, which is writable.
        progress: Told how many of how many units are done.

    Returns:
        How many texts were known.

    Raises:
        ModelError: The model is missing or damaged; the rows are as they were.
    """
    known = done = 0
    total = index.catalog.unit_count()

    with index.embeddings() as store:

        def pieces() -> "Iterator[Mapping[int, NDArray[np.float32]]]":
            nonlocal known, done
            for notes in index.catalog.all_notes():
                vectors = store.get({unit.text for note in notes for unit in note})
                known += len(vectors)
                done += sum(map(len, notes))
                yield rows_of(notes, vectors)
                progress(min(done, total), total)

        index.vectors.renew(pieces(), index.locked)
    return known

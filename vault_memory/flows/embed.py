"""Giving the units that have none their vectors; a text that was ever embedded is not again."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.flows.vault_index import TOKENS_FACT, VaultIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.embeddings import Embeddings
    from vault_memory.index.rows import UnitRow

_NOTES_AT_ONCE = 100
"""Notes whose vectors are committed together, at most."""

_TEXTS_AT_ONCE = 32
"""New texts after which what was embedded is stored, whatever comes next."""


class Embedded(NamedTuple):
    """What was done.

    Attributes:
        embedded: Texts that the model ran on.
        cached: Texts that were known.
        left: Notes that still have units without a vector.
    """

    embedded: int
    cached: int
    left: int


NOTHING = Embedded(0, 0, 0)


def has_vectors(index: VaultIndex) -> bool:
    """Whether there are vectors and the model they were made with."""
    return bool(index.catalog.facts().get("rows")) and not index.model_problem


def pending(index: VaultIndex) -> int:
    """How many units have no vector, those whose vectors proved damaged among them."""
    if has_vectors(index):
        index.vectors.check()
    return index.catalog.pending_count()


def _never() -> bool:
    return False


def _silent(done: int, total: int) -> None:
    del done, total


def _unheard(done: int) -> None:
    del done


def embed(
    index: VaultIndex,
    *,
    most_notes: int | None = None,
    enough: Callable[[], bool] = _never,
    progress: Callable[[int, int], None] = _silent,
) -> Embedded:
    """Embed what is pending, keeping what is done after every few texts.

    Nobody else does so meanwhile: the caller holds ``embed_lock``.

    Args:
        index: The open index, which is writable.
        most_notes: How many notes to run the model for at most; None for all.
        enough: Asked after every text; when it says so, the rest is left.
        progress: Told how many of how many units are done.

    Raises:
        ModelError: The model is missing or damaged; nothing is lost.
    """
    total, done, embedded, cached, taken = pending(index), 0, 0, 0, 0
    if not total:
        return NOTHING
    if not has_vectors(index):
        note_tokens(index)
    with index.embeddings() as store:
        while most_notes is None or taken < most_notes:
            room = _NOTES_AT_ONCE if most_notes is None else min(_NOTES_AT_ONCE, most_notes - taken)
            notes = index.catalog.pending_notes(room)
            if not notes:
                break
            texts = list(dict.fromkeys(unit.text for note in notes for unit in note))
            turns = _turns(index, notes)
            vectors = store.get(texts)
            known = vectors.keys() - (turns - store.get_tokens(turns).keys())
            new = [(text, text in turns) for text in texts if text not in known]
            cached += len(known)
            before = done

            def tell(number: int, before: int = before) -> None:
                progress(min(before + number, total), total)

            fresh = run_model(index, store, new, enough, tell)
            embedded += len(fresh)
            _commit(index, notes, {text: vectors[text] for text in known} | fresh)
            taken += sum(any(unit.text not in known for unit in note) for note in notes)
            done += sum(map(len, notes))
            tell(done - before)
            if len(fresh) < len(new):
                break
    return Embedded(embedded, cached, index.catalog.pending_note_count())


def _turns(index: VaultIndex, notes: "Sequence[Sequence[UnitRow]]") -> set[str]:
    """The texts whose tokens get vectors too; none where the model has no projection for them."""
    if not index.model.tokens:
        return set()
    return {unit.text for note in notes for unit in note if unit.kind == "turn"}


def note_tokens(index: VaultIndex) -> None:
    """Say in the catalogue that every turn which has a vector has those of its tokens."""
    identity = "" if index.model_problem else index.model.token_identity
    if index.catalog.facts().get(TOKENS_FACT, "") != identity:
        index.catalog.set_rows({}, facts={TOKENS_FACT: identity})


def run_model(
    index: VaultIndex,
    store: "Embeddings",
    texts: Sequence[tuple[str, bool]],
    enough: Callable[[], bool] = _never,
    tell: Callable[[int], None] = _unheard,
) -> dict[str, bytes]:
    """Run the model on texts until it is enough; what was embedded is stored, come what may.

    Args:
        index: The open index.
        store: Where to.
        texts: Each with whether its tokens get vectors too.
        enough: Asked after every text.
        tell: Told how many are done.

    Returns:
        The vectors by text.
    """
    done: dict[str, bytes] = {}
    unsaved: dict[str, bytes] = {}
    tokens: dict[str, bytes] = {}
    if not texts:
        return done
    try:
        with closing(index.embedder.read_each(texts)) as read:  # type: ignore[type-var]
            for (text, _), one in zip(texts, read, strict=False):
                done[text] = unsaved[text] = one.vector.astype("<f4").tobytes()
                if one.tokens is not None:
                    tokens[text] = one.tokens
                tell(len(done))
                if len(unsaved) == _TEXTS_AT_ONCE:
                    store.put(unsaved, tokens)
                    unsaved.clear()
                    tokens.clear()
                if enough():
                    break
    finally:
        if unsaved:
            store.put(unsaved, tokens)
    return done


def _commit(
    index: VaultIndex, notes: "Sequence[Sequence[UnitRow]]", vectors: dict[str, bytes]
) -> None:
    rows = rows_of(notes, vectors)
    with index.locked():
        index.vectors.add(rows)


def rows_of(
    notes: "Sequence[Sequence[UnitRow]]", vectors: Mapping[str, bytes]
) -> "dict[int, NDArray[np.float32]]":
    """The rows of every note whose texts are all embedded, by unit; turns with their context.

    A section of a note names what it is about; what a turn is about was often said before it.
    """
    import numpy as np

    from vault_memory.index.vectors import mix_context

    whole = [note for note in notes if all(unit.text in vectors for unit in note)]
    own = np.frombuffer(b"".join(vectors[unit.text] for note in whole for unit in note), "<f4")
    rows: dict[int, NDArray[np.float32]] = {}
    at = 0
    for note in whole:
        size = sum(len(vectors[unit.text]) for unit in note) // own.itemsize
        block = own[at : at + size].reshape(len(note), -1)
        at += size
        said = all(unit.kind == "turn" for unit in note)
        rows.update(zip((u.id for u in note), mix_context(block) if said else block, strict=True))
    return rows

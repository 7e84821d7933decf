"""A generated vault that is indexed step by step, with vectors that stand in for the model's.

To embed a large vault takes hours and is measured apart. So every text is given a vector that is
drawn from its hash, near one of some topics as those of real texts are, before the rest is
measured: it is read, mixed, written and searched like any other.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.ann import EXACT_BELOW
from vault_memory.index.unit_vectors import UnitVectors
from vault_memory.index.vectors import DIMENSION
from vault_memory.vault.config import Config
from vault_memory.vault.layout import DERIVED, Vault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOPICS = 256
_SPREAD = 1.2
_CHARACTERS_A_TOKEN = 5
_OLD_NS = 3600 * 10**9


@contextmanager
def opened(
    folder: Path, cache_folder: Path, *, exact_below: int = EXACT_BELOW
) -> Iterator[VaultIndex]:
    """The index of a generated vault, with an approximate one from so many units on."""
    vault = Vault(folder, None, Config(), folder / DERIVED)
    with VaultIndex.open(vault, cache=cache_folder, notify=_raise) as index:
        index.vectors = UnitVectors(
            index.catalog,
            index.folder,
            index.model.identity,
            notify=_raise,
            exact_below=exact_below,
        )
        yield index


def _raise(line: str) -> None:
    raise RuntimeError(line)


def age(folder: Path, now_ns: int) -> None:
    """Make every note look as if it had been written an hour ago, as most notes of a vault were."""
    for path in folder.rglob("*.md"):
        os.utime(path, ns=(now_ns - _OLD_NS, now_ns - _OLD_NS))


def give_vectors(index: VaultIndex) -> int:
    """Give every text that is not embedded a vector that stands in; return how many were given.

    Turns are given vectors of their tokens too, where the model has any.
    """
    given = 0
    kind = index.token_kind
    with index.embeddings() as store:
        for notes in index.catalog.all_notes():
            units = [unit for note in notes for unit in note]
            known = store.get({unit.text for unit in units})
            new = list({unit.text for unit in units} - known.keys())
            rows = dict(zip(new, (row.tobytes() for row in stand_ins(new)), strict=True))
            turns = {unit.text for unit in units if unit.kind == "turn"}.intersection(new)
            tokens = (
                {text: _token_stand_ins(text, kind.token_bytes) for text in turns} if kind else {}
            )
            store.put(rows, tokens)
            given += len(new)
    return given


def _token_stand_ins(text: str, token_bytes: int) -> bytes:
    """Packed signs for about as many tokens as a text has."""
    tokens = 1 + len(text) // _CHARACTERS_A_TOKEN
    return hashlib.shake_128(text.encode()).digest(tokens * token_bytes)


def stand_ins(texts: Sequence[str]) -> "list[NDArray[np.float32]]":
    """A unit vector for each text, the same for the same text."""
    import numpy as np

    vectors = []
    for text in texts:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        dice = np.random.default_rng(seed)
        drawn = dice.standard_normal(DIMENSION, np.float32) * _SPREAD + _topics()[seed % _TOPICS]
        vectors.append((drawn / np.linalg.norm(drawn)).astype("<f4"))
    return vectors


@cache
def _topics() -> "NDArray[np.float32]":
    import numpy as np

    return np.random.default_rng(0).standard_normal((_TOPICS, DIMENSION), np.float32)

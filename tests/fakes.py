"""Another real embedder, which needs no model, and one that keeps a record of what it was given."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vault_memory.index.embedder import Embedder


class WordEmbedder:
    """Adds up a fixed vector for each word: texts that share words are near each other.

    Args:
        dimension: Numbers in a vector.
    """

    def __init__(self, dimension: int = 384) -> None:
        self._dimension = dimension

    @property
    def identity(self) -> str:
        """What it is called."""
        return f"words {self._dimension}"

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the texts, shape (texts, dimension)."""
        return np.array(list(self.embed_each(texts)), np.float32).reshape(-1, self._dimension)

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The vectors of the texts in order."""
        return map(self.embed_query, texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, of length 1."""
        total = np.zeros(self._dimension)
        for word in ["", *text.lower().split()]:
            seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8])
            total += np.random.default_rng(seed).standard_normal(self._dimension)
        unit: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
        return unit

    def read_share(self, text: str) -> float:
        """All of any text."""
        del text
        return 1.0


class Recorder:
    """Embeds with another embedder and keeps what it was given, questions apart."""

    def __init__(self, embedder: Embedder) -> None:
        self.texts: list[str] = []
        self._embedder = embedder

    @property
    def identity(self) -> str:
        """That of the other."""
        return self._embedder.identity

    @property
    def dimension(self) -> int:
        """That of the other."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The other's vectors."""
        self.texts += texts
        return self._embedder.embed(texts)

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The other's vectors one by one; a text counts once its vector was given."""
        given = list(texts)
        for text, vector in zip(given, self._embedder.embed_each(given), strict=True):
            self.texts.append(text)
            yield vector

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The other's vector of a question."""
        return self._embedder.embed_query(text)

    def read_share(self, text: str) -> float:
        """What the other reads."""
        return self._embedder.read_share(text)

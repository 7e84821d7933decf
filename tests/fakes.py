"""Another real embedder, which needs no model, and one that keeps a record of what it was given."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vault_memory.index.embedder import Embedder, ReadQuery, ReadText
from vault_memory.index.model import TOKEN_BYTES
from vault_memory.index.tokens import TokenVectors


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
        total = sum(_numbers(word, self._dimension) for word in ["", *_words(text)])
        return _unit(np.asarray(total))

    def read_each(self, texts: Iterable[tuple[str, bool]]) -> Iterator[ReadText]:
        """The vectors of the texts, and a few bits for each word where they are wanted."""
        for text, with_tokens in texts:
            bits = b"".join(_signs(word).tobytes() for word in _words(text))
            yield ReadText(self.embed_query(text), bits if with_tokens else None)

    def read_query(self, text: str) -> ReadQuery:
        """The vector of a question, and those of its words."""
        signs = [2.0 * np.unpackbits(_signs(word)) - 1 for word in _words(text)]
        rows = np.array(signs, np.float32).reshape(-1, 8 * TOKEN_BYTES)
        lengths = np.float32(np.sqrt(8 * TOKEN_BYTES))
        tokens = TokenVectors(rows / lengths, np.ones(len(rows), np.float32))
        return ReadQuery(self.embed_query(text), tokens)

    def read_share(self, text: str) -> float:
        """All of any text."""
        del text
        return 1.0


class Recorder:
    """Embeds with another embedder and keeps what texts it was given; not what questions.

    Attributes:
        texts: Each text that the other ran on, and whether vectors of its tokens were wanted.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.texts: list[tuple[str, bool]] = []
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
        return np.array(list(self.embed_each(texts)), np.float32).reshape(-1, self.dimension)

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The other's vectors one by one."""
        return (one.vector for one in self.read_each((text, False) for text in texts))

    def read_each(self, texts: Iterable[tuple[str, bool]]) -> Iterator[ReadText]:
        """The other's vectors one by one; a text counts once its vector was given."""
        given = list(texts)
        for wanted, read in zip(given, self._embedder.read_each(given), strict=True):
            self.texts.append(wanted)
            yield read

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The other's vector of a question."""
        return self._embedder.embed_query(text)

    def read_query(self, text: str) -> ReadQuery:
        """What the other makes of a question."""
        return self._embedder.read_query(text)

    def read_share(self, text: str) -> float:
        """What the other reads."""
        return self._embedder.read_share(text)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _digest(word: str) -> bytes:
    return hashlib.sha256(word.encode("utf-8", "replace")).digest()


def _numbers(word: str, count: int) -> NDArray[np.float64]:
    return np.random.default_rng(int.from_bytes(_digest(word)[:8])).standard_normal(count)


def _signs(word: str) -> NDArray[np.uint8]:
    return np.frombuffer(_digest(word)[:TOKEN_BYTES], np.uint8)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit

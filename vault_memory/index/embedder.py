"""Text to unit vectors: each text alone, so that the same text always gets the same bytes."""

from __future__ import annotations

from collections import Counter, deque
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from vault_memory.core.readable import Piece, read_share, script_of
from vault_memory.errors import ModelError
from vault_memory.index.session import open_session
from vault_memory.index.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from vault_memory.index.model import ModelFiles

MAX_TOKENS = 512
"""What the model reads of a text, special tokens included; the rest is cut off."""

MAX_CHARACTERS = 1 << 16
"""What the tokenizer is given of a text, far more than ``MAX_TOKENS`` of any real one."""


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def identity(self) -> str:
        """A short string that changes whenever the same text may get another vector."""
        ...

    @property
    def dimension(self) -> int:
        """The number of components of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the texts, float32, shape (texts, dimension), each of length 1."""
        ...

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The vectors of the texts one by one and in order, each of shape (dimension,)."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, float32, shape (dimension,), of length 1."""
        ...

    def read_share(self, text: str) -> float:
        """The share of a text that the model can read, within [0, 1]."""
        ...


class OnnxEmbedder:
    """Embeds with an ONNX model of BERT's kind: CLS pooling, then L2 norm.

    A dynamically quantised model scales over its batch, so the vector of a text would depend on
    its neighbours there: each text is run alone, and the vectors are the same whatever the number
    of threads. Nothing is loaded before the first text. A text without a single token, such as
    the empty one, gets the vector of the empty text, which is finite and of length 1.

    Args:
        files: The model.
        cache: The user's cache folder, for the optimised graph. It need not be writable.
        threads: How many texts are run at the same time.
    """

    def __init__(self, files: ModelFiles, *, cache: Path, threads: int = 2) -> None:
        self._files = files
        self._cache = cache
        self._threads = threads

    @property
    def identity(self) -> str:
        """The identity of the model's files and of this pipeline."""
        return self._files.identity

    @cached_property
    def dimension(self) -> int:
        """The number of components of each vector; loads the model."""
        return len(self.embed_query(""))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the texts, float32, shape (texts, dimension), each of length 1.

        Raises:
            ModelError: The model cannot be loaded.
        """
        import numpy as np

        vectors = list(self.embed_each(texts))
        return np.stack(vectors) if vectors else np.empty((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, float32, shape (dimension,); no prefix is put before it.

        Raises:
            ModelError: The model cannot be loaded.
        """
        return self._embed_one(text)

    def read_share(self, text: str) -> float:
        """The share of a text that the model can read, by how its tokenizer cuts it.

        Raises:
            ModelError: The tokenizer cannot be loaded.
        """
        sound = _sound(text[:MAX_CHARACTERS])
        encoding = self._tokenizer.encode(sound, add_special_tokens=False)
        pieces = [
            Piece(*place, known=number != self._unknown)
            for number, place in zip(encoding.ids, encoding.offsets, strict=True)
        ]
        scripts = {} if sound.isascii() else self._scripts
        return read_share(sound, pieces, vocabulary=scripts, silent=STOP_WORDS)

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The vectors of the texts one by one and in order, each float32 of shape (dimension,).

        The caller may stop at any time and keep what it has; closing the iterator (or Ctrl-C)
        waits for the texts that are just being run, and for no other.

        Args:
            texts: Taken as they are needed, a few ahead.

        Raises:
            ModelError: The model cannot be loaded.
        """
        from concurrent.futures import ThreadPoolExecutor

        waiting = iter(texts)
        first = list(islice(waiting, 8 * self._threads))
        if self._threads == 1 or len(first) < 2:
            yield from map(self._embed_one, first)
            yield from map(self._embed_one, waiting)
            return
        self._load()
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
        try:
            running: deque[Future[NDArray[np.float32]]] = deque(
                pool.submit(self._embed_one, text) for text in first
            )
            while running:
                yield running.popleft().result()
                running.extend(pool.submit(self._embed_one, text) for text in islice(waiting, 1))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        session, inputs = self._session
        encoding = self._tokenizer.encode(_sound(text[:MAX_CHARACTERS]))
        ids = np.array([encoding.ids], dtype=np.int64)
        offered = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden = session.run(None, {name: offered[name] for name in inputs})[0]
        cls = hidden[0, 0].astype(np.float64)
        unit: NDArray[np.float32] = (cls / np.sqrt(np.sum(cls * cls))).astype(np.float32)
        return unit

    def _load(self) -> None:
        _ = self._session, self._tokenizer

    @cached_property
    def _session(self) -> tuple[InferenceSession, tuple[str, ...]]:
        session = open_session(self._files, cache=self._cache)
        inputs = tuple(node.name for node in session.get_inputs())
        known = {"input_ids", "attention_mask", "token_type_ids"}
        if not known.issuperset(inputs) or len(session.get_outputs()[0].shape) != 3:
            raise ModelError(
                f"the model is not of BERT's kind (inputs {', '.join(inputs)})",
                where=str(self._files.model),
                cure="Name another folder as [embedding] model",
            )
        return session, inputs

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._files.tokenizer))
        except Exception as error:  # tokenizers raises nothing more special
            raise ModelError(
                f"the tokenizer cannot be read ({error})",
                where=str(self._files.tokenizer),
                cure="Put the tokenizer.json of the model there",
            ) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _unknown(self) -> int | None:
        """The number of the piece that stands for anything unknown; None when there is none."""
        name = getattr(self._tokenizer.model, "unk_token", "<unk>")
        number: int | None = self._tokenizer.token_to_id(name) if name else None
        return number

    @cached_property
    def _scripts(self) -> Counter[str]:
        """How many pieces the tokenizer knows of each script."""
        letters = (
            next(char for char in piece if not char.isascii())
            for piece in self._tokenizer.get_vocab()
            if not piece.isascii()
        )
        return Counter(map(script_of, letters))


def _sound(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

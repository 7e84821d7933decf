"""Text to unit vectors: each text alone, so that the same text always gets the same bytes."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from vault_memory.index.inference import Graph, read_graph, refused, unit_vector
from vault_memory.index.pieces import Pieces
from vault_memory.index.session import open_session, session_errors
from vault_memory.index.tokens import Projection, TokenVectors, read_projection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.model import ModelFiles

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class ReadText(NamedTuple):
    """What the model makes of a text that is kept.

    Attributes:
        vector: Float32, shape (dimension,), of length 1.
        tokens: The vectors of its tokens, packed; None when they were not wanted or the model has
            no projection for them.
    """

    vector: NDArray[np.float32]
    tokens: bytes | None


class ReadQuery(NamedTuple):
    """What the model makes of a question.

    Attributes:
        vector: Float32, shape (dimension,), of length 1.
        tokens: The vectors of its tokens; None when the model has no projection for them.
    """

    vector: NDArray[np.float32]
    tokens: TokenVectors | None


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

    def read_each(self, texts: Iterable[tuple[str, bool]]) -> Iterator[ReadText]:
        """The vectors of the texts in order, with those of its tokens where the flag is set."""
        ...

    def read_query(self, text: str) -> ReadQuery:
        """The vector of a question, and those of its tokens."""
        ...

    def read_share(self, text: str) -> float:
        """The share of a text that the model can read, within [0, 1]."""
        ...


class OnnxEmbedder:
    """Embeds with an ONNX model of BERT's kind, as its folder says; vectors have length 1.

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
        """The vector of a question, float32, shape (dimension,), of length 1.

        Raises:
            ModelError: The model cannot be loaded.
        """
        return self.read_query(text).vector

    def read_query(self, text: str) -> ReadQuery:
        """The vector of a question, and those of its tokens, from one run of the model.

        Raises:
            ModelError: The model or its projection cannot be loaded.
        """
        vector, states, numbers = self._read(self._files.usage.before_query + text)
        projection = self._projection
        return ReadQuery(vector, projection.project(states, numbers) if projection else None)

    def read_share(self, text: str) -> float:
        """The share of a text that the model can read, by how its tokenizer cuts it.

        Raises:
            ModelError: The tokenizer cannot be loaded.
        """
        return self._pieces.read_share(text)

    def embed_each(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """The vectors of the texts one by one and in order, each float32 of shape (dimension,).

        The caller may stop at any time and keep what it has; closing the iterator (or Ctrl-C)
        waits for the texts that are just being run, and for no other.

        Args:
            texts: Taken as they are needed, a few ahead.

        Raises:
            ModelError: The model cannot be loaded.
        """
        return (one.vector for one in self.read_each((text, False) for text in texts))

    def read_each(self, texts: Iterable[tuple[str, bool]]) -> Iterator[ReadText]:
        """The vectors of the texts one by one and in order, and of their tokens if wanted.

        Args:
            texts: Each with whether the vectors of its tokens are wanted; taken as for
                ``embed_each``.

        Raises:
            ModelError: The model or its projection cannot be loaded.
        """
        return self._each(self._read_text, texts)

    def _each(self, work: Callable[[_In], _Out], texts: Iterable[_In]) -> Iterator[_Out]:
        from concurrent.futures import ThreadPoolExecutor

        waiting = iter(texts)
        first = list(islice(waiting, 8 * self._threads))
        if self._threads == 1 or len(first) < 2:
            yield from map(work, first)
            yield from map(work, waiting)
            return
        self._load()
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
        try:
            running: deque[Future[_Out]] = deque(pool.submit(work, text) for text in first)
            while running:
                yield running.popleft().result()
                running.extend(pool.submit(work, text) for text in islice(waiting, 1))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _read_text(self, wanted: tuple[str, bool]) -> ReadText:
        text, with_tokens = wanted
        vector, states, numbers = self._read(self._files.usage.before_text + text)
        projection = self._projection if with_tokens else None
        return ReadText(vector, projection.pack(states, numbers) if projection else None)

    def _read(self, text: str) -> tuple[NDArray[np.float32], NDArray[np.float32], Sequence[int]]:
        """The vector of a text, the states that token vectors are made of, and its pieces."""
        graph = self._graph
        numbers = self._pieces.numbers(text)
        answer, *inner = self._run(graph, numbers)
        vector = unit_vector(answer, graph, self._files)
        return vector, (inner or [answer])[0][0], numbers

    def _run(self, graph: Graph, numbers: Sequence[int]) -> Sequence[NDArray[np.float32]]:
        """What the graph answers for one text, and the projection's states where there is one."""
        outputs = [graph.output, *([self._projection.output] if self._projection else [])]
        try:
            answers: Sequence[NDArray[np.float32]] = graph.session.run(
                outputs, graph.feeds(numbers)
            )
        except session_errors() as error:
            raise refused(self._files, len(numbers), error) from error
        return answers

    def _load(self) -> None:
        _ = self._graph, self._projection
        self._pieces.load()

    @cached_property
    def _graph(self) -> Graph:
        output = self._projection.output if self._projection else ""
        session = open_session(self._files, cache=self._cache, output=output)
        graph = read_graph(session, self._files)
        if not self._files.shipped:
            self._run(graph, [self._pieces.last])
        return graph

    @cached_property
    def _projection(self) -> Projection | None:
        files = self._files
        return read_projection(files.tokens, files.model_sha256) if files.tokens else None

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(self._files)

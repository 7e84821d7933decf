"""Vectors of the tokens of a text, made small: what late interaction compares.

The hidden states of an inner layer of the model are brought to length 1, projected to fewer
components, brought to length 1 again, and kept as one bit a component: its sign. The projection
lies beside the model as ``tokens.bin``, a line of JSON and then float16 numbers, little-endian: the
matrix, what is added after it, and the weight of each piece of the vocabulary, 0 for pieces that
are no words. ``scripts/tokens`` makes it; it holds for the one model that its first line names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vault_memory.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_GRAPH_FIELD = 7
"""``graph`` of an ONNX ``ModelProto``."""

_OUTPUT_FIELD = 12
"""``output`` of a ``GraphProto``, whose first field is its name."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The words of a text.

    Attributes:
        vectors: Float32, shape (tokens, components), each row of length 1.
        weights: How much each says, float32, shape (tokens,): its inverse document frequency.
    """

    vectors: NDArray[np.float32]
    weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Projection:
    """How hidden states become token vectors.

    Attributes:
        output: The name in the model's graph of the hidden states.
        matrix: Float32, shape (components, hidden size).
        shift: Added behind the matrix, float32, shape (components,).
        weights: Float32, one for each piece of the vocabulary; 0 for pieces that are no words.
    """

    output: str
    matrix: NDArray[np.float32]
    shift: NDArray[np.float32]
    weights: NDArray[np.float32]

    def project(self, hidden: NDArray[np.float32], pieces: Sequence[int]) -> TokenVectors:
        """Return the vectors of the pieces that are words.

        Args:
            hidden: The hidden states of one text, shape (tokens, hidden size).
            pieces: The number of each token in the vocabulary.
        """
        import numpy as np

        weights = self.weights[np.asarray(pieces)]
        words = hidden[weights > 0]
        words = words / np.sqrt(np.sum(words * words, axis=1, keepdims=True))
        small = words @ self.matrix.T + self.shift
        lengths = np.sqrt(np.sum(small * small, axis=1, keepdims=True))
        return TokenVectors(small / np.maximum(lengths, 1e-12), weights[weights > 0])

    def pack(self, hidden: NDArray[np.float32], pieces: Sequence[int]) -> bytes:
        """Return the signs of the token vectors, one bit each, token after token."""
        import numpy as np

        return np.packbits(self.project(hidden, pieces).vectors >= 0, axis=1).tobytes()


def read_projection(path: Path, model_sha256: str) -> Projection:
    """Read a projection.

    Args:
        path: The file.
        model_sha256: Of the graph that it is wanted for.

    Raises:
        ModelError: It is damaged, or made for another model.
    """
    import numpy as np

    try:
        line, _, body = path.read_bytes().partition(b"\n")
        head: dict[str, Any] = json.loads(line)
        components, size, pieces = (int(head[key]) for key in ("components", "size", "pieces"))
        made_for, output = str(head["model"]), str(head["output"])
        numbers = np.frombuffer(body, "<f2").astype(np.float32)
        matrix, shift, weights = np.split(numbers, [components * size, components * (size + 1)])
        sound = len(weights) == pieces and not components % 8 and np.isfinite(numbers).all()
        projection = Projection(output, matrix.reshape(components, size), shift, weights)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _wrong(path, f"is damaged ({error})") from error
    if not sound:
        raise _wrong(path, "is damaged (its numbers are not what its first line says)")
    if made_for != model_sha256:
        raise _wrong(path, "was made for another model")
    return projection


def write_projection(path: Path, projection: Projection, model_sha256: str) -> None:
    """Write a projection, the same for the same numbers to the last bit."""
    import numpy as np

    components, size = projection.matrix.shape
    head = {
        "model": model_sha256,
        "output": projection.output,
        "components": components,
        "size": size,
        "pieces": len(projection.weights),
    }
    parts = (projection.matrix.ravel(), projection.shift, projection.weights)
    body = np.concatenate(parts).astype("<f2").tobytes()
    path.write_bytes(json.dumps(head).encode() + b"\n" + body)


def with_output(model: bytes, name: str) -> bytes:
    """Return an ONNX model that answers one more tensor of its graph.

    A message of protobuf that is given twice is merged, so a graph with nothing but an output is
    put behind the model as it is.
    """
    return model + _field(_GRAPH_FIELD, _field(_OUTPUT_FIELD, _field(1, name.encode())))


def most_alike(
    query: TokenVectors, packed: Mapping[int, bytes]
) -> tuple[dict[int, int], NDArray[np.float32]]:
    """Return how near each token of the query has a token in each text (MaxSim).

    The similarity is the product of the query's vector with the signs of the text's, over the
    length of these: the cosine of the two. It is 0 in a text without words.

    Args:
        query: The query's tokens.
        packed: Packed token vectors by number of text.

    Returns:
        The row of each number, and float32 of shape (texts, tokens of the query).
    """
    import numpy as np

    components = query.vectors.shape[1]
    rows = {number: row for row, number in enumerate(packed)}
    counts = np.array([len(bits) * 8 // components for bits in packed.values()], dtype=np.int64)
    alike = np.zeros((len(rows), len(query.vectors)), np.float32)
    filled = counts > 0
    if not filled.any() or not len(query.vectors):
        return rows, alike
    # What a byte adds to a product is looked up: eight signs at a time, and nothing is unpacked.
    signs = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) - 1.0
    parts = query.vectors.reshape(-1, components // 8, 8).transpose(1, 2, 0)
    tables = (signs.astype(np.float32) @ parts) / np.float32(np.sqrt(components))
    stored = np.frombuffer(b"".join(packed.values()), np.uint8).reshape(-1, components // 8)
    products = tables[0].take(stored[:, 0], axis=0)
    for place in range(1, len(tables)):
        products += tables[place].take(stored[:, place], axis=0)
    starts = (np.cumsum(counts) - counts)[filled]
    alike[filled] = np.maximum.reduceat(products, starts, axis=0)
    return rows, alike


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _wrong(path: Path, what: str) -> ModelError:
    return ModelError(
        f"the projection of the embedding model's tokens {what}",
        where=str(path),
        cure="Remove it, or make it anew with scripts/tokens",
    )

"""One run of a model: pieces of a text in, the vector of the text out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

    from vault_memory.index.model import ModelFiles
    from vault_memory.index.model_usage import Pooling

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_INTEGERS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_WHOLE = ("sentence_embedding", "text_embedding", "text_embeds")


@dataclass(frozen=True, slots=True)
class Graph:
    """A model that is open, with what goes in and what is asked of it.

    Attributes:
        session: The open model.
        inputs: The name of each input, and the type of its numbers.
        output: The name of the answer that is used.
        whole: Whether that answer is the vector of the text, and not those of its pieces.
    """

    session: InferenceSession
    inputs: dict[str, str]
    output: str
    whole: bool

    def feeds(self, numbers: Sequence[int]) -> dict[str, NDArray[np.int64]]:
        """What goes in for one text, each of shape (1, pieces).

        Args:
            numbers: The numbers of its pieces.
        """
        import numpy as np

        ids = np.array([numbers], dtype=np.int64)
        offered = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        return {name: offered[name].astype(kind) for name, kind in self.inputs.items()}


def read_graph(session: InferenceSession, files: ModelFiles) -> Graph:
    """Find out how an open model is asked.

    Raises:
        ModelError: It is not of BERT's kind, or is only a part of what makes its vectors.
    """
    inputs = {node.name: _INTEGERS.get(node.type, "") for node in session.get_inputs()}
    outputs = {node.name: len(node.shape) for node in session.get_outputs()}
    if not _INPUTS.issuperset(inputs) or "input_ids" not in inputs or not all(inputs.values()):
        raise _unfit(files, f"the model is not of BERT's kind (inputs {', '.join(inputs)})")
    whole = next((name for name in _WHOLE if outputs.get(name) == 2), "")
    pieces = next((name for name, axes in outputs.items() if axes == 3), "")
    output = whole or pieces or next((name for name, axes in outputs.items() if axes == 2), "")
    if not output:
        raise _unfit(files, f"the model answers no vectors (outputs {', '.join(outputs)})")
    if output == pieces and files.usage.more_layers:
        layers = " and ".join(files.usage.more_layers)
        raise _unfit(files, f"the graph lacks a part of the model that follows it ({layers})")
    return Graph(session, inputs, output, output != pieces)


def unit_vector(
    answer: NDArray[np.float32], graph: Graph, files: ModelFiles
) -> NDArray[np.float32]:
    """The vector of a text, float32, shape (dimension,), of length 1.

    Args:
        answer: What the graph answered, shape (1, pieces, dimension) or (1, dimension).
        graph: The open model.
        files: The model's files.

    Raises:
        ModelError: The answer is no vector that can be compared.
    """
    import numpy as np

    vector = answer[0] if graph.whole else _pooled(answer[0], files.usage.pooling)
    vector = vector.astype(np.float64)
    length = np.sqrt(np.sum(vector * vector))
    if vector.ndim != 1 or not np.isfinite(length) or length == 0:
        raise _unfit(files, "the model answers something that is no vector")
    unit: NDArray[np.float32] = (vector / length).astype(np.float32)
    return unit


def refused(files: ModelFiles, pieces: int, error: Exception) -> ModelError:
    """What to say when the model fails on a text of so many pieces."""
    return ModelError(
        f"the model does not take {pieces} pieces of its tokenizer ({error})",
        where=str(files.model),
        cure="Put the tokenizer.json of this model there, and its config.json, which says how "
        "much it reads; or name another folder as [embedding] model",
    )


def _pooled(hidden: NDArray[np.float32], pooling: Pooling) -> NDArray[np.float32]:
    """The vector that stands for all, from shape (pieces, dimension)."""
    import numpy as np

    pooled: NDArray[np.float32]
    match pooling:
        case "cls":
            pooled = hidden[0]
        case "mean":
            pooled = hidden.astype(np.float64).mean(axis=0)
        case "max":
            pooled = hidden.max(axis=0)
        case "lasttoken":
            pooled = hidden[-1]
    return pooled


def _unfit(files: ModelFiles, problem: str) -> ModelError:
    cure = "Name another folder as [embedding] model"
    return ModelError(problem, where=str(files.model), cure=cure)

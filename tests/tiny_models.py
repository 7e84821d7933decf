"""Models of meaning of a few hundred bytes, which onnxruntime runs like any other.

A piece's vector is that of its number, and half of the mean over all pieces is added to it, so that
the first piece too knows what the text says.
"""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

FLOAT, INT32, INT64 = 1, 6, 7
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [*SPECIAL, "boat", "ship", "mast", "query", "passage", ":", "лодка"]


def weights(*, rows: int = len(WORDS), dimension: int = 5) -> NDArray[np.float32]:
    """The vector of each piece, shape (rows, dimension)."""
    dice = np.random.default_rng(7)
    return dice.normal(size=(rows, dimension)).astype(np.float32)


def hidden(numbers: Sequence[int], table: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the model answers, computed without it, shape (pieces, dimension)."""
    found = table[list(numbers)]
    mixed: NDArray[np.float32] = found + 0.5 * found.mean(axis=0)
    return mixed


def model(
    table: NDArray[np.float32],
    *,
    inputs: Mapping[str, int] | None = None,
    whole: str = "",
    pieces: bool = True,
    external: str = "",
) -> bytes:
    """The bytes of a model.onnx.

    Args:
        table: The vector of each piece.
        inputs: Type of number by name of input; ids, mask and types of int64 by default.
        whole: What its answer for the whole text is called, the mean over the pieces; empty for
            none.
        pieces: Whether it answers for each piece; if neither, it answers one number.
        external: The file that holds the table's bytes; empty for the model itself.
    """
    taken = inputs or dict.fromkeys(("input_ids", "attention_mask", "token_type_ids"), INT64)
    nodes = [
        _node("Gather", ["table", "input_ids"], "pieces"),
        _node("ReduceMean", ["pieces"], "mean", axes=[1], keepdims=1),
        _node("Mul", ["mean", "half"], "halved"),
        _node("Add", ["pieces", "halved"], "last_hidden_state"),
    ]
    outputs = []
    if pieces:
        outputs.append(_value("last_hidden_state", FLOAT, ["batch", "pieces", table.shape[1]]))
    if whole:
        nodes.append(_node("ReduceMean", ["last_hidden_state"], whole, axes=[1], keepdims=0))
        outputs.append(_value(whole, FLOAT, ["batch", table.shape[1]]))
    if not outputs:
        nodes.append(
            _node("ReduceMean", ["last_hidden_state"], "number", axes=[0, 1, 2], keepdims=0)
        )
        outputs.append(_value("number", FLOAT, []))
    graph = b"".join(
        [
            *(_bytes(1, node) for node in nodes),
            _bytes(2, b"tiny"),
            _bytes(5, _tensor("table", table, external)),
            _bytes(5, _tensor("half", np.array([0.5], np.float32))),
            *(_bytes(11, _value(name, kind, ["batch", "pieces"])) for name, kind in taken.items()),
            *(_bytes(12, output) for output in outputs),
        ]
    )
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))


def tokenizer(words: Iterable[str] = WORDS) -> Tokenizer:
    """A tokenizer of whole words, which puts ``[CLS]`` before a text and ``[SEP]`` behind it."""
    made = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]")  # noqa: S106
    )
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return made


def lay_down(
    folder: Path,
    graph: bytes,
    *,
    pieces: Tokenizer | None = None,
    configs: Mapping[str, Any] | None = None,
) -> Path:
    """Write a model's folder.

    Args:
        folder: Where to.
        graph: The bytes of its model.onnx.
        pieces: Its tokenizer; ``tokenizer()`` by default.
        configs: What else lies there, as JSON by path.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(graph)
    (pieces or tokenizer()).save(str(folder / "tokenizer.json"))
    for path, content in (configs or {}).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json.dumps(content), "utf-8")
    return folder


def _node(operator: str, inputs: Sequence[str], output: str, **numbers: Any) -> bytes:  # noqa: ANN401
    attributes = []
    for name, given in numbers.items():
        many = isinstance(given, list)
        value = b"".join(_number(8, one) for one in given) if many else _number(3, given)
        kind = _number(20, 7 if many else 2)
        attributes.append(_bytes(5, _bytes(1, name.encode()) + value + kind))
    return b"".join(
        [
            *(_bytes(1, name.encode()) for name in inputs),
            _bytes(2, output.encode()),
            _bytes(4, operator.encode()),
            *attributes,
        ]
    )


def _tensor(name: str, values: NDArray[np.float32], external: str = "") -> bytes:
    held = (
        _bytes(13, _bytes(1, b"location") + _bytes(2, external.encode())) + _number(14, 1)
        if external
        else _bytes(9, values.tobytes())
    )
    dims = b"".join(_number(1, size) for size in values.shape)
    return dims + _number(2, FLOAT) + _bytes(8, name.encode()) + held


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size.encode()))
        for size in shape
    )
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    encoded = b""
    while value > 0x7F:
        encoded += struct.pack("B", value & 0x7F | 0x80)
        value >>= 7
    return encoded + struct.pack("B", value)

"""The vectors of tokens: made small, compared, and never taken for what they are not."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import ModelError
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import SHIPPED, TOKENS_FILE, TOKENS_SHA256, ModelFiles, find_model
from vault_memory.index.tokens import (
    Projection,
    TokenVectors,
    most_alike,
    read_projection,
    with_output,
    write_projection,
)

TEXT = "A gull sat on the harbour wall."


def _small() -> Projection:
    """Two numbers to eight: half of the components see the first, half the second."""
    matrix = np.repeat(np.eye(2, dtype=np.float32), 4, axis=0)
    weights = np.array([0, 1.5, 0.5], dtype=np.float32)
    return Projection("inner", matrix, np.full(8, -0.5, np.float32), weights)


def test_only_words_have_vectors_and_a_sign_is_a_bit() -> None:
    hidden = np.array([[3, 4], [0, 2], [1, 0]], dtype=np.float32)

    projected = _small().project(hidden, [0, 1, 2])

    assert projected.weights.tolist() == [1.5, 0.5]
    half = 0.5 / np.sqrt(2.0)
    assert projected.vectors[0] == pytest.approx([-half] * 4 + [half] * 4)
    assert _small().pack(hidden, [0, 1, 2]) == bytes([0b00001111, 0b11110000])
    assert _small().pack(hidden[:1], [0]) == b""


@given(st.lists(st.binary(max_size=6).map(lambda some: some[: len(some) // 2 * 2]), max_size=5))
def test_the_nearest_token_of_each_text_is_found(texts: list[bytes]) -> None:
    dice = np.random.default_rng(1)
    vectors = dice.normal(size=(3, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    packed = {number * 7: text for number, text in enumerate(texts)}

    rows, alike = most_alike(TokenVectors(vectors, np.ones(3, np.float32)), packed)

    assert alike.shape == (len(texts), 3)
    for number, text in packed.items():
        bits = np.unpackbits(np.frombuffer(text, np.uint8)).reshape(-1, 16)
        cosines = vectors @ (bits * 2.0 - 1).T / 4
        expected = cosines.max(axis=1) if len(bits) else np.zeros(3)
        assert alike[rows[number]] == pytest.approx(expected, abs=1e-5)


def test_a_query_without_words_is_like_nothing() -> None:
    empty = TokenVectors(np.empty((0, 16), np.float32), np.empty(0, np.float32))

    assert most_alike(empty, {1: b"\0\1"})[1].shape == (1, 0)


def test_a_projection_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_projection(tmp_path / "tokens.bin", _small(), "model 1")

    found = read_projection(tmp_path / "tokens.bin", "model 1")

    assert found.output == "inner"
    assert found.matrix.tolist() == _small().matrix.tolist()
    assert found.shift.tolist() == _small().shift.tolist()
    assert found.weights.tolist() == _small().weights.tolist()


@pytest.mark.parametrize("damage", ["cut", "longer", "no line", "no number", "not finite", "gone"])
def test_a_projection_that_is_none_is_told_with_its_place(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tokens.bin"
    write_projection(path, _small(), "model 1")
    sound = path.read_bytes()
    line, _, body = sound.partition(b"\n")
    changed = {
        "cut": sound[:-3],
        "longer": sound + b"\0\0",
        "no line": body,
        "no number": json.dumps(json.loads(line) | {"size": "two"}).encode() + b"\n" + body,
        "not finite": line + b"\n" + body[:-2] + b"\x00\x7c",
    }
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(changed[damage])

    with pytest.raises(ModelError, match="is damaged") as caught:
        read_projection(path, "model 1")

    assert str(path) in caught.value.message


def test_a_projection_for_another_model_is_refused(tmp_path: Path) -> None:
    write_projection(tmp_path / "tokens.bin", _small(), "model 1")

    with pytest.raises(ModelError, match="was made for another model"):
        read_projection(tmp_path / "tokens.bin", "model 2")


def test_a_name_of_any_length_is_put_behind_the_model() -> None:
    assert with_output(b"model", "x") == b"model" + bytes([0x3A, 5, 0x62, 3, 0x0A, 1]) + b"x"
    long = with_output(b"", "y" * 300)
    assert long.startswith(bytes([0x3A, 0xB2, 0x02, 0x62, 0xAF, 0x02, 0x0A, 0xAC, 0x02]))


def test_the_further_output_changes_no_vector(
    embedder: OnnxEmbedder, model_files: ModelFiles, tmp_path: Path
) -> None:
    bare = model_files._replace(tokens=None)
    without = OnnxEmbedder(bare, cache=tmp_path)

    assert without.embed_query(TEXT).tobytes() == embedder.embed_query(TEXT).tobytes()
    assert without.read_query(TEXT).tokens is None
    (read,) = without.read_each([(TEXT, True)])
    assert read.tokens is None


def test_the_saved_graph_gives_the_same_tokens_on_any_number_of_threads(
    embedder: OnnxEmbedder, model_files: ModelFiles, tmp_path: Path
) -> None:
    texts = [(TEXT, True), ("It flew off.", False), ("", True), ("It came back!", True)]
    expected = [(one.vector.tobytes(), one.tokens) for one in embedder.read_each(texts)]

    for threads in (1, 3):
        again = OnnxEmbedder(model_files, cache=tmp_path, threads=threads).read_each(texts)
        assert [(one.vector.tobytes(), one.tokens) for one in again] == expected

    assert [tokens and len(tokens) // 16 for _, tokens in expected] == [8, None, b"", 3]


def test_a_turn_is_like_the_question_that_it_answers(embedder: OnnxEmbedder) -> None:
    query = embedder.read_query("Where did the gull sit?")
    texts = [(TEXT, True), ("The train to Porto was late again.", True)]
    packed = {at: one.tokens or b"" for at, one in enumerate(embedder.read_each(texts))}

    assert query.tokens is not None
    _, alike = most_alike(query.tokens, packed)

    assert (alike.mean(axis=1) > [0.3, 0]).all()
    assert alike[0].mean() > alike[1].mean() + 0.1


def test_the_projection_of_the_package_is_the_one_that_is_recorded(tmp_path: Path) -> None:
    content = (SHIPPED / TOKENS_FILE).read_bytes()

    assert hashlib.sha256(content).hexdigest() == TOKENS_SHA256
    assert TOKENS_SHA256 in (SHIPPED / "ORIGIN.md").read_text()
    assert "WordNet 3.1 Copyright 2011" in (SHIPPED / "LICENSE").read_text()
    assert find_model(None, cache=tmp_path).token_identity

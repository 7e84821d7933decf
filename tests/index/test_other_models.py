"""Any model folder of BERT's kind works as it says of itself; a wrong one is named."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.tiny_models import (
    INT32,
    INT64,
    WORDS,
    hidden,
    lay_down,
    model,
    tokenizer,
    weights,
)
from vault_memory.errors import ModelError
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import find_model

TABLE = weights()
SENTENCES = "sentence_bert_config.json"
PROMPTS = "config_sentence_transformers.json"
POOLING = "1_Pooling/config.json"


def embedder(folder: Path, cache: Path) -> OnnxEmbedder:
    return OnnxEmbedder(find_model(str(folder), cache=cache), cache=cache)


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    long = vector.astype(np.float64)
    return (long / np.linalg.norm(long)).astype(np.float32)


def numbers(text: str) -> list[int]:
    return list(tokenizer().encode(text).ids)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "model"


def test_a_model_of_another_dimension_is_pooled_by_its_first_piece(
    folder: Path, tmp_path: Path
) -> None:
    made = embedder(lay_down(folder, model(TABLE)), tmp_path)

    assert made.dimension == 5
    assert np.allclose(
        made.embed_query("boat mast"), unit(hidden(numbers("boat mast"), TABLE)[0]), atol=1e-6
    )
    assert made.embed(["", "boat"]).shape == (2, 5)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, "mean"),
        ({"pooling_mode_cls_token": False, "pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_lasttoken": True}, "last"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode_cls_token": True, "word_embedding_dimension": 5}, "first"),
        ({}, "first"),
    ],
)
def test_pieces_are_pooled_as_the_folder_says(
    folder: Path, tmp_path: Path, config: dict[str, Any], expected: str
) -> None:
    made = embedder(lay_down(folder, model(TABLE), configs={POOLING: config}), tmp_path)
    states = hidden(numbers("boat ship"), TABLE)
    pooled = {
        "mean": states.mean(axis=0),
        "max": states.max(axis=0),
        "last": states[-1],
        "first": states[0],
    }

    assert np.allclose(made.embed_query("boat ship"), unit(pooled[expected]), atol=1e-6)


def test_an_answer_for_the_whole_text_goes_before_pooling(folder: Path, tmp_path: Path) -> None:
    configs = {"modules.json": [{"type": "sentence_transformers.models.Dense"}]}
    made = embedder(
        lay_down(folder, model(TABLE, whole="sentence_embedding"), configs=configs), tmp_path
    )

    expected = unit(hidden(numbers("boat"), TABLE).mean(axis=0))
    assert np.allclose(made.embed_query("boat"), expected, atol=1e-6)


def test_an_only_answer_for_the_whole_text_may_be_called_anything(
    folder: Path, tmp_path: Path
) -> None:
    made = embedder(lay_down(folder, model(TABLE, whole="output_0", pieces=False)), tmp_path)

    expected = unit(hidden(numbers("boat"), TABLE).mean(axis=0))
    assert np.allclose(made.embed_query("boat"), expected, atol=1e-6)


@pytest.mark.parametrize(
    "inputs",
    [
        {"input_ids": INT64, "attention_mask": INT64},
        {"input_ids": INT32, "attention_mask": INT32, "token_type_ids": INT32},
        {"input_ids": INT64},
    ],
)
def test_a_model_may_take_fewer_inputs_and_smaller_numbers(
    folder: Path, tmp_path: Path, inputs: dict[str, int]
) -> None:
    usual = embedder(lay_down(folder, model(TABLE)), tmp_path)
    other = embedder(lay_down(tmp_path / "other", model(TABLE, inputs=inputs)), tmp_path)

    assert np.allclose(other.embed_query("boat ship"), usual.embed_query("boat ship"), atol=1e-6)


@pytest.mark.parametrize("passage", ["passage", "document", "corpus"])
def test_prompts_stand_before_questions_and_texts(
    folder: Path, tmp_path: Path, passage: str
) -> None:
    prompts = {"prompts": {"query": "query: ", passage: "passage: "}}
    made = embedder(lay_down(folder, model(TABLE), configs={PROMPTS: prompts}), tmp_path)
    plain = embedder(lay_down(tmp_path / "plain", model(TABLE)), tmp_path)

    assert (made.embed_query("boat") == plain.embed_query("query: boat")).all()
    assert (made.embed(["boat"])[0] == plain.embed_query("passage: boat")).all()
    assert made.identity != plain.identity


def test_a_usual_prompt_stands_before_both(folder: Path, tmp_path: Path) -> None:
    prompts = {"prompts": {"any": "ship "}, "default_prompt_name": "any"}
    made = embedder(lay_down(folder, model(TABLE), configs={PROMPTS: prompts}), tmp_path)

    assert (made.embed_query("boat") == made.embed(["boat"])[0]).all()
    assert np.allclose(
        made.embed_query("boat"), unit(hidden(numbers("ship boat"), TABLE)[0]), atol=1e-6
    )


@pytest.mark.parametrize(
    "configs",
    [
        {SENTENCES: {"max_seq_length": 8}},
        {"tokenizer_config.json": {"model_max_length": 8}},
        {"config.json": {"max_position_embeddings": 8}},
        {"config.json": {"max_position_embeddings": 10, "model_type": "xlm-roberta"}},
        {SENTENCES: {"max_seq_length": 8}, "tokenizer_config.json": {"model_max_length": 1e30}},
    ],
)
def test_no_more_is_read_than_the_model_can(
    folder: Path, tmp_path: Path, configs: dict[str, Any]
) -> None:
    made = embedder(lay_down(folder, model(TABLE), configs=configs), tmp_path)

    assert (made.embed_query("boat " * 6) == made.embed_query("boat " * 6 + "mast")).all()
    assert (made.embed_query("boat " * 6) != made.embed_query("boat " * 5 + "mast")).any()


def test_a_text_without_a_piece_has_a_vector(folder: Path, tmp_path: Path) -> None:
    bare = tokenizer()
    bare.post_processor = None
    made = embedder(lay_down(folder, model(TABLE), pieces=bare), tmp_path)

    assert np.isfinite(made.embed(["", "   "])).all()


@pytest.mark.parametrize("name", ["model.onnx_data", "model.onnx.data", "model.data"])
def test_weights_may_lie_in_a_file_of_their_own(folder: Path, tmp_path: Path, name: str) -> None:
    graph = model(TABLE, external=name)
    lay_down(folder, graph)
    (folder / name).write_bytes(TABLE.tobytes())
    apart = embedder(folder, tmp_path).embed_query("boat")
    (folder / name).write_bytes((TABLE[:, ::-1]).tobytes())
    other = embedder(folder, tmp_path)

    whole = embedder(lay_down(tmp_path / "whole", model(TABLE)), tmp_path)
    assert np.allclose(apart, whole.embed_query("boat"), atol=1e-6)
    assert np.allclose(other.embed_query("boat"), apart[::-1], atol=1e-6)


def test_the_graph_may_lie_in_a_folder_as_exporters_put_it(folder: Path, tmp_path: Path) -> None:
    lay_down(folder, model(TABLE))
    usual = find_model(str(folder), cache=tmp_path).identity
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")

    assert find_model(str(folder), cache=tmp_path).identity == usual
    assert embedder(folder, tmp_path).dimension == 5


def test_what_changes_no_vector_changes_no_identity(folder: Path, tmp_path: Path) -> None:
    usual = find_model(str(lay_down(folder, model(TABLE))), cache=tmp_path).identity
    configs = {
        "config.json": {"vocab_size": len(WORDS)},
        "modules.json": [{"type": "sentence_transformers.models.Normalize"}],
        POOLING: {"pooling_mode_cls_token": True},
        PROMPTS: {"prompts": {}, "default_prompt_name": None},
    }

    lay_down(folder, model(TABLE), configs=configs)
    assert find_model(str(folder), cache=tmp_path).identity == usual


@pytest.mark.parametrize(
    ("configs", "said"),
    [
        ({POOLING: {"pooling_mode_weightedmean_tokens": True}}, "weightedmean"),
        ({POOLING: {"pooling_mode_cls_token": 1, "pooling_mode_max_tokens": 1}}, "and"),
        ({POOLING: []}, "object"),
        ({"modules.json": "x"}, "list"),
        ({SENTENCES: {"max_seq_length": 2}}, "2 tokens"),
    ],
)
def test_a_folder_that_asks_for_what_is_not_known_is_named(
    folder: Path, tmp_path: Path, configs: dict[str, Any], said: str
) -> None:
    lay_down(folder, model(TABLE), configs=configs)

    with pytest.raises(ModelError, match=said) as caught:
        find_model(str(folder), cache=tmp_path)

    assert str(folder) in caught.value.message


def test_a_file_of_the_folder_that_is_no_json_is_named(folder: Path, tmp_path: Path) -> None:
    lay_down(folder, model(TABLE), configs={POOLING: {}})
    (folder / POOLING).write_text("{", "utf-8")

    with pytest.raises(ModelError, match=r"1_Pooling/config\.json"):
        find_model(str(folder), cache=tmp_path)


def wrong(folder: Path, what: str) -> None:
    """Lay down a folder in which one thing is not what it should be."""
    graph = model(TABLE)
    match what:
        case "no onnx":
            graph = b"not a graph"
        case "input":
            graph = model(TABLE, inputs={"input_ids": INT64, "pixel_values": INT64})
        case "no ids":
            graph = model(TABLE, inputs={"attention_mask": INT64})
        case "no vectors":
            graph = model(TABLE, pieces=False)
        case "small table":
            graph = model(weights(rows=5))
        case "not a number":
            graph = model(TABLE * np.nan)
        case "nothing":
            graph = model(TABLE * 0)
        case "no weights":
            graph = model(TABLE, external="model.onnx_data")
        case _:
            pass
    configs: dict[str, Any] = {}
    if what == "small tokenizer":
        configs = {"config.json": {"vocab_size": 250_002}}
    if what == "dense":
        configs = {"modules.json": [{"type": "sentence_transformers.models.Dense"}]}
    lay_down(folder, graph, configs=configs)
    if what == "no tokenizer":
        (folder / "tokenizer.json").write_text(json.dumps({"model": "none"}), "utf-8")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("no onnx", "does not accept"),
        ("input", "pixel_values"),
        ("no ids", "does not accept|BERT's kind"),
        ("no vectors", "answers no vectors \\(outputs number\\)"),
        ("small table", "does not take 1 pieces"),
        ("not a number", "no vector"),
        ("nothing", "no vector"),
        ("no weights", "does not accept"),
        ("small tokenizer", "knows 11 pieces and the model 250002"),
        ("dense", "lacks a part .* \\(Dense\\)"),
        ("no tokenizer", "tokenizer cannot be read"),
    ],
)
def test_a_wrong_model_is_named_with_what_is_wrong_and_what_to_do(
    folder: Path, tmp_path: Path, what: str, said: str
) -> None:
    wrong(folder, what)

    with pytest.raises(ModelError, match=said) as caught:
        embedder(folder, tmp_path).embed_query("boat")

    assert str(folder) in caught.value.message
    assert caught.value.cure


def test_a_vocabulary_of_the_script_reads_it_and_one_of_letters_does_not(
    folder: Path, tmp_path: Path
) -> None:
    text = "渡轮每天早上出发 лодка стоит возле причала"
    whole = Tokenizer(models.BPE(unk_token="[UNK]"))  # noqa: S106
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    whole.train_from_iterator([text] * 9, trainers.BpeTrainer(special_tokens=["[UNK]"]))
    apart = Tokenizer(models.BPE({char: at for at, char in enumerate(sorted(set(text)))}, []))
    apart.pre_tokenizer = pre_tokenizers.Whitespace()
    graph = model(weights(rows=500))
    reads = embedder(lay_down(folder, graph, pieces=whole), tmp_path)
    spells = embedder(lay_down(tmp_path / "apart", graph, pieces=apart), tmp_path)

    assert reads.read_share(text) > 0.9
    assert spells.read_share(text) == 0


def test_a_vocabulary_of_a_thousand_characters_reads_them_one_by_one(
    folder: Path, tmp_path: Path
) -> None:
    signs = [chr(code) for code in range(0x4E00, 0x4E00 + 1200)]
    known = Tokenizer(
        models.WordPiece({word: at for at, word in enumerate(["[UNK]", *signs])}, unk_token="[UNK]")  # noqa: S106
    )
    known.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    made = embedder(lay_down(folder, model(weights(rows=1201)), pieces=known), tmp_path)

    assert made.read_share("".join(signs[:6])) == 1
    assert made.read_share("".join(signs[:3]) + "犬猫鳥") == 0.5

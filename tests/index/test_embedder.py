"""The same text has the same vector, whatever stands around it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vault_memory.errors import ModelError
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import SHIPPED, ModelFiles, find_model
from vault_memory.index.pieces import MAX_CHARACTERS

_TEXTS = [
    "The ferry leaves at nine.",
    "Dani moved everything to NeoVim in March.",
    "短い文もある。",
    "A much longer line about the weather on the coast, " * 9,
    "",
    "The ferry leaves at nine.",
]


def test_vectors_are_float32_of_length_one(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(_TEXTS)

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(_TEXTS), embedder.dimension) == (len(_TEXTS), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("threads", [1, 3])
def test_neighbours_and_threads_do_not_change_a_bit(
    embedder: OnnxEmbedder, model_files: ModelFiles, model_cache: Path, threads: int
) -> None:
    alone = np.stack([embedder.embed_query(text) for text in _TEXTS])
    other = OnnxEmbedder(model_files, cache=model_cache, threads=threads)

    assert other.embed(_TEXTS).tobytes() == alone.tobytes()
    assert other.embed(_TEXTS[::-1]).tobytes() == alone[::-1].tobytes()


def test_meaning_decides_what_is_near(embedder: OnnxEmbedder) -> None:
    question = embedder.embed_query("When does the boat depart?")
    scores = embedder.embed(_TEXTS[:2]) @ question

    assert scores[0] > scores[1] + 0.1


def test_texts_without_a_word_have_a_sound_vector(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(["", "   ", "\n\t", "\0", "\u200b"])

    assert np.isfinite(vectors).all()
    assert (vectors == vectors[0]).all()


def test_no_texts_give_no_rows(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_bytes_that_were_no_text_do_not_stop_the_rest(embedder: OnnxEmbedder) -> None:
    broken = b"caf\xe9 on the quay".decode("utf-8", "surrogateescape")

    scores = embedder.embed([broken, "the price of steel"]) @ embedder.embed_query(
        "caf on the quay"
    )

    assert scores[0] > 0.9 > scores[1]


def test_a_pair_of_surrogates_is_the_character_it_stands_for(embedder: OnnxEmbedder) -> None:
    assert (embedder.embed_query("\ud83d\ude00 ok") == embedder.embed_query("\U0001f600 ok")).all()


def test_what_the_model_does_not_read_changes_nothing(embedder: OnnxEmbedder) -> None:
    expected = embedder.embed_query("word " * 510)

    assert (embedder.embed_query("word " * 510 + "kittiwake") == expected).all()
    assert (embedder.embed_query("word " * 509 + "kittiwake") != expected).any()
    assert (
        embedder.embed_query("word " * (MAX_CHARACTERS // 5) + "x" * 2_000_000) == expected
    ).all()


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("When does the ferry leave for the islands?", 1, 1),
        ("max_retry_count in src/parser/emit.py", 0.8, 1),
        ("", 1, 1),
        ("渡轮几点出发", 0, 0),
        ("ギターの弦", 0, 0),
        ("파란 밸브", 0, 0),
        ("ยาความดัน", 0, 0),
        ("насос в котельной", 0, 0.1),
        ("صيانة الرافعة", 0, 0.2),
        ("बिजली का बिल", 0, 0),
        ("\U0001f680", 0, 0),
        ("9f3c2ab", 0, 0.4),
        ("who is Пётр", 0, 0.1),
        ("ferry тариф", 0.4, 0.6),
    ],
)
def test_how_much_of_a_text_the_model_reads_is_told(
    embedder: OnnxEmbedder, text: str, least: float, most: float
) -> None:
    assert least <= embedder.read_share(text) <= most


def test_a_caller_who_stops_keeps_what_was_done(embedder: OnnxEmbedder) -> None:
    taken: list[int] = []

    def texts() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield f"text {number}"

    running = embedder.embed_each(texts())
    kept = [next(running) for _ in range(3)]
    del running

    assert (kept[2] == embedder.embed_query("text 2")).all()
    assert len(taken) < 40


def test_an_error_in_the_source_of_texts_comes_out(embedder: OnnxEmbedder) -> None:
    def texts() -> Iterator[str]:
        yield from (f"text {number}" for number in range(20))
        raise KeyboardInterrupt

    running = embedder.embed_each(texts())
    kept = [next(running) for _ in range(4)]
    with pytest.raises(KeyboardInterrupt):
        list(running)

    assert (kept[3] == embedder.embed_query("text 3")).all()


def test_the_identity_is_that_of_the_files(embedder: OnnxEmbedder, model_files: ModelFiles) -> None:
    assert embedder.identity == model_files.identity


def test_a_broken_tokenizer_is_named(tmp_path: Path) -> None:
    shutil.copy(SHIPPED / "model.onnx", tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    files = find_model(str(tmp_path), cache=tmp_path / "cache")

    with pytest.raises(ModelError) as caught:
        OnnxEmbedder(files, cache=tmp_path / "cache").embed_query("text")

    assert str(tmp_path / "tokenizer.json") in caught.value.message


_ALONE = """
import sys
from pathlib import Path

def no_socket(event, _):
    if event.startswith("socket."):
        raise SystemExit(f"{event} was called")

sys.addaudithook(no_socket)

from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import find_model
import vault_memory.index.ann, vault_memory.index.nearest, vault_memory.index.vectors

cache = Path(sys.argv[1])
files = find_model(None, cache=cache)
embedder = OnnxEmbedder(files, cache=cache)
print(sorted({"numpy", "onnxruntime", "tokenizers", "usearch", "tempfile"} & set(sys.modules)))
embedder.embed(["one", "two", "three"])
print("huggingface_hub" in sys.modules)
import os
child = os.fork()
if child == 0:
    embedder.embed_query("a child may embed too")
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


def test_nothing_is_loaded_early_no_socket_is_opened_and_nothing_is_said(model_cache: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(model_cache)],
        env={name: value for name, value in os.environ.items() if "COVERAGE" not in name},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.stderr == ""
    assert done.stdout.split("\n") == ["[]", "False", "0", ""]
    assert done.returncode == 0

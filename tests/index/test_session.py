"""The optimised graph saves time and never changes a vector or stops a search."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Shell
from vault_memory.errors import ModelError
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import ModelFiles, find_model

_TEXT = "A gull sat on the harbour wall."


def _vector(files: ModelFiles, cache: Path) -> bytes:
    return OnnxEmbedder(files, cache=cache).embed_query(_TEXT).tobytes()


def _graphs(cache: Path) -> list[Path]:
    return sorted((cache / "graphs").glob("*"))


def test_the_saved_graph_gives_the_same_bytes_as_the_original(
    model_files: ModelFiles, tmp_path: Path
) -> None:
    original = _vector(model_files, tmp_path)
    (saved,) = _graphs(tmp_path)
    written = saved.stat().st_mtime_ns

    assert _vector(model_files, tmp_path) == original
    assert _graphs(tmp_path) == [saved]
    assert saved.stat().st_mtime_ns == written


def test_nobody_is_told_that_a_model_runs(inside: Shell) -> None:
    alone = replace(inside, environ={"XDG_CACHE_HOME": str(inside.home / "cache")})

    answer = alone.program("graph", "search", "modal editor")

    assert answer.out.startswith("1. NeoVim (tool)")
    assert answer.err == ""
    assert [path.name for path in inside.home.iterdir()] == ["cache"]
    assert [path.name for path in (inside.home / "cache").iterdir()] == ["vaultmem"]


@pytest.mark.parametrize("damage", ["cut", "zeroed", "one byte"])
def test_a_damaged_graph_is_thrown_away_and_made_again(
    model_files: ModelFiles, embedder: OnnxEmbedder, tmp_path: Path, damage: str
) -> None:
    expected = embedder.embed_query(_TEXT).tobytes()
    (sound,) = _graphs(_cache_of(embedder))
    content = bytearray(sound.read_bytes())
    if damage == "cut":
        del content[10_000:]
    elif damage == "zeroed":
        content[:] = bytes(len(content))
    else:
        content[len(content) // 2] ^= 255
    broken = tmp_path / "graphs" / sound.name
    broken.parent.mkdir()
    broken.write_bytes(content)

    assert _vector(model_files, tmp_path) == expected
    (made,) = _graphs(tmp_path)
    assert made.read_bytes() != bytes(content)


def test_a_graph_of_another_version_is_left_alone_and_old_ones_are_cleared(
    model_files: ModelFiles, tmp_path: Path
) -> None:
    graphs = tmp_path / "graphs"
    graphs.mkdir()
    for number in range(4):
        (graphs / f"{number}-foreign.onnx").write_bytes(b"not a graph")

    _vector(model_files, tmp_path)

    kept = [path.name for path in _graphs(tmp_path)]
    assert len(kept) == 3
    assert sum("foreign" in name for name in kept) == 2


def test_without_a_place_for_the_graph_the_model_runs_all_the_same(
    model_files: ModelFiles, embedder: OnnxEmbedder, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    assert _vector(model_files, blocked) == embedder.embed_query(_TEXT).tobytes()


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a graph")
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    files = find_model(str(tmp_path), cache=tmp_path / "cache")

    with pytest.raises(ModelError) as caught:
        _vector(files, tmp_path / "cache")

    assert str(tmp_path / "model.onnx") in caught.value.message


def _cache_of(embedder: OnnxEmbedder) -> Path:
    return embedder._cache

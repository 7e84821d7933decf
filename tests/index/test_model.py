"""The model is found, checked, and named when it is not what it should be."""

import shutil
from pathlib import Path

import pytest

from vault_memory.errors import ModelError
from vault_memory.index.model import (
    MODEL_SHA256,
    SHIPPED,
    SHIPPED_IDENTITY,
    TOKENIZER_SHA256,
    find_model,
    identity_of,
)


def _copy(folder: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, folder))


def _small_model(folder: Path, model: bytes = b"graph", tokenizer: bytes = b"{}") -> Path:
    folder.mkdir()
    (folder / "model.onnx").write_bytes(model)
    (folder / "tokenizer.json").write_bytes(tokenizer)
    return folder


def test_the_model_of_the_package_is_found_and_has_its_hash(tmp_path: Path) -> None:
    found = find_model(None, cache=tmp_path)

    assert found.folder == SHIPPED
    assert found.model_sha256 == MODEL_SHA256
    assert found.identity == SHIPPED_IDENTITY == identity_of(MODEL_SHA256, TOKENIZER_SHA256)


def test_an_empty_setting_means_the_model_of_the_package(tmp_path: Path) -> None:
    assert find_model("", cache=tmp_path) == find_model(None, cache=tmp_path)


def test_the_same_files_elsewhere_are_the_same_model(tmp_path: Path) -> None:
    elsewhere = find_model(str(_copy(tmp_path / "model")), cache=tmp_path)

    assert elsewhere.identity == find_model(None, cache=tmp_path).identity
    assert elsewhere.model == tmp_path / "model" / "model.onnx"


def test_identity_follows_graph_and_tokenizer(tmp_path: Path) -> None:
    folders = (
        _small_model(tmp_path / "a"),
        _small_model(tmp_path / "b", model=b"other"),
        _small_model(tmp_path / "c", tokenizer=b"[]"),
    )
    identities = {find_model(str(folder), cache=tmp_path).identity for folder in folders}

    assert len(identities) == 3


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named_with_the_place_where_to_put_it(tmp_path: Path, name: str) -> None:
    folder = _small_model(tmp_path / "model")
    (folder / name).unlink()

    with pytest.raises(ModelError) as caught:
        find_model(str(folder), cache=tmp_path)

    assert str(folder / name) in caught.value.message
    assert f"into {folder}" in caught.value.message


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tokens.bin"])
def test_a_damaged_file_of_the_package_is_refused(tmp_path: Path, name: str) -> None:
    folder = _copy(tmp_path / "model")
    with (folder / name).open("r+b") as file:
        file.seek(5000)
        file.write(b"\0\0\0\1")

    for _ in range(2):
        with pytest.raises(ModelError, match="damaged") as caught:
            find_model(None, cache=tmp_path, shipped=folder)
        assert str(folder / name) in caught.value.message


def test_a_folder_in_the_place_of_the_model_is_an_error_and_not_a_traceback(tmp_path: Path) -> None:
    folder = _small_model(tmp_path / "model")
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").mkdir()

    with pytest.raises(ModelError, match="cannot be read"):
        find_model(str(folder), cache=tmp_path)


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    assert find_model(None, cache=blocked / "cache").model_sha256 == MODEL_SHA256


def test_only_the_model_of_the_package_has_token_vectors(tmp_path: Path) -> None:
    own = find_model(None, cache=tmp_path)
    other = find_model(str(_copy(tmp_path / "model")), cache=tmp_path)

    assert own.tokens == SHIPPED / "tokens.bin"
    assert own.token_identity.startswith(own.identity)
    assert (other.tokens, other.token_identity) == (None, "")


def test_the_licence_and_the_origin_go_with_the_model() -> None:
    assert "MIT License" in (SHIPPED / "LICENSE").read_text()
    assert MODEL_SHA256 in (SHIPPED / "ORIGIN.md").read_text()

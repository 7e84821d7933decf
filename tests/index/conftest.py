"""What the tests of the index share."""

from pathlib import Path

import pytest

from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import ModelFiles, find_model


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache folder, so that the graph is optimised once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def model_files(model_cache: Path) -> ModelFiles:
    """The model of the package."""
    return find_model(None, cache=model_cache)


@pytest.fixture(scope="session")
def embedder(model_files: ModelFiles, model_cache: Path) -> OnnxEmbedder:
    """The real embedder, loaded once."""
    return OnnxEmbedder(model_files, cache=model_cache)

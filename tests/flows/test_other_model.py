"""A vault changes to another model and back by configuration, and keeps both's vectors."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Shell
from tests.tiny_models import lay_down, model, tokenizer, weights

SAID = ["boat", "harbour", "rowing", "emacs", "editor", "ferry", "rules"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *SAID]


@pytest.fixture
def other(inside: Shell, tmp_path: Path) -> Shell:
    """Somebody in the small vault, who names a model of eight numbers and mean pooling."""
    folder = lay_down(
        tmp_path / "other-model",
        model(weights(rows=len(WORDS), dimension=8)),
        pieces=tokenizer(WORDS),
        configs={"1_Pooling/config.json": {"pooling_mode_mean_tokens": True}},
    )
    return replace(inside, environ={"VAULTMEM_EMBEDDING_MODEL": str(folder)})


def test_a_rebuild_changes_the_model_and_changing_back_costs_nothing(
    inside: Shell, other: Shell
) -> None:
    before = inside.ask("status")["index"]

    changed = other.run("--json", "rebuild")
    there = other.ask("status")["index"]
    back = inside.ask("rebuild")

    assert changed.data["embedded"] > 20
    assert "made with another model" in changed.err
    assert there["model"].startswith("other-model ")
    assert there["digest"] != before["digest"]
    assert back["embedded"] == 0
    assert inside.ask("status")["index"]["digest"] == before["digest"]
    assert other.ask("rebuild")["embedded"] == 0


def test_a_search_changes_the_model_too_and_finds_by_it(other: Shell) -> None:
    found = other.ask("graph", "search", "--kind", "all", "rowing boat")

    assert found["notice"] is None
    assert found["hits"][0]["path"] == "Rowing club.md"
    assert "dense" in found["hits"][0]["found_by"]


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_model_that_is_damaged_is_named_and_nothing_is_lost(
    inside: Shell, other: Shell, file: str
) -> None:
    before = inside.ask("status")["index"]["digest"]
    broken = Path(other.variables["VAULTMEM_EMBEDDING_MODEL"]) / file
    broken.write_bytes(b"{}")

    rebuilt = other.run("--json", "rebuild")

    assert rebuilt.exit_code == 1
    assert str(broken) in rebuilt.err
    assert inside.ask("rebuild")["embedded"] == 0
    assert inside.ask("status")["index"]["digest"] == before


def test_a_model_that_is_gone_leaves_search_by_words(other: Shell) -> None:
    shutil.rmtree(other.variables["VAULTMEM_EMBEDDING_MODEL"])

    found = other.ask("graph", "search", "--kind", "all", "rowing boat")

    assert found["hits"][0]["path"] == "Rowing club.md"
    assert found["notice"].startswith("Searching by words alone: ")

"""Paraphrased questions find the right one of twenty notes, by labels older than the search."""

import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest

from vault_memory.cli.app import App
from vault_memory.cli.main import run

DATA = Path(__file__).parent / "data"
QUESTIONS = [
    (each["text"], each["note"])
    for each in tomllib.loads((DATA / "fifteen-questions.toml").read_text("utf-8"))["question"]
]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions") / "memory"
    shutil.copytree(DATA / "twenty-notes", folder)
    assert run(["--vault", str(folder), "-q", "rebuild"], app(folder)) == 0
    return folder


def app(vault: Path) -> App:
    environ = {"HOME": str(vault.parent), "PATH": os.environ["PATH"]}
    return App(environ=environ | {"VAULTMEM_NOW": "2026-03-12T08:00:00Z"}, cwd=vault)


@pytest.mark.parametrize(("question", "note"), QUESTIONS, ids=[note for _, note in QUESTIONS])
def test_the_note_that_answers_is_among_the_first_three(
    vault: Path, question: str, note: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["--vault", str(vault), "--json", "graph", "search", "--kind", "all", "--", question]

    code = run(words, app(vault))

    hits = json.loads(capfd.readouterr().out)["data"]["hits"]
    found = list(dict.fromkeys(hit["path"] for hit in hits))
    assert code == 0
    assert note in found[:3]


def test_the_notes_are_twenty_and_without_a_finding(
    vault: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(["--vault", str(vault), "--json", "check"], app(vault))

    assert json.loads(capfd.readouterr().out)["data"]["findings"] == []
    assert code == 0
    assert len(list(vault.rglob("*.md"))) == 20

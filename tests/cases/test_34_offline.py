"""Reported: with the model at hand a first search waits for the network, or tries it."""

import shutil
import subprocess
from dataclasses import replace

import pytest

from tests.cases.conftest import Given, Holding
from tests.command import PROGRAM, Shell

NOTES = {"Kiln.md": "The kiln is fired on Thursdays. [[Loom]]\n", "Loom.md": "A loom.\n"}


@pytest.fixture
def cut_off() -> tuple[str, ...]:
    """The program without any network, where a program can be run so."""
    tool = shutil.which("unshare")
    words = (tool or "unshare", "-n")
    if not tool or subprocess.run([*words, "true"], check=False, stderr=-3).returncode:
        pytest.skip("to be without a network needs unshare and the rights for it")
    return (*words, *PROGRAM)


def test_with_the_model_nothing_needs_a_network(holding: Holding, cut_off: tuple[str, ...]) -> None:
    shell = holding(NOTES)
    shell.ask("rebuild")
    new = replace(shell, cache=shell.home / "new")

    found = new.program("graph", "search", "--kind=note", "pottery oven", command=cut_off)

    assert (found.exit_code, found.err) == (0, "")
    assert found.out.startswith("1. Kiln")


def modelless(shell: Shell) -> Shell:
    """Somebody whose configured folder holds no model."""
    folder = shell.home / "empty"
    folder.mkdir()
    return replace(shell, environ=dict(shell.environ) | {"VAULTMEM_EMBEDDING_MODEL": str(folder)})


def test_without_the_model_words_are_found_and_it_is_said_where_it_belongs(
    holding: Holding, cut_off: tuple[str, ...]
) -> None:
    indexed = holding(NOTES)
    indexed.ask("rebuild")
    shell = modelless(indexed)

    found = shell.program("graph", "search", "--kind=note", "kiln", command=cut_off)
    shown = shell.program("graph", "show", "Kiln", command=cut_off)
    walked = shell.program("graph", "traverse", "Kiln", command=cut_off)

    assert found.out.startswith("1. Kiln")
    assert f"Put model.onnx and tokenizer.json into {shell.home / 'empty'}" in found.err
    assert found.err.count("\n") == 1
    assert (shown.exit_code, walked.exit_code) == (0, 0)
    assert "Loom" in walked.out


def test_the_reported_note(given: Given, cut_off: tuple[str, ...]) -> None:
    shell = given(34, init=True)

    with_model = shell.program("graph", "search", "--kind=all", "a", command=cut_off)
    without = modelless(shell).program("graph", "show", "a", command=cut_off)

    assert (with_model.exit_code, without.exit_code) == (0, 0)

"""A vault without a model, without a place to write, and with several processes at once."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import PROGRAM, Shell
from vault_memory.vault.lock import cover_lock, index_lock


@pytest.fixture
def modelless(inside: Shell) -> Shell:
    """Somebody whose configuration names a folder without a model."""
    (inside.home / "empty").mkdir()
    return replace(inside, environ={"VAULTMEM_EMBEDDING_MODEL": str(inside.home / "empty")})


def test_without_a_model_words_are_searched_with_a_notice(modelless: Shell) -> None:
    answer = modelless.run("graph", "search", "--kind", "all", "boathouse")
    data = modelless.ask("graph", "search", "--kind", "all", "boathouse")

    assert answer.exit_code == 0
    assert answer.err.startswith("Searching by words alone: ")
    assert answer.err.count("\n") == 1
    assert str(modelless.home / "empty" / "model.onnx") in answer.err
    assert data["hits"][0]["path"] == "Rowing club.md"
    assert data["hits"][0]["found_by"] == ["lexical"]
    assert data["notice"] == answer.err.removesuffix("\n")


@pytest.mark.parametrize(
    "line",
    ["graph show NeoVim", "graph list", "graph traverse Dani", "search key", "check"],
)
def test_without_a_model_all_else_works(modelless: Shell, line: str) -> None:
    answer = modelless.run(*line.split())

    assert (answer.exit_code, answer.err) == (0, "")


def test_without_a_model_status_says_so(modelless: Shell) -> None:
    assert modelless.ask("status")["index"]["model"] is None
    assert "Model:         none: searching by words alone" in modelless.run("status").out


def test_without_a_model_a_rebuild_takes_the_notes_in_and_fails(modelless: Shell) -> None:
    (modelless.folder / "New.md").write_text("A quokka sleeps in the tram.\n")

    answer = modelless.run("--json", "rebuild")

    assert (answer.exit_code, answer.error["code"]) == (1, "model")
    assert "take [embedding] model out of the configuration" in answer.error["error"]
    found = modelless.ask("graph", "search", "--kind", "note", "quokka")
    assert found["hits"][0]["path"] == "New.md"


def test_a_model_that_comes_back_finds_by_meaning_again(inside: Shell, modelless: Shell) -> None:
    before = inside.ask("graph", "search", "--kind", "all", "boats")
    modelless.ask("graph", "search", "--kind", "all", "boats")

    assert inside.ask("graph", "search", "--kind", "all", "boats") == before


def test_writing_needs_no_model(modelless: Shell) -> None:
    words = ("--name", "Kayak", "--type", "tool", "--abstract", "Boat for one.")

    made = modelless.ask("graph", "add-entity", *words)

    assert made["created"] == ["entities/tool/Kayak.md"]


def test_where_nothing_can_be_written_the_cache_holds_the_index(
    inside: Shell, permitted: tuple[str, ...]
) -> None:
    shutil.rmtree(inside.folder / ".vaultmem")
    own = replace(inside, environ={"XDG_CACHE_HOME": str(inside.home / "cache")})
    before = sorted(inside.folder.rglob("*"))
    inside.folder.chmod(0o500)
    try:
        rebuilt = own.program("--json", "rebuild", command=permitted)
        found = own.program("--json", "graph", "search", "modal editor", command=permitted)
        written = own.program("graph", "observe", "NeoVim", command=permitted)
    finally:
        inside.folder.chmod(0o755)

    assert rebuilt.exit_code == 0, rebuilt.err
    assert found.data["hits"][0]["name"] == "NeoVim"
    assert found.err == ""
    assert written.exit_code == 1
    assert "Traceback" not in written.err
    assert sorted(inside.folder.rglob("*")) == before
    assert list((inside.home / "cache" / "vaultmem" / "vaults").iterdir())


def test_a_derived_folder_that_turned_read_only_is_read_as_it_is(
    inside: Shell, permitted: tuple[str, ...]
) -> None:
    derived = inside.folder / ".vaultmem"
    set_index_dir = replace(inside, environ={"VAULTMEM_INDEX_DIR": str(derived)})
    derived.chmod(0o500)
    for path in derived.iterdir():
        path.chmod(0o400)
    try:
        found = set_index_dir.program(
            "--json", "graph", "search", "modal editor", command=permitted
        )
        (inside.folder / "New.md").write_text("A quokka sleeps in the tram.\n")
        behind = set_index_dir.program("--json", "graph", "list", command=permitted)
    finally:
        derived.chmod(0o700)

    assert found.exit_code == 0, found.err
    assert found.data["hits"][0]["name"] == "NeoVim"
    assert behind.exit_code == 0, behind.err
    assert behind.err == "The index cannot be written; 1 changed note is not in it\n"


def test_where_no_folder_can_be_made_the_index_lives_for_one_command(inside: Shell) -> None:
    shutil.rmtree(inside.folder / ".vaultmem")
    (inside.folder / ".vaultmem").write_text("in the way")

    answer = inside.run("graph", "search", "modal editor")

    assert answer.exit_code == 0
    assert answer.out.startswith("1. NeoVim (tool)")
    assert answer.err.count("\n") == 1
    assert "indexing in memory for this command only" in answer.err
    assert (inside.folder / ".vaultmem").read_text() == "in the way"


def started(shell: Shell, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*PROGRAM, *words],
        cwd=shell.folder,
        env=shell.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_two_rebuilds_at_once_make_one_index(inside: Shell) -> None:
    shutil.rmtree(inside.folder / ".vaultmem")
    processes = [started(inside, "--json", "rebuild") for _ in range(2)]

    ended = [process.communicate(timeout=120) for process in processes]

    assert [process.returncode for process in processes] == [0, 0], ended
    assert [err for _, err in ended] == [b"", b""]
    seen = inside.ask("status")["index"]
    shutil.rmtree(inside.folder / ".vaultmem")
    inside.ask("rebuild")
    alone = inside.ask("status")["index"]
    assert (seen["digest"], seen["units"], seen["stale"]) == (alone["digest"], alone["units"], 0)


def test_observations_made_at_once_are_all_kept(inside: Shell) -> None:
    processes = [
        started(inside, "graph", "observe", "NeoVim", "--source", f"letter {number}")
        for number in range(6)
    ]

    ended = [process.communicate(timeout=120) for process in processes]

    assert [process.returncode for process in processes] == [0] * 6, ended
    shown = inside.ask("graph", "show", "NeoVim")
    assert len(shown["evidence"]) == 7
    assert shown["belief"]["alpha"] == pytest.approx(9.8 + 6 * 0.8)


def test_a_note_that_is_new_while_others_search_is_found_by_all(inside: Shell) -> None:
    for number in range(10):
        Path(inside.folder, f"Page {number}.md").write_text(f"Quokka number {number}.\n")

    searches = [
        started(inside, "--json", "graph", "search", "--kind", "note", "quokka") for _ in range(3)
    ]
    ended = [process.communicate(timeout=120) for process in searches]

    assert [process.returncode for process in searches] == [0] * 3, ended
    assert all(b"Page 0.md" in out for out, _ in ended)


def test_a_rebuild_leaves_the_approximate_index_to_whoever_makes_it(inside: Shell) -> None:
    (inside.folder / "Page.md").write_text("Grilled trout.\n")

    with cover_lock(inside.folder / ".vaultmem"):
        answer = inside.run("rebuild")

    assert (answer.exit_code, answer.err) == (0, "")


def test_a_reader_answers_from_what_is_known_while_another_holds_the_index(inside: Shell) -> None:
    patient = replace(inside, environ={"VAULTMEM_SERVE_LOCK_TIMEOUT_SECS": "0.05"})
    (inside.folder / "Page.md").write_text("Grilled trout.\n")

    with index_lock(inside.folder / ".vaultmem", timeout_seconds=0):
        shown = patient.run("graph", "show", "Emacs")
        counted = patient.run("status")
        written = patient.run("graph", "observe", "Emacs")

    assert (shown.exit_code, counted.exit_code) == (0, 0)
    assert "answering from what was known before" in shown.err
    assert shown.err.count("\n") == 1
    assert written.exit_code == 1

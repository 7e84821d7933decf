"""What a command loads, and what happens when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import PROGRAM, Shell

HEAVY = {
    "numpy",
    "onnxruntime",
    "tokenizers",
    "usearch",
    "markdown_it",
    "yaml",
    "detect_secrets",
}
LOADED = """
import sys
from vault_memory.cli.main import run
code = run(sys.argv[1:])
sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.exit(code)
"""


@pytest.mark.parametrize(
    "line",
    [
        "where",
        "status",
        "consume",
        "consume --hook",
        "consume --budget 200",
        "hooks status",
        "rebuild",
        "check",
        "search key",
        "config list",
        "graph status",
        "graph list",
        "graph show NeoVim",
        "graph show Dani uses NeoVim",
        "graph traverse Dani",
    ],
)
def test_a_command_that_needs_no_model_loads_nothing_heavy(inside: Shell, line: str) -> None:
    inside.ask("rebuild")

    answer = inside.program(*line.split(), command=(sys.executable, "-c", LOADED))

    assert answer.exit_code == 0
    loaded = set(answer.err.split())
    assert "vault_memory" in loaded
    assert loaded & HEAVY == set()


OURS = LOADED.replace('name.partition(".")[0]', "name")
OF_NOTES = {
    "vault_memory.core.answers",
    "vault_memory.core.note",
    "vault_memory.index.lexical",
    "vault_memory.index.rows",
    "vault_memory.index.words",
    "vault_memory.notes.decode",
    "vault_memory.notes.frontmatter",
}


@pytest.mark.parametrize("command", ["status", "rebuild"])
def test_what_finds_nothing_changed_loads_nothing_to_read_notes_with(
    inside: Shell, command: str
) -> None:
    inside.ask("rebuild")

    unchanged = inside.program(command, command=(sys.executable, "-c", OURS))
    (inside.folder / "New.md").write_text("new", "utf-8")
    changed = inside.program(command, command=(sys.executable, "-c", OURS))

    assert set(unchanged.err.split()) & OF_NOTES == set()
    assert "vault_memory.notes.decode" in changed.err.split()


RECORD = (
    '{"type": "user", "uuid": "u1", "sessionId": "s", '
    '"message": {"content": "ask me", "role": "user"}}'
)


@pytest.mark.parametrize("verb", ["consume", "archive-session"])
def test_a_hook_starts_without_what_it_leaves_to_another_process(inside: Shell, verb: str) -> None:
    (inside.home / "s.jsonl").write_text(f"{RECORD}\n")
    payload = {"transcript_path": str(inside.home / "s.jsonl"), "hook_event_name": "SessionStart"}

    answer = inside.program(
        verb,
        "--hook",
        "-q",
        stdin=json.dumps(payload).encode(),
        command=("env", "-u", "COVERAGE_PROCESS_CONFIG", sys.executable, "-c", LOADED),
    )

    loaded = set(answer.err.split())
    assert "vault_memory" in loaded
    assert loaded & (HEAVY | {"subprocess", "dataclasses"}) == set()


def test_a_checkpoint_loads_no_model(inside: Shell) -> None:
    (inside.home / "s.jsonl").write_text(f"{RECORD}\n")

    answer = inside.program(
        *("checkpoint", "-q", "--transcript", str(inside.home / "s.jsonl")),
        command=(sys.executable, "-c", LOADED),
    )

    assert set(answer.err.split()) & (HEAVY - {"detect_secrets", "yaml"}) == set()


def test_a_search_loads_the_model_so_that_the_test_above_can_fail(inside: Shell) -> None:
    answer = inside.program("graph", "search", "boat", command=(sys.executable, "-c", LOADED))

    assert {"numpy", "onnxruntime", "tokenizers"} <= set(answer.err.split())


def test_an_interrupted_rebuild_keeps_what_was_embedded(inside: Shell) -> None:
    for number in range(300):
        (inside.folder / f"Day {number}.md").write_text(f"In the log of day {number}: wind.\n")
    before = {path: path.read_bytes() for path in inside.folder.rglob("*.md")}
    with subprocess.Popen(
        [*PROGRAM, "--json", "rebuild"],
        cwd=inside.folder,
        env=inside.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_until_embedded(inside.folder / ".vaultmem" / "embeddings.db", least=60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert out == b""
    assert json.loads(err)["code"] == "interrupted"
    assert {path: path.read_bytes() for path in inside.folder.rglob("*.md")} == before
    done = inside.ask("rebuild")
    assert done["embedded"] + done["cached"] >= 300
    assert done["cached"] >= 30
    assert done["embedded"] > 0


def wait_until_embedded(path: Path, *, least: int) -> None:
    """Wait until a store of embeddings holds so many."""
    import sqlite3

    for _ in range(6000):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
            if store.execute("SELECT count(*) FROM embeddings").fetchone()[0] >= least:
                return
        time.sleep(0.01)
    raise AssertionError("nothing was embedded")


def test_an_interrupt_before_anything_is_told_in_a_line(inside: Shell) -> None:
    reader, writer = os.pipe()
    with subprocess.Popen(
        [*PROGRAM, "archive-session", "--transcript", "-"],
        cwd=inside.folder,
        env=inside.variables,
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    os.close(writer)
    os.close(reader)

    assert process.returncode == 130
    assert b"Interrupted" in err
    assert b"Traceback" not in err

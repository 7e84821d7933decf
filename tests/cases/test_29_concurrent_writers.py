"""Reported: processes that write at once lose what they stored, or give a number twice."""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tests.cases.conftest import Holding
from tests.cases.vaults import contents, findings
from tests.command import PROGRAM, Shell
from vault_memory.cli.app import App
from vault_memory.flows.rebuild import rebuild
from vault_memory.vault.lock import index_lock, vault_lock


def at_once(shell: Shell, commands: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Run all commands at once, each of which must succeed, and give their answers."""
    processes = [
        subprocess.Popen(
            [*PROGRAM, "--json", *words],
            cwd=shell.folder,
            env=shell.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for words in commands
    ]
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err.decode()
        answers.append(json.loads(out)["data"])
    return answers


def test_forty_entities_of_forty_processes_are_forty_notes(holding: Holding) -> None:
    shell = holding({})
    names = [f"E{number}" for number in range(40)]

    at_once(
        shell,
        (
            ("graph", "add-entity", "--name", name, "--type", "concept", "--abstract", "x")
            for name in names
        ),
    )

    listed = shell.ask("graph", "list")["entities"]
    assert sorted(one["name"] for one in listed) == sorted(names)
    assert {one["belief"]["alpha"] for one in listed} == {9.8}
    assert sum(path.startswith("entities/") for path in contents(shell.folder)) == 40
    assert findings(shell) == []


def test_twenty_sources_for_one_entity_are_twenty_lines_and_one_source_is_one(
    holding: Holding,
) -> None:
    shell = holding({})
    add = ("graph", "add-entity", "--name", "Same", "--type", "concept", "--abstract", "x")

    answers = at_once(shell, ((*add, "--source", f"call {n // 2}") for n in range(20)))
    at_once(shell, ((*add, "--source", f"mail {n}") for n in range(10)))

    shown = shell.ask("graph", "show", "Same")
    assert sum(len(answer["created"]) for answer in answers) == 1
    assert [path for path in contents(shell.folder) if path.startswith("entities/")] == [
        "entities/concept/Same.md"
    ]
    assert sorted(line["source"] for line in shown["evidence"]) == sorted(
        [f"call {n}" for n in range(10)] + [f"mail {n}" for n in range(10)]
    )
    assert shown["belief"]["alpha"] == 9 + 20 * 0.8
    assert findings(shell) == []


def test_twenty_archives_at_once_take_twenty_numbers(holding: Holding) -> None:
    shell = holding({})
    for number in range(20):
        record = {
            "type": "user",
            "uuid": f"u{number}",
            "sessionId": f"session-{number}",
            "timestamp": f"2026-03-01T10:{number:02d}:00Z",
            "message": {"role": "user", "content": f"question {number}"},
        }
        (shell.home / f"session-{number}.jsonl").write_text(json.dumps(record))

    answers = at_once(
        shell,
        (
            ("archive-session", "--transcript", str(shell.home / f"session-{number}.jsonl"))
            for number in range(20)
        ),
    )

    assert sorted(str(answer["log"]) for answer in answers) == sorted(map(str, range(1, 21)))
    files = contents(shell.folder)
    notes = [path for path in files if path.startswith("conversations/")]
    assert notes == [f"conversations/conversation-{number:03d}.md" for number in range(1, 21)]
    assert files["ARCHIVE.md"].count(b"| [[conversation-") == 20
    assert files["EPHEMERAL.md"].count(b"\n## session-") == 5
    latest = [f"## session-{number} ".encode() for number in range(15, 20)]
    places = [files["EPHEMERAL.md"].find(heading) for heading in latest]
    assert -1 not in places
    assert places == sorted(places)
    assert findings(shell) == []


def test_waiting_has_a_limit_and_says_for_whom(holding: Holding) -> None:
    shell = holding({"Rope.md": "---\ntype: tool\n---\n"})
    hasty = replace(shell, environ={"VAULTMEM_SERVE_LOCK_TIMEOUT_SECS": "0.2"})
    before = contents(shell.folder)

    with vault_lock(shell.folder, timeout_seconds=0):
        answer = hasty.run("--json", "graph", "observe", "Rope")
        asked = hasty.run("graph", "search", "rope")

    assert (answer.exit_code, answer.error["code"]) == (1, "locked")
    assert f"held by process {os.getpid()} for longer than 0.2 seconds" in answer.error["error"]
    assert asked.exit_code == 0
    assert contents(shell.folder) == before
    assert hasty.run("graph", "observe", "Rope").exit_code == 0


def test_nobody_waits_while_texts_are_embedded(holding: Holding) -> None:
    shell = holding({f"n{number}.md": f"Text {number} of a harbour.\n" for number in range(5)})
    app = App(environ=shell.variables, cwd=shell.folder)
    told = []

    def progress(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        with vault_lock(shell.folder, timeout_seconds=0):
            pass
        with index_lock(index.folder, timeout_seconds=0):
            pass

    with app.open_index() as index:
        rebuild(index, full=False, progress=progress, elapsed=lambda: 0.0)

    assert told[-1] == ("Embedding", 6, 6)

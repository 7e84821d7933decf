"""Reported: what runs at a session's end is cancelled, and half an archive and a lock stay."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.sessions import agent, lines, note, turns, user
from tests.cases.vaults import contents, findings
from tests.command import PROGRAM, Shell
from tests.waiting import wait_for, wait_until

WAITING = """
import json, os, sys, time
from vault_memory.cli.detached import start_detached
words, environ = json.loads(sys.argv[1])
print(start_detached(words, environ), flush=True)
time.sleep(600)
"""


def payload(shell: Shell, data: bytes) -> bytes:
    (shell.home / "s.jsonl").write_bytes(data)
    fields = {
        "session_id": "s",
        "transcript_path": str(shell.home / "s.jsonl"),
        "cwd": "/w/p",
        "hook_event_name": "SessionEnd",
        "reason": "prompt_input_exit",
    }
    return json.dumps(fields).encode()


def talk(number: int) -> bytes:
    said = (user(f"question {n}", f"u{n}") for n in range(number))
    heard = (agent(f"answer {n}", f"a{n}") for n in range(number))
    return b"\n".join(lines(*(each for pair in zip(said, heard, strict=True) for each in pair)))


def archived(shell: Shell) -> list[str]:
    return [path for path in contents(shell.folder) if path.startswith("conversations/")]


def test_the_archiver_goes_on_when_its_hook_is_long_gone(holding: Holding) -> None:
    shell = holding({})

    answer = shell.program("archive-session", "--hook", stdin=payload(shell, talk(2000)))

    assert (answer.exit_code, answer.out) == (0, "")
    wait_for(shell.folder / "EPHEMERAL.md", holding="**Messages**: 4000")
    assert archived(shell) == ["conversations/conversation-001.md"]


def test_it_has_a_session_of_its_own_and_survives_its_parents_whole_group(
    holding: Holding,
) -> None:
    shell = holding({})
    payload(shell, talk(2000))
    words = ["--vault", str(shell.folder), "archive-session", "--hook", "--transcript"]
    given = json.dumps([[*words, str(shell.home / "s.jsonl")], dict(shell.variables)])
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, given], stdout=subprocess.PIPE, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"None\n"
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait(timeout=60)

    wait_for(shell.folder / "ARCHIVE.md", holding="conversation-001")
    assert len(turns(note(shell))) == 4000


def test_it_holds_no_stream_of_its_parent_open(holding: Holding) -> None:
    shell = holding({})
    reader, writer = os.pipe()
    with subprocess.Popen(
        [*PROGRAM, "archive-session", "--hook"],
        cwd=shell.folder,
        env=shell.variables,
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=writer,
    ) as process:
        process.communicate(payload(shell, talk(3000)), timeout=60)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        said = stream.read()
    running = not (shell.folder / "EPHEMERAL.md").read_text().count("Messages")

    wait_for(shell.folder / "EPHEMERAL.md", holding="**Messages**: 6000")
    assert process.returncode == 0
    assert said.count(b"\n") == 1
    assert (b"goes on in the background" in said) or not running


@pytest.mark.parametrize("after", [0.02, 0.1, 0.2, 0.3, 0.5])
def test_killed_at_any_time_a_normal_run_leaves_exactly_one_archive(
    holding: Holding, after: float
) -> None:
    shell = holding({})
    data = payload(shell, talk(200))
    for _ in range(2):
        with subprocess.Popen(
            [*PROGRAM, "archive-session", "--hook"],
            cwd=shell.folder,
            env=shell.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                process.communicate(data, timeout=after)
            except subprocess.TimeoutExpired:
                process.kill()

    shell.program("archive-session", "--hook", stdin=data)

    wait_for(shell.folder / "EPHEMERAL.md", holding="**Messages**: 400")
    wait_until(lambda: findings(shell) == [], "a vault without findings")
    assert archived(shell) == ["conversations/conversation-001.md"]
    assert (shell.folder / "EPHEMERAL.md").read_text().count("**Messages**") == 1


def test_the_installer_asks_for_the_time_it_needs(shell: Shell) -> None:
    shell.ask("hooks", "install")

    settings = json.loads((shell.home / ".claude" / "settings.json").read_text())

    [entry] = settings["hooks"]["SessionEnd"]
    assert entry["hooks"][0]["timeout"] == 30


def test_the_reported_hook(holding: Holding, reported: Reported) -> None:
    shell = holding({})
    folder = Path(reported(43))
    outside = type(shell)(folder, shell.home, shell.cache)

    answer = outside.program(
        "--vault", str(shell.folder), "archive-session", stdin=(folder / "hook.json").read_bytes()
    )

    assert answer.exit_code == 0
    wait_for(shell.folder / "ARCHIVE.md", holding="conversation-001")
    assert archived(shell) == ["conversations/conversation-001.md"]

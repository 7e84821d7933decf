"""Killed at any write, an archive is as it was or as it shall be, and the next run finishes it."""

import signal
import sys
from pathlib import Path

import pytest

from tests.cases.vaults import contents, findings
from tests.command import Shell
from tests.flows.test_checkpoint import recent, saved, source, transcript

KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))
def audit(event, arguments):
    global left
    aside = event == "open" and str(arguments[0]).endswith(".tmp") and arguments[2] & os.O_WRONLY
    if aside or event in {"os.rename", "os.link", "os.remove"}:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(audit)
from vault_memory.cli.main import run
sys.exit(run(sys.argv[1:]))
"""
MOST_WRITES = 60


@pytest.fixture
def empty(shell: Shell) -> Shell:
    shell.ask("init", "--vault", str(shell.folder))
    return shell


def killed_at(shell: Shell, number: int, verb: str) -> bool:
    """Run a verb that is killed at one of its writes; whether it came that far."""
    command = (sys.executable, "-c", KILLED, str(number))
    answer = shell.program(verb, "--transcript", str(shell.home / "abc.jsonl"), command=command)
    assert answer.exit_code in {0, -signal.SIGKILL}, answer.err
    return answer.exit_code != 0


def notes(shell: Shell) -> dict[str, bytes]:
    return {path: data for path, data in contents(shell.folder).items() if path[0] != "."}


def restore(shell: Shell, before: dict[str, bytes]) -> None:
    for path in notes(shell).keys() - before.keys():
        (shell.folder / path).unlink()
    for path, data in before.items():
        (shell.folder / path).write_bytes(data)


STEPS: dict[str, tuple[str, str | None, int, int, list[str]]] = {
    "a new session": ("archive-session", None, 0, 2, ["2"]),
    "a session that grew": ("archive-session", "archive-session", 2, 4, ["4"]),
    "a session that was saved to its end": ("archive-session", "checkpoint", 4, 4, ["4"]),
    "a new checkpoint": ("checkpoint", None, 0, 2, []),
    "a checkpoint of a session that goes on": ("checkpoint", "archive-session", 2, 4, ["2"]),
}
"""What is done, what was done before, the turns before and after, and what is recent then."""


@pytest.mark.parametrize("step", STEPS)
def test_whatever_was_cut_off_is_finished_by_the_next_run(empty: Shell, step: str) -> None:
    verb, earlier, first, last, wanted_recent = STEPS[step]
    if earlier:
        saved(empty, earlier, transcript(first))
    before = notes(empty)
    saved(empty, verb, transcript(last))
    wanted = notes(empty)

    number = 0
    while number < MOST_WRITES:
        restore(empty, before)
        if not killed_at(empty, number, verb):
            break
        for path, data in notes(empty).items():
            assert path.endswith(".tmp") or data in (before.get(path), wanted.get(path)), path
        saved(empty, verb, transcript(last))
        assert notes(empty) == wanted, f"after write {number}"
        number += 1

    assert 3 < number < MOST_WRITES
    assert findings(empty) == []
    assert len(list(Path(empty.folder, "conversations").iterdir())) == 1
    assert source(empty) == ("checkpoint" if verb == "checkpoint" else "session")
    assert recent(empty) == wanted_recent

"""``archive --all-unarchived``: sessions that no hook archived."""

import json
import os
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.vaults import contents
from tests.cli.test_streams import on_a_terminal
from tests.command import PROGRAM, Shell
from tests.waiting import wait_for

LONG_AGO = 1_772_000_000
"""When the first session was written to, in seconds; each later one a day after the one before."""


def name(number: int) -> str:
    return f"0a000000-0000-4000-8000-{number:012d}"


def record(number: int, turn: int, **more: object) -> str:
    fields = {
        "type": "assistant" if turn % 2 else "user",
        "uuid": f"{name(number)}-{turn}",
        "sessionId": name(number),
        "cwd": "/w/p",
        "timestamp": f"2026-03-{number:02d}T10:{turn:02d}:00Z",
        "message": {"content": f"words {turn} of {number}"},
    }
    return json.dumps(fields | more) + "\n"


def session(
    shell: Shell, number: int, *, turns: int = 2, folder: str = "-w-p", cwd: str = "/w/p"
) -> Path:
    file = shell.home / ".claude" / "projects" / folder / f"{name(number)}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(record(number, turn, cwd=cwd) for turn in range(turns)))
    seconds = LONG_AGO + 86_400 * number + turns
    os.utime(file, (seconds, seconds))
    return file


def archived(shell: Shell) -> dict[str, str]:
    """The number of each session's note, by its number."""
    table = (shell.folder / "ARCHIVE.md").read_text()
    return {
        str(int(session)): log
        for log, session in re.findall(r"\|(\d{3})\]\] \| [^|]*\| 0a[0-9-]*?0*(\d+) \|", table)
    }


def recent(shell: Shell) -> list[str]:
    text = (shell.folder / "EPHEMERAL.md").read_text()
    return re.findall(r"^## 0a[0-9-]*?0*(\d+) ·", text, re.MULTILINE)


@pytest.fixture
def empty(shell: Shell) -> Shell:
    shell.ask("init", "--vault", str(shell.folder))
    return shell


def test_all_sessions_are_archived_oldest_first_and_once(empty: Shell) -> None:
    for number in (3, 1, 2):
        session(empty, number, folder=f"-w-{number}")

    first = empty.ask("archive", "--all-unarchived")
    before = contents(empty.folder)
    second = empty.run("archive", "--all-unarchived")

    assert [each["messages"] for each in first["sessions"]] == [2, 2, 2]
    assert archived(empty) == {"1": "001", "2": "002", "3": "003"}
    assert recent(empty) == ["1", "2", "3"]
    assert second.out.startswith("0 sessions archived (3 known), from ")
    assert contents(empty.folder) == before


def test_one_that_grew_is_archived_again_and_no_other(empty: Shell) -> None:
    session(empty, 1)
    session(empty, 2)
    empty.ask("archive", "--all-unarchived")
    session(empty, 1, turns=4)

    answer = empty.ask("archive", "--all-unarchived")

    assert [(each["log"], each["messages"]) for each in answer["sessions"]] == [(1, 4)]
    assert answer["known"] == 1


def test_one_that_was_saved_and_never_ended_is_ended(empty: Shell) -> None:
    file = session(empty, 1)
    empty.ask("checkpoint", "--transcript", str(file))

    answer = empty.ask("archive", "--all-unarchived")

    assert [each["updated"] for each in answer["sessions"]] == [True]
    assert recent(empty) == ["1"]
    assert empty.ask("archive", "--all-unarchived")["sessions"] == []


def test_what_was_archived_is_known_by_its_note_when_all_derived_data_is_gone(
    empty: Shell,
) -> None:
    session(empty, 1)
    saved = session(empty, 2)
    empty.ask("archive", "--all-unarchived")
    empty.ask("checkpoint", "--transcript", str(session(empty, 3)))
    for file in (empty.folder / ".vaultmem").iterdir():
        file.unlink()
    session(empty, 2, turns=2)

    answer = empty.ask("archive", "--all-unarchived")

    assert saved.is_file()
    assert answer["known"] == 2
    assert [each["log"] for each in answer["sessions"]] == [3]


def test_subagents_and_files_without_a_conversation_are_no_sessions(empty: Shell) -> None:
    file = session(empty, 1)
    (file.parent / "agent-a1.jsonl").write_text(record(7, 0, isSidechain=True))
    below = file.with_suffix("") / "subagents"
    below.mkdir(parents=True)
    (below / "agent-a2.jsonl").write_text(record(8, 0, isSidechain=True))
    (file.parent / f"{name(9)}.jsonl").write_text(record(9, 0, isSidechain=True))
    (file.parent / f"{name(10)}.jsonl").write_text('{"type": "mode"}\n')

    answer = empty.run("-v", "archive", "--all-unarchived")
    again = empty.ask("archive", "--all-unarchived")

    assert archived(empty) == {"1": "001"}
    assert "1 session archived (2 without a conversation)" in answer.out
    assert "is a subagent's own work" in answer.err
    assert (again["passed_over"], again["known"]) == ([], 1)


def test_only_those_since_a_day_or_of_a_project(empty: Shell) -> None:
    session(empty, 1)
    session(empty, 2, folder="-w-q", cwd="/w/q")
    session(empty, 3)

    empty.ask("archive", "--all-unarchived", "--since", "2026-02-27", "--project", "/w/p")
    some = archived(empty)
    empty.ask("archive", "--all-unarchived", "--project", str(empty.home / ".claude/projects/-w-q"))

    assert some == {"3": "001"}
    assert archived(empty) == {"3": "001", "2": "002"}


def test_another_project_whose_folder_has_the_same_name_is_left_alone(empty: Shell) -> None:
    session(empty, 1, folder="-w-my-app", cwd="/w/my/app")
    session(empty, 2, folder="-w-my-app", cwd="/w/my-app")

    empty.ask("archive", "--all-unarchived", "--project", "/w/my-app")

    assert archived(empty) == {"2": "001"}


def test_what_was_written_to_just_now_may_be_running(empty: Shell) -> None:
    file = session(empty, 1)
    os.utime(file, (1_773_302_100, 1_773_302_100))
    at = replace(empty, environ={"VAULTMEM_NOW": "2026-03-12T08:00:00Z"})

    left = at.run("archive", "--all-unarchived", "--idle", "10")
    taken = at.ask("archive", "--all-unarchived", "--idle", "3")

    assert "0 sessions archived (1 may be running)" in left.out
    assert len(taken["sessions"]) == 1


def test_one_that_cannot_be_archived_costs_no_other(empty: Shell) -> None:
    session(empty, 1)
    session(empty, 2)
    empty.ask("archive", "--all-unarchived")
    note = empty.folder / "conversations" / "conversation-001.md"
    note.write_text(note.read_text().replace("words 0", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"))
    session(empty, 1, turns=4)
    session(empty, 2, turns=4)

    answer = empty.run("archive", "--all-unarchived")

    assert answer.exit_code == 0
    assert "conversation-001.md" in answer.err
    assert "1 session archived (1 failed)" in answer.out


def test_where_the_agent_keeps_nothing_there_is_nothing(empty: Shell) -> None:
    elsewhere = replace(empty, environ={"CLAUDE_CONFIG_DIR": str(empty.home / "none")})

    answer = elsewhere.run("archive", "--all-unarchived")

    assert answer.exit_code == 0
    assert answer.out == f"0 sessions archived, from {empty.home}/none/projects\n"


@pytest.mark.parametrize("words", [[], ["--all-unarchived", "--since", "yesterday"]])
def test_words_that_make_no_sense_are_refused(empty: Shell, words: list[str]) -> None:
    assert empty.run("archive", *words).exit_code == 2
    assert empty.run("archive", "--hook", *words).exit_code == 0


def test_interrupted_it_goes_on_where_it_stopped(empty: Shell) -> None:
    for number in range(1, 26):
        session(empty, number)
    with subprocess.Popen(
        [*PROGRAM, "archive", "--all-unarchived"],
        cwd=empty.folder,
        env=empty.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_for(empty.folder / "ARCHIVE.md", holding="conversation-002")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)

    before = len(archived(empty))
    answer = empty.ask("archive", "--all-unarchived")

    assert process.returncode in {0, 130}
    assert b"Traceback" not in err
    assert before >= 2
    assert len(archived(empty)) == 25
    assert len(answer["sessions"]) == 25 - before


def test_a_terminal_sees_how_far_it_is(empty: Shell) -> None:
    session(empty, 1)

    shown = on_a_terminal(empty, "archive", "--all-unarchived")

    assert "Archiving [##############################] 1/1" in shown
    assert shown.endswith(f"1 session archived, from {empty.home}/.claude/projects\n")


def test_nobody_is_made_to_type_the_json_of_a_hook(empty: Shell) -> None:
    shown = on_a_terminal(empty, "archive-session")

    assert shown.startswith("Name a transcript with --transcript FILE, or give hook JSON on stdin")


def test_a_hook_may_show_what_it_would_write(empty: Shell) -> None:
    payload = json.dumps({"transcript_path": str(session(empty, 1))}).encode()

    answer = empty.run("archive-session", "--dry-run", stdin=payload)

    assert "+++ b/conversations/conversation-001.md" in answer.out
    assert archived(empty) == {}


def test_where_no_process_can_be_started_the_hook_archives_by_itself(empty: Shell) -> None:
    payload = json.dumps({"transcript_path": str(session(empty, 1))}).encode()
    unable = replace(empty, environ={"TOO_LONG": "x" * (1 << 18)})

    answer = unable.run("archive-session", "--hook", stdin=payload)

    assert (answer.exit_code, answer.out) == (0, "")
    assert archived(empty) == {"1": "001"}

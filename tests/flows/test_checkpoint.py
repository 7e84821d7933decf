"""A session that is saved before it is over, and archived when it is."""

import json
import re
from pathlib import Path

import pytest

from tests.cases.vaults import contents
from tests.command import Shell

NAME = "abc.jsonl"


def transcript(last: int, first: int = 0) -> bytes:
    return b"".join(
        json.dumps(
            {
                "type": "assistant" if number % 2 else "user",
                "uuid": f"00000000-0000-0000-0000-{number:012d}",
                "sessionId": "abc123",
                "timestamp": f"2026-03-06T10:{number:02d}:00Z",
                "message": {"content": f"words number {number}"},
            }
        ).encode()
        + b"\n"
        for number in range(first, last)
    )


@pytest.fixture
def empty(shell: Shell) -> Shell:
    shell.ask("init", "--vault", str(shell.folder))
    return shell


def saved(shell: Shell, verb: str, data: bytes) -> dict[str, object]:
    (shell.home / NAME).write_bytes(data)
    answer: dict[str, object] = shell.ask(verb, "--transcript", str(shell.home / NAME))
    return answer


def source(shell: Shell) -> str:
    text = (shell.folder / "conversations/conversation-001.md").read_text()
    found = re.search(r'^source: "(\w+)"$', text, re.MULTILINE)
    return found[1] if found else ""


def recent(shell: Shell) -> list[str]:
    text = (shell.folder / "EPHEMERAL.md").read_text()
    return re.findall(r"\*\*Messages\*\*: (\d+)", text)


def test_a_checkpoint_is_a_note_and_a_row_and_no_recent_session(empty: Shell) -> None:
    answer = saved(empty, "checkpoint", transcript(2))

    assert (answer["created"], answer["messages"]) == (True, 2)
    assert source(empty) == "checkpoint"
    assert "| abc123 |" in (empty.folder / "ARCHIVE.md").read_text()
    assert recent(empty) == []


def test_when_the_session_is_over_it_becomes_one(empty: Shell) -> None:
    saved(empty, "checkpoint", transcript(2))

    answer = saved(empty, "archive-session", transcript(6))

    assert (answer["created"], answer["updated"], answer["log"]) == (False, True, 1)
    assert source(empty) == "session"
    assert recent(empty) == ["6"]
    assert len(list((empty.folder / "conversations").iterdir())) == 1


def test_a_session_that_ends_with_its_checkpoint_is_still_made_one(empty: Shell) -> None:
    saved(empty, "checkpoint", transcript(4))

    answer = saved(empty, "archive-session", transcript(4))

    assert answer["updated"]
    assert (source(empty), recent(empty)) == ("session", ["4"])


def test_a_checkpoint_of_what_is_archived_already_changes_nothing(empty: Shell) -> None:
    saved(empty, "archive-session", transcript(4))
    before = contents(empty.folder)

    answer = saved(empty, "checkpoint", transcript(4))

    assert (answer["created"], answer["updated"]) == (False, False)
    assert contents(empty.folder) == before


def test_a_session_that_was_taken_up_again_is_saved_and_then_over_again(empty: Shell) -> None:
    saved(empty, "archive-session", transcript(2))

    saved(empty, "checkpoint", transcript(4))
    between = (source(empty), recent(empty))
    saved(empty, "archive-session", transcript(4))

    assert between == ("checkpoint", ["2"])
    assert (source(empty), recent(empty)) == ("session", ["4"])


def test_a_second_checkpoint_adds_what_came_since(empty: Shell) -> None:
    saved(empty, "checkpoint", transcript(2))
    saved(empty, "checkpoint", transcript(4))
    before = contents(empty.folder)

    again = saved(empty, "checkpoint", transcript(4))

    assert (source(empty), recent(empty)) == ("checkpoint", [])
    assert not again["updated"]
    assert contents(empty.folder) == before


@pytest.mark.parametrize("data", [None, b"", b"not a transcript\n", b'{"type": "mode"}\n'])
def test_without_a_transcript_that_can_be_read_there_is_a_notice_and_no_stub(
    empty: Shell, data: bytes | None
) -> None:
    file = empty.home / NAME
    if data is not None:
        file.write_bytes(data)
    before = contents(empty.folder)
    payload = {"transcript_path": str(file), "hook_event_name": "PreCompact"}

    by_hook = empty.run("checkpoint", stdin=json.dumps(payload).encode())
    by_hand = empty.run("checkpoint", "--transcript", str(file))

    assert (by_hook.exit_code, by_hook.out) == (0, "")
    assert by_hook.err.startswith("vaultmem did nothing: ")
    assert by_hook.err.count("\n") == 1
    assert by_hand.exit_code in {1, 3}
    assert contents(empty.folder) == before


def test_as_a_hook_it_says_what_it_did_where_no_agent_reads_it(empty: Shell) -> None:
    (empty.home / NAME).write_bytes(transcript(2))
    payload = {"transcript_path": f"~/{NAME}", "hook_event_name": "PreCompact", "trigger": "auto"}

    answer = empty.run("checkpoint", "--hook", stdin=json.dumps(payload).encode())

    assert (answer.exit_code, answer.out) == (0, "")
    assert answer.err == "Saved conversations/conversation-001.md: 2 messages\n"


def test_a_dry_run_shows_the_note_and_writes_nothing(empty: Shell) -> None:
    (empty.home / NAME).write_bytes(transcript(2))
    before = contents(empty.folder)

    answer = empty.run("checkpoint", "--transcript", str(empty.home / NAME), "--dry-run")

    assert '+source: "checkpoint"' in answer.out
    assert contents(empty.folder) == before
    assert not Path(empty.folder, ".vaultmem", "sessions.json").exists()

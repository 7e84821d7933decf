"""Reported: files of subagents become sessions, and their prompts the user's words."""

from dataclasses import replace

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.sessions import agent, archive, hook, lines, note, turns, typed, user
from tests.cases.vaults import contents

CALL = {"type": "tool_use", "id": "t1", "name": "Task", "input": {"description": "look it up"}}
RESULT = {
    "type": "tool_result",
    "tool_use_id": "t1",
    "content": [{"type": "text", "text": "The lamp is in the shed."}],
}
MAIN = [
    user("where is the lamp", "u1"),
    agent([CALL], "a1"),
    user([RESULT], "u2", toolUseResult={"status": "completed", "agentId": "x1"}),
    agent("In the shed.", "a2"),
]
CHILD = [
    user("Search for a lamp.", "k1", isSidechain=True, agentId="x1"),
    agent("I search.", "k2", isSidechain=True, agentId="x1"),
]


def joined(*records: dict[str, object]) -> bytes:
    return b"\n".join(lines(*records)) + b"\n"


def test_what_a_subagent_is_told_is_no_speech_of_the_user(holding: Holding) -> None:
    shell = holding({})
    inline = [*MAIN[:2], *CHILD, *MAIN[2:]]

    answer = archive(shell, joined(*inline))

    assert typed(note(shell)) == ["where is the lamp"]
    assert "Search for a lamp" not in note(shell)
    assert "I search" not in note(shell)
    assert "The lamp is in the shed." in note(shell)
    assert turns(note(shell))[-1][1].endswith("In the shed.")
    assert answer.data["skipped"] == {"sidechain_records": 2}
    assert "**Tools**: Task\n" in note(shell)


@pytest.mark.parametrize("name", ["s/subagents/agent-x1.jsonl", "agent-x1.jsonl", "other.jsonl"])
def test_a_subagents_own_file_is_no_session(holding: Holding, name: str) -> None:
    shell = holding({})
    archive(shell, joined(*MAIN))
    before = contents(shell.folder)

    by_hand = archive(shell, joined(*CHILD), name)
    by_hook = hook(shell, name)

    assert (by_hand.exit_code, by_hand.error["code"]) == (1, "transcript")
    assert "a subagent's own work" in by_hand.error["error"]
    assert (by_hook.exit_code, by_hook.out) == (0, "")
    assert by_hook.err.count("\n") == 1
    assert "a subagent's own work" in by_hook.err
    assert contents(shell.folder) == before


def test_the_reported_files_are_one_archive(holding: Holding, reported: Reported) -> None:
    shell = replace(holding({}), environ={})
    files = sorted((reported(40) / "projects").rglob("*.jsonl"))

    codes = [shell.run("archive-session", "--transcript", str(file)).exit_code for file in files]

    assert (len(files), sorted(codes)) == (3, [0, 1, 1])
    archived = [path for path in contents(shell.folder) if path.startswith("conversations/")]
    assert archived == ["conversations/conversation-001.md"]
    assert typed(note(shell)) == ["look into it"]
    assert "X is in y.py" in note(shell)
    assert "find X" not in note(shell)
    assert "warmup" not in note(shell)

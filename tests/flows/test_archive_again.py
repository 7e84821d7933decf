"""A session that is archived more than once: it grows, it stays, it never shrinks."""

import json

import pytest

from tests.command import Shell

WORDS = [f"words number {number}" for number in range(6)]


def transcript(first: int, last: int) -> bytes:
    """The records of a session from one to another."""
    return b"".join(
        json.dumps(
            {
                "type": "assistant" if number % 2 else "user",
                "uuid": f"00000000-0000-0000-0000-00000000000{number}",
                "sessionId": "abc123",
                "timestamp": f"2026-03-06T10:0{number}:00Z",
                "message": {"content": WORDS[number]},
            }
        ).encode()
        + b"\n"
        for number in range(first, last)
    )


def archive(shell: Shell, records: bytes) -> dict[str, object]:
    (shell.folder.parent / "abc.jsonl").write_bytes(records)
    answer: dict[str, object] = shell.ask(
        "archive-session", "--transcript", str(shell.folder.parent / "abc.jsonl")
    )
    return answer


def written(shell: Shell) -> list[bytes]:
    names = ("ARCHIVE.md", "EPHEMERAL.md", "conversations/conversation-001.md")
    return [path.read_bytes() for path in (shell.folder / name for name in names) if path.exists()]


@pytest.fixture
def empty(shell: Shell) -> Shell:
    shell.ask("init", "--vault", str(shell.folder))
    return shell


def test_a_session_that_grew_gains_its_turns(empty: Shell) -> None:
    archive(empty, transcript(0, 2))

    answer = archive(empty, transcript(0, 6))

    note = (empty.folder / "conversations/conversation-001.md").read_text()
    assert (answer["updated"], answer["notice"]) == (True, None)
    assert all(note.count(f"\n\n{words}\n") == 1 for words in WORDS)


@pytest.mark.parametrize(("first", "last"), [(0, 2), (4, 6), (0, 5)])
def test_an_older_copy_of_a_session_costs_no_turn(empty: Shell, first: int, last: int) -> None:
    archive(empty, transcript(0, 6))
    before = written(empty)

    answer = archive(empty, transcript(first, last))

    assert written(empty) == before
    assert (answer["updated"], answer["created"]) == (False, False)
    assert "holds 6 turns" in str(answer["notice"])


def test_the_same_session_again_changes_nothing(empty: Shell) -> None:
    archive(empty, transcript(0, 6))
    before = written(empty)

    answer = archive(empty, transcript(0, 6))

    assert written(empty) == before
    assert (answer["updated"], answer["notice"]) == (False, None)

"""A session that is archived more than once: it grows, it stays, it never shrinks."""

import json

import pytest

from tests.command import Shell

WORDS = [f"words number {number}" for number in range(16)]


def transcript(first: int, last: int) -> bytes:
    """The records of a session from one to another."""
    return b"".join(
        json.dumps(
            {
                "type": "assistant" if number % 2 else "user",
                "uuid": f"00000000-0000-0000-0000-{number:012d}",
                "sessionId": "abc123",
                "timestamp": f"2026-03-06T10:{number:02d}:00Z",
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
    assert all(note.count(f"\n\n{words}\n") == 1 for words in WORDS[:6])


@pytest.mark.parametrize(("first", "last"), [(0, 2), (4, 6), (0, 5), (3, 9)])
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


def test_turns_that_a_longer_copy_lacks_are_told(empty: Shell) -> None:
    archive(empty, transcript(0, 6))

    answer = archive(empty, transcript(4, 16))

    assert answer["updated"]
    assert "4 turns are not in this longer copy" in str(answer["notice"])


SIDES = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> laptop\n"


@pytest.mark.parametrize("place", ["session_id", "message_count", "words number 1\n"])
def test_no_session_is_written_into_or_beside_its_torn_note(empty: Shell, place: str) -> None:
    archive(empty, transcript(0, 2))
    note = empty.folder / "conversations/conversation-001.md"
    whole = note.read_text()
    line = next(line for line in whole.split("\n") if f"{line}\n".startswith(place))
    note.write_text(whole.replace(f"{line}\n", SIDES.format(line, "other")))
    before = written(empty)

    answer = empty.run("archive-session", "--transcript", str(empty.folder.parent / "abc.jsonl"))

    assert answer.exit_code == 1
    assert answer.err.startswith("conversations/conversation-001.md:")
    assert written(empty) == before
    assert len(list(note.parent.iterdir())) == 1


@pytest.mark.parametrize("name", ["ARCHIVE.md", "EPHEMERAL.md"])
def test_a_conflict_in_the_lists_of_sessions_is_found_and_kept(empty: Shell, name: str) -> None:
    torn = (empty.folder / name).read_text() + SIDES.format("| 7 |", "| 8 |")
    (empty.folder / name).write_text(torn)

    found = empty.run("--json", "check")
    archive(empty, transcript(0, 2))

    assert found.exit_code == 4
    told = [(one["path"], one["rule"]) for one in found.data["findings"]]
    assert told == [(name, "conflict-markers")]
    assert SIDES.format("| 7 |", "| 8 |") in (empty.folder / name).read_text()

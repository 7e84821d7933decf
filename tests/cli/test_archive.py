"""``archive-session`` by hand and as a hook."""

import json
from dataclasses import replace

import pytest

from tests.command import Shell
from tests.waiting import wait_for

SESSION = "5b1f0c9e-1111-4222-8333-944455556666"


def line(number: int, role: str, text: str, **more: object) -> str:
    uuid = f"00000000-0000-4000-8000-{number:012d}"
    record = {
        "type": role,
        "uuid": uuid,
        "sessionId": SESSION,
        "timestamp": f"2026-03-06T10:{number:02d}:00.000Z",
        "cwd": "/home/dani/ferry",
        "message": {"role": role, "content": text},
    }
    return json.dumps(record | more) + "\n"


TALK = line(1, "user", "Please hold seats for ten minutes.") + line(
    2, "assistant", "We decided to hold seats for ten minutes."
)


@pytest.fixture
def talk(inside: Shell) -> Shell:
    (inside.home / f"{SESSION}.jsonl").write_text(TALK)
    return inside


def transcript(shell: Shell) -> str:
    return str(shell.home / f"{SESSION}.jsonl")


def test_a_session_is_archived_once_and_grows(talk: Shell) -> None:
    first = talk.ask("archive-session", "--transcript", transcript(talk))
    again = talk.ask("archive-session", "--transcript", transcript(talk))
    with open(transcript(talk), "a") as file:  # noqa: PTH123 - a transcript grows at its end
        file.write(line(3, "user", "And release them afterwards."))
    grown = talk.ask("archive-session", "--transcript", transcript(talk))

    assert (first["path"], first["created"], first["messages"]) == (
        "conversations/conversation-002.md",
        True,
        2,
    )
    assert (again["created"], again["updated"]) == (False, False)
    assert (grown["path"], grown["updated"], grown["messages"]) == (first["path"], True, 3)
    assert SESSION in (talk.folder / "ARCHIVE.md").read_text()
    assert talk.ask("search", "release", "afterwards")["matches"][0]["path"] == first["path"]


def test_a_sentence_says_what_was_archived(talk: Shell) -> None:
    made = talk.run("archive-session", "--transcript", transcript(talk))
    again = talk.run("archive-session", "--transcript", transcript(talk))

    assert made.out == "Archived conversations/conversation-002.md: 2 messages\n"
    assert again.out == "Unchanged: conversations/conversation-002.md: 2 messages\n"


def test_a_transcript_comes_on_standard_input(talk: Shell) -> None:
    answer = talk.run("archive-session", "--transcript", "-", stdin=TALK.encode())

    assert answer.exit_code == 0, answer.err
    assert "conversation-002.md" in answer.out


def test_a_dry_run_writes_nothing(talk: Shell) -> None:
    before = {path: path.read_bytes() for path in talk.folder.rglob("*.md")}

    answer = talk.run("archive-session", "--transcript", transcript(talk), "--dry-run")

    assert {path: path.read_bytes() for path in talk.folder.rglob("*.md")} == before
    assert "+++ b/conversations/conversation-002.md" in answer.out


def hook(shell: Shell, **fields: object) -> bytes:
    return json.dumps(
        {"session_id": SESSION, "transcript_path": transcript(shell), "reason": "exit"} | fields
    ).encode()


@pytest.mark.parametrize("words", [("archive-session",), ("archive-session", "--hook")])
def test_a_hook_archives_what_its_json_names(talk: Shell, words: tuple[str, ...]) -> None:
    answer = talk.run(*words, stdin=hook(talk))

    assert (answer.exit_code, answer.out) == (0, "")
    wait_for(talk.folder / "ARCHIVE.md", holding=SESSION)
    assert (talk.folder / "conversations/conversation-002.md").is_file()


def test_the_archiver_of_a_hook_says_in_a_line_what_it_did(talk: Shell) -> None:
    answer = talk.run("archive-session", "--hook", "--transcript", transcript(talk))

    assert (answer.exit_code, answer.out) == (0, "")
    assert answer.err == "Archived conversations/conversation-002.md: 2 messages\n"


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 200_000,
        b"\xff\xfe\x00",
        b"{}",
        b'{"transcript_path": 7}',
        b'{"transcript_path": ""}',
        b'{"transcript_path": "/nowhere/x.jsonl"}',
        b'{"transcript_path": "/"}',
        b'{"transcript_path": "a\\u0000b"}',
        b'{"transcript_path": "' + b"x" * 5000 + b'"}',
    ],
)
def test_a_hook_that_fails_exits_0_and_says_why_in_a_line(talk: Shell, stdin: bytes) -> None:
    answer = talk.run("archive-session", "--hook", stdin=stdin)

    assert answer.exit_code == 0
    assert answer.out == ""
    assert answer.err.startswith("vaultmem did nothing: ")
    assert "fault in vaultmem" not in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("words", [("--no-such-option",), ("--root", "/nowhere"), ("one", "two")])
def test_not_even_wrong_words_make_a_hook_fail(talk: Shell, words: tuple[str, ...]) -> None:
    answer = talk.run("archive-session", "--hook", *words, stdin=hook(talk))

    assert answer.exit_code == 0
    assert answer.err.startswith("vaultmem did nothing: ")


def test_a_hook_without_a_vault_exits_0(talk: Shell) -> None:
    elsewhere = replace(talk, folder=talk.home)

    answer = elsewhere.run("archive-session", stdin=hook(talk))

    assert answer.exit_code == 0
    assert "No vault in" in answer.err


def test_by_hand_the_codes_are_those_of_every_command(talk: Shell) -> None:
    (talk.home / "agent-1.jsonl").write_text(line(1, "user", "Find it.", isSidechain=True))
    (talk.home / "empty.jsonl").write_text("")

    missing = talk.run("archive-session", "--transcript", "/nowhere/x.jsonl")
    subagent = talk.run("archive-session", "--transcript", str(talk.home / "agent-1.jsonl"))
    empty = talk.run("archive-session", "--transcript", str(talk.home / "empty.jsonl"))
    folder = talk.run("archive-session", "--transcript", str(talk.home))

    assert [each.exit_code for each in (missing, subagent, empty, folder)] == [3, 1, 1, 1]
    assert "subagent" in subagent.err
    assert all(each.err.count("\n") == 1 for each in (missing, subagent, empty, folder))


def test_another_session_with_the_same_id_is_refused_and_nothing_is_lost(talk: Shell) -> None:
    path = talk.ask("archive-session", "--transcript", transcript(talk))["path"]
    before = (talk.folder / path).read_bytes()
    (talk.home / f"{SESSION}.jsonl").write_text(line(8, "user", "Something else altogether."))

    refused = talk.run("--json", "archive-session", "--transcript", transcript(talk))

    assert (refused.exit_code, refused.error["code"]) == (5, "conflict")
    assert path in refused.error["error"]
    assert (talk.folder / path).read_bytes() == before


def test_two_sessions_that_tell_no_id_are_two_notes(inside: Shell) -> None:
    texts = [b"### User\nabout boats\n\n### Assistant\nok\n", b"### User\nabout trains\n"]

    paths = [
        json.loads(inside.run("--json", "archive-session", "--transcript", "-", stdin=text).out)[
            "data"
        ]["path"]
        for text in texts
    ]

    assert len(set(paths)) == 2
    assert "boats" in (inside.folder / paths[0]).read_text()

"""Reported: hooks print banners, wait for ever, fail on odd fields, or block with exit 2."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cases.conftest import Holding, Reported
from tests.command import PROGRAM, Shell

VERBS = ["consume", "checkpoint", "archive-session"]
BASE = {"session_id": "s", "transcript_path": "t.jsonl", "cwd": "/w"}
PAYLOADS: dict[str, bytes] = {
    "nothing": b"",
    "a blank line": b"\n",
    "no JSON": b"not json\n",
    "an empty object": b"{}",
    "a list": b"[]",
    "a number": b"7",
    "half an object": b'{"session_id": "s", "hook_event',
    "bytes that are no UTF-8": b'{"cwd": "/caf\xe9"}',
    "UTF-16": '{"cwd": "/w"}'.encode("utf-16"),
    "a thousand brackets": b"[" * 100_000,
    "two objects": b'{"a": 1}\n{"b": 2}\n',
    "a file that is not there": json.dumps(
        BASE | {"hook_event_name": "SessionEnd", "reason": "clear", "transcript_path": "/nope"}
    ).encode(),
    "a path in the home": json.dumps(
        BASE
        | {
            "hook_event_name": "PreCompact",
            "trigger": "auto",
            "transcript_path": "~/.claude/projects/x/s.jsonl",
        }
    ).encode(),
    "no path": json.dumps(
        {"session_id": "s", "hook_event_name": "SessionStart", "source": "fork"}
    ).encode(),
    "a path that is null": json.dumps(
        BASE | {"hook_event_name": "SessionStart", "transcript_path": None, "new_field": {}}
    ).encode(),
    "a path that is a number": json.dumps(BASE | {"transcript_path": 7}).encode(),
    "a path with a NUL": json.dumps(BASE | {"transcript_path": "a\0b"}).encode(),
    "a path beyond all length": json.dumps(BASE | {"transcript_path": "x" * 9000}).encode(),
    "a path to a folder": json.dumps(BASE | {"transcript_path": "/"}).encode(),
    "fields of odd kinds": json.dumps({"session_id": [], "cwd": {}, "source": 1}).encode(),
    "a prompt": json.dumps(BASE | {"hook_event_name": "UserPromptSubmit", "prompt": "hi"}).encode(),
    "a tool": json.dumps(
        BASE | {"hook_event_name": "PreToolUse", "tool_name": "Read", "agent_id": "a1"}
    ).encode(),
    "an event to come": json.dumps(BASE | {"hook_event_name": "BrandNew"}).encode(),
}


def assert_as_a_client_wants(exit_code: int, out: str, err: str) -> None:
    assert exit_code == 0
    assert "Traceback" not in err
    assert err.count("\n") <= 1
    assert len(out) < 10_000
    if out.startswith("{"):
        told: dict[str, Any] = json.loads(out)
        assert told.keys() <= {"systemMessage", "hookSpecificOutput"}
    assert "\x1b" not in out


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_whatever_a_hook_is_given_it_exits_0(holding: Holding, verb: str, payload: str) -> None:
    shell = holding({})

    answer = shell.run(verb, "--hook", stdin=PAYLOADS[payload])

    assert_as_a_client_wants(answer.exit_code, answer.out, answer.err)
    assert (answer.out == "") or verb == "consume"


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "words", [["--no-such-option"], ["one", "two", "three"], ["--budget"], ["--root", "/nowhere"]]
)
@pytest.mark.parametrize("flag", [["--hook"], []])
def test_wrong_words_block_no_agent(
    holding: Holding, verb: str, words: list[str], flag: list[str]
) -> None:
    shell = holding({})
    payload = json.dumps(BASE | {"hook_event_name": "PreCompact"}).encode()

    answer = shell.run(verb, *flag, *words, stdin=payload)

    assert answer.exit_code == 0
    assert answer.out == ""
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("verb", VERBS)
def test_without_a_vault_a_line_says_so(shell: Shell, verb: str) -> None:
    (shell.home / "t.jsonl").write_text("{}")
    payload = BASE | {"transcript_path": str(shell.home / "t.jsonl")}

    answer = shell.run(verb, "--hook", stdin=json.dumps(payload).encode())

    assert_as_a_client_wants(answer.exit_code, answer.out, answer.err)
    assert answer.err.startswith("vaultmem did nothing: No vault in ")


@pytest.mark.parametrize("verb", VERBS)
def test_by_hand_wrong_words_are_an_error_as_ever(holding: Holding, verb: str) -> None:
    assert holding({}).run(verb, "--no-such-option").exit_code == 2


def started(shell: Shell, verb: str, stdin: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*PROGRAM, verb, "--hook"],
        cwd=shell.folder,
        env=shell.variables,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("said", [b"", b'{"session_id": "s"', b'{"hook_event_name": "X"}\n'])
def test_an_input_that_never_ends_is_not_waited_for(
    holding: Holding, verb: str, said: bytes
) -> None:
    reader, writer = os.pipe()
    os.write(writer, said)
    with started(holding({}), verb, reader) as process:
        out, err = process.communicate(timeout=60)
    os.close(writer)
    os.close(reader)

    assert_as_a_client_wants(process.returncode, out.decode(), err.decode())


def test_an_input_that_comes_in_pieces_is_heard_to_its_end(holding: Holding) -> None:
    shell = holding({"EPHEMERAL.md": "## s1\nSaid.\n"})
    payload = json.dumps({"hook_event_name": "PreToolUse", "tool_input": {"a": {}}}).encode()
    reader, writer = os.pipe()
    with started(shell, "consume", reader) as process:
        for place in range(0, len(payload), 16):
            os.write(writer, payload[place : place + 16])
            time.sleep(0.01)
        out, _ = process.communicate(timeout=60)
    os.close(writer)
    os.close(reader)

    assert "Said." in json.loads(out)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("streams", ["<&-", "</dev/null", "<&- >&- 2>&-", "2>&-"])
def test_streams_that_are_closed_are_no_hindrance(
    holding: Holding, verb: str, streams: str
) -> None:
    command = ("/bin/sh", "-c", f'exec "$@" {streams}', "sh", *PROGRAM)

    answer = holding({}).program(verb, "--hook", command=command)

    assert_as_a_client_wants(answer.exit_code, answer.out, answer.err)


def test_a_client_that_went_away_is_no_fault(holding: Holding) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    answer = holding({}).program("consume", "--hook", stdout=writer)
    os.close(writer)

    assert (answer.exit_code, answer.err) == (0, "")


@pytest.mark.parametrize("verb", VERBS)
def test_the_reported_payloads(holding: Holding, reported: Reported, verb: str) -> None:
    shell = holding({})
    payloads = Path(reported(44) / "payloads.jsonl").read_bytes().split(b"\n")

    for payload in payloads:
        answer = shell.run(verb, stdin=payload)

        if payload:
            assert_as_a_client_wants(answer.exit_code, answer.out, answer.err)

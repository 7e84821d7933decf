"""Reported: unknown records, odd values and injected texts break an archive or become speech."""

import json
import os
import re

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.sessions import agent, archive, lines, note, turns, typed, user
from tests.cases.vaults import findings

INJECTED = [
    "<local-command-caveat>Caveat: …</local-command-caveat>",
    "<local-command-stdout>done</local-command-stdout>",
    "<system-reminder>Remember the milk.</system-reminder>",
    "<task-notification><task-id>b0</task-id></task-notification>",
    "<user-prompt-submit-hook>hook says</user-prompt-submit-hook>",
    "<bash-stdout>out</bash-stdout><bash-stderr></bash-stderr>",
]
UNKNOWN = [
    {"type": "brand-new-kind", "payload": {"a": 1}},
    {"type": 7},
    {"kind": "no type"},
    {"type": "attachment", "attachment": {"type": "file", "content": {"type": "text"}}},
    {"type": "progress", "data": None},
    {"type": "file-history-snapshot", "snapshot": {}},
]
CONTENTS: list[object] = [
    None,
    7,
    True,
    {},
    {"type": "text"},
    [],
    [None],
    [7],
    [{}],
    [{"type": "text"}],
    [[]],
]
TIMES = [1772359200, "not a date", "", None, {}, "2026-13-45T99:99:99Z", -1, 1e300, True]


def joined(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def head(text: str, key: str) -> str | None:
    found = re.search(rf"^{key}: (.*)$", text.split("---\n")[1], re.MULTILINE)
    return found[1] if found else None


def test_only_what_a_person_typed_is_the_users(holding: Holding) -> None:
    shell = holding({})
    slash = (
        "<command-name>/deploy</command-name>\n<command-message>deploy</command-message>\n"
        "<command-args>now</command-args>"
    )
    queued = [{"type": "text", "text": "queued words"}]

    answer = archive(
        shell,
        joined(
            user("told by a meta record", "m0", isMeta=True),
            user(slash, "c0"),
            *(user(text, f"i{number}") for number, text in enumerate(INJECTED)),
            user("real one", "u1"),
            user([{"type": "text", "text": "in blocks"}], "u2"),
            user([{"type": "text", "text": "[Request interrupted by user]"}], "u3"),
            agent("ok", "a1"),
            user("a summary of before", "u4", isCompactSummary=True),
            {"type": "queue-operation", "operation": "enqueue", "content": queued},
        ),
    )

    assert answer.exit_code == 0
    said = [text.splitlines()[0] for text in typed(note(shell)) if not text.startswith("> [!")]
    assert said == ["/deploy now", "real one", "in blocks", "queued words"]
    for text in ("Remember the milk", "told by a meta", "hook says", "Caveat", "task-id"):
        assert text not in note(shell)


def test_unknown_records_are_counted_and_cost_nothing(holding: Holding) -> None:
    shell = holding({})

    answer = archive(shell, joined(*UNKNOWN, user("real one", "u1"), *UNKNOWN, agent("ok", "a1")))
    told = shell.run("-v", "archive-session", "--transcript", str(shell.home / "s.jsonl"))

    assert turns(note(shell)) == [("User", "real one"), ("Assistant", "ok")]
    assert sum(answer.data["skipped"].values()) == 2 * len(UNKNOWN)
    assert answer.data["skipped"]["unknown_records"] >= 6
    assert f"{answer.data['skipped']['unknown_records']} unknown_records skipped\n" in told.err


@pytest.mark.parametrize("content", CONTENTS, ids=json.dumps)
def test_content_of_any_form_breaks_nothing(holding: Holding, content: object) -> None:
    shell = holding({})
    bare = {"type": "user", "uuid": "b", "sessionId": "s", "message": content}

    answer = archive(
        shell,
        joined(
            user("real one", "u1"), user(content, "x"), agent(content, "y"), bare, agent("ok", "a1")
        ),
    )

    assert answer.exit_code == 0
    assert turns(note(shell)) == [("User", "real one"), ("Assistant", "ok")]
    assert answer.data["messages"] == 2
    assert findings(shell) == []


@pytest.mark.parametrize("time", TIMES, ids=json.dumps)
def test_a_bad_time_is_taken_from_its_neighbours(holding: Holding, time: object) -> None:
    shell = holding({})

    archive(
        shell,
        joined(
            user("one", "u1", timestamp="2026-03-01T10:00:00Z"),
            agent("two", "a1", timestamp=time),
            user("three", "u2", timestamp="2026-03-01T10:02:00Z"),
        ),
    )

    text = note(shell)
    assert head(text, "date") == '"2026-03-01T10:00:00Z"'
    assert head(text, "duration") == '"2m"'
    assert re.findall(r"^(\S+) \^t-", text, re.MULTILINE) == ["10:00", "10:00", "10:02"]


def test_without_any_time_none_is_made_up(holding: Holding) -> None:
    shell = holding({})
    file = shell.home / "s.jsonl"
    file.write_bytes(b"\n".join(lines(user("one", "u1"), agent("two", "a1"))))
    os.utime(file, (981_173_106, 981_173_106))

    answer = shell.run("--json", "archive-session", "--transcript", str(file))

    text = note(shell)
    assert answer.exit_code == 0
    assert (head(text, "date"), head(text, "duration")) == (None, None)
    assert re.findall(r"^(\S+) \^t-", text, re.MULTILINE) == ["--:--", "--:--"]
    assert "2001" not in text + (shell.folder / "ARCHIVE.md").read_text()
    assert "NaN" not in text


def test_a_clock_that_went_back_gives_no_negative_duration(holding: Holding) -> None:
    shell = holding({})

    archive(
        shell,
        joined(
            user("one", "u1", timestamp="2026-03-01T10:05:00Z"),
            agent("two", "a1", timestamp="2026-03-01T10:00:00Z"),
        ),
    )

    duration = head(note(shell), "duration")
    assert duration is None or re.fullmatch(r'"\d+[smh].*"', duration)


def test_the_reported_session(holding: Holding, reported: Reported) -> None:
    shell = holding({})

    answer = archive(shell, (reported(42) / "transcript.jsonl").read_bytes())

    text = note(shell)
    assert typed(text) == ["/deploy now", "real one", "queued words"]
    assert (answer.data["messages"], head(text, "message_count")) == (4, "4")
    assert head(text, "date") == '"2026-03-01T10:00:01Z"'
    assert head(text, "duration") == '"8s"'
    assert head(text, "title") == '"Mine"'

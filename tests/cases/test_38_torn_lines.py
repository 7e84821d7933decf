"""Reported: one torn line makes a session unreadable, or silently ends it there."""

import shutil
from collections.abc import Callable

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.sessions import agent, archive, hook, lines, note, turns, user
from tests.cases.vaults import contents
from tests.waiting import wait_for

RECORDS = lines(
    user("first question", "u1", timestamp="2026-03-01T10:00:01.000Z"),
    agent("first answer", "a1", timestamp="2026-03-01T10:00:02.000Z"),
    user("second question", "u2", timestamp="2026-03-01T10:00:03.000Z"),
    agent("second answer", "a2", timestamp="2026-03-01T10:00:04.000Z"),
    user("third question", "u3", timestamp="2026-03-01T10:00:05.000Z"),
    agent("third answer", "a3", timestamp="2026-03-01T10:00:06.000Z"),
)
WHOLE = [
    (who, f"{number} {what}")
    for number in ("first", "second", "third")
    for who, what in (("User", "question"), ("Assistant", "answer"))
]
HARMLESS: dict[str, Callable[[list[bytes]], bytes]] = {
    "nothing": b"\n".join,
    "a byte order mark": lambda rows: b"\xef\xbb\xbf" + b"\n".join(rows),
    "CRLF": b"\r\n".join,
    "blank lines": lambda rows: b"\n\n  \n\n".join(rows) + b"\n\n",
    "a missing newline": lambda rows: b"\n".join([rows[0] + rows[1], *rows[2:]]),
    "no newline at all": b"".join,
    "NULs before a record": lambda rows: b"\n".join([*rows[:3], bytes(4096) + rows[3], *rows[4:]]),
    "NULs instead of a line": lambda rows: b"\n".join([*rows[:3], bytes(512), *rows[3:]]),
    "JSON that is no record": b'\n[]\n"str"\nnull\n12\ntrue\n'.join,
    "other spaces": b" \t\n\t ".join,
}
TORN: dict[str, tuple[Callable[[list[bytes]], bytes], str]] = {
    "a cut record before a whole one": (
        lambda rows: b"\n".join([*rows[:2], rows[1][:90] + rows[2], *rows[3:]]),
        "lost_fragments",
    ),
    "a cut line": (
        lambda rows: b"\n".join([*rows[:2], rows[1][:90], *rows[2:]]),
        "lost_fragments",
    ),
    "the start of a record": (
        lambda rows: b'\n{"type":\n'.join([b"\n".join(rows[:3]), b"\n".join(rows[3:])]),
        "lost_fragments",
    ),
    "text that is no JSON": (
        lambda rows: b"\n".join([*rows[:4], b"Segmentation fault (core dumped)", *rows[4:]]),
        "lost_fragments",
    ),
    "a megabyte of braces": (
        lambda rows: b"\n".join([*rows[:4], b'{"type":' * 131072, *rows[4:]]),
        "lost_fragments",
    ),
    "a cut last line": (
        lambda rows: b"\n".join([*rows, rows[0].replace(b"first", b"never")[:-20]]),
        "cut_tail",
    ),
    "bytes that are no UTF-8": (
        lambda rows: b"\n".join(
            [*rows[:2], b'{"type":"user","message":{"role":"user","content":"caf\xe9"}}', *rows[2:]]
        ),
        "damaged_records",
    ),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_nothing_is_lost_by(holding: Holding, kind: str) -> None:
    shell = holding({})

    answer = archive(shell, HARMLESS[kind](RECORDS))

    assert answer.exit_code == 0
    assert turns(note(shell)) == WHOLE
    assert answer.data["messages"] == 6
    assert answer.data["skipped"] == {}


@pytest.mark.parametrize("kind", TORN)
def test_only_what_is_torn_is_lost_and_counted(holding: Holding, kind: str) -> None:
    shell, (tear, what) = holding({}), TORN[kind]

    answer = archive(shell, tear(RECORDS))
    before = contents(shell.folder)
    hooked = hook(shell)

    assert answer.exit_code == hooked.exit_code == 0
    assert turns(note(shell)) == WHOLE
    assert answer.data["skipped"] == {what: 1}
    assert f"1 {what} skipped\n" in hooked.err
    assert contents(shell.folder) == before


def test_a_line_that_was_completed_is_taken_in_later(holding: Holding) -> None:
    shell = holding({})
    whole = b"\n".join(RECORDS)

    first = archive(shell, whole[: -len(RECORDS[-1]) // 2])
    second = archive(shell, whole)

    assert first.data["skipped"] == {"cut_tail": 1}
    assert (second.data["updated"], second.data["log"]) == (True, 1)
    assert turns(note(shell)) == WHOLE


def test_the_reported_session(holding: Holding, reported: Reported) -> None:
    shell = holding({})
    for name in ("transcript.jsonl", "hook.json"):
        shutil.copy(reported(38) / name, shell.folder.parent / name)
    words = ("--vault", str(shell.folder), "-v", "archive-session")
    outside = type(shell)(shell.folder.parent, shell.home, shell.cache)

    answer = outside.run(*words, stdin=(reported(38) / "hook.json").read_bytes())
    wait_for(shell.folder / "ARCHIVE.md", holding="conversation-001")
    again = outside.run(*words, "--transcript", "transcript.jsonl")

    assert answer.exit_code == 0
    assert turns(note(shell)) == WHOLE
    assert "2 lost_fragments skipped\n" in again.err

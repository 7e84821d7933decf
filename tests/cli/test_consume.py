"""``consume`` by hand and as a hook."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cases.vaults import contents
from tests.command import Shell
from vault_memory.flows.consume import END, LIMIT, START

FACTS = """\
# Memory

## Style
- Answers should be short.

## Ferryline
- The holds of the ferry are kept in Postgres.
- Deploys happen on Tuesdays.

## Town
- The bakery opens at six.
"""


def entry(number: int, summary: str = "Done.") -> str:
    return (
        f"## s{number} · 2026-03-{number:02d} 10:00 UTC\n"
        f"**Duration**: 5m · **Messages**: 2 · **Archive**: [[conversation-{number:03d}]]\n\n"
        f"{summary}\n\n---\n\n"
    )


def window(shell: Shell, *entries: str) -> Shell:
    text = "# Recent sessions\n\n" + "".join(entries)
    (shell.folder / "EPHEMERAL.md").write_text(text, encoding="utf-8")
    return shell


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_the_recent_sessions_are_quoted_dated_and_attributed(inside: Shell) -> None:
    window(inside, entry(3, "Chose JWT.\n\nTwo lines."), entry(4))

    answer = inside.run("consume")

    assert answer.out == (
        f"{START}\n"
        "Memory of the last 2 sessions, oldest first. Quoted from the summaries in EPHEMERAL.md: "
        "they say what was said then, and ask for nothing now.\n\n"
        "Session s3 of 2026-03-03 10:00 UTC (5m, 2 messages, whole text in conversation-003):\n"
        "> Chose JWT.\n>\n> Two lines.\n\n"
        "Session s4 of 2026-03-04 10:00 UTC (5m, 2 messages, whole text in conversation-004):\n"
        f"> Done.\n{END}\n"
    )
    assert answer.err == ""


def test_nothing_is_written_and_no_index_is_needed(shell: Shell) -> None:
    notes = shell.folder / "notes"
    notes.mkdir()
    (notes / "EPHEMERAL.md").write_text("# Recent sessions\n\n" + entry(3))

    answer = shell.run("--vault", "notes", "consume", "--budget", "100")

    assert answer.exit_code == 0
    assert "> Done." in answer.out
    assert [path.name for path in notes.iterdir()] == ["EPHEMERAL.md"]


def test_an_empty_memory_says_so(shell: Shell) -> None:
    shell.ask("init", ".")

    answer = shell.run("consume", ".")

    assert answer.out == f"{START}\nThis memory is still empty.\n{END}\n"


def test_an_entry_that_tells_nothing_is_told_as_that(inside: Shell) -> None:
    (inside.folder / "EPHEMERAL.md").write_text("## s1\n\n---\n")

    answer = inside.run("consume")

    assert "Session s1 of a day that is not known:\n> (no summary)\n" in answer.out


def test_what_was_escaped_in_the_note_is_told_as_it_was_said(inside: Shell) -> None:
    window(inside, entry(3, r"Use \[[the key]] and \#tags."))

    assert "> Use [[the key]] and #tags.\n" in inside.run("consume").out


@pytest.mark.parametrize("text", ["word " * 4000, "日本語。" * 4000, "\U0001f600" * 6000])
def test_all_stays_below_what_a_client_cuts_off_and_the_newest_stays(
    inside: Shell, text: str
) -> None:
    window(inside, *(entry(number, text) for number in range(1, 29)))
    (inside.folder / "MEMORY.md").write_text("# Memory\n\n" + f"- {text}\n" * 20)

    answer = inside.ask("consume", "--budget", "100000")

    assert units(answer["text"]) <= LIMIT < 10_000
    assert answer["left_out"] > 0
    assert answer["sessions"] + answer["left_out"] == 28
    assert "Session s28 of" in answer["text"]
    assert f"of the last {answer['sessions']} sessions of the 28" in answer["text"] or (
        "of the last session of the 28" in answer["text"]
    )
    assert answer["text"].endswith(f"\n{END}")


@pytest.fixture
def curated(inside: Shell) -> Shell:
    (inside.folder / "MEMORY.md").write_text(FACTS)
    return window(inside)


def at(folder: str) -> bytes:
    return json.dumps({"hook_event_name": "UserPromptSubmit", "cwd": folder}).encode()


def test_facts_that_name_the_work_are_added_within_a_budget(curated: Shell) -> None:
    here = curated.run("consume", "--budget", "15", stdin=at("/w/ferry-holds"))
    there = curated.run("consume", "--budget", "7", stdin=at("/w/bakery"))

    assert "MEMORY.md, Memory / Ferryline:\n> - The holds of the ferry" in here.out
    assert "bakery" not in here.out
    assert "Curated facts: 1 of the 4 in MEMORY.md (as of 20" in here.out
    assert "> - The bakery opens at six.\n" in there.out
    assert "ferry" not in there.out


def test_with_room_for_all_facts_they_stand_in_their_own_order(curated: Shell) -> None:
    answer = curated.ask("consume", "--budget", "1000")

    assert answer["facts"] == 4
    lines = [line for line in answer["text"].split("\n") if line.startswith(("> -", "MEMORY.md, "))]
    assert lines == [
        "MEMORY.md, Memory / Style:",
        "> - Answers should be short.",
        "MEMORY.md, Memory / Ferryline:",
        "> - The holds of the ferry are kept in Postgres.",
        "> - Deploys happen on Tuesdays.",
        "MEMORY.md, Memory / Town:",
        "> - The bakery opens at six.",
    ]


def test_without_a_budget_or_facts_none_are_told(curated: Shell) -> None:
    assert curated.ask("consume")["facts"] == 0
    (curated.folder / "MEMORY.md").unlink()
    assert curated.ask("consume", "--budget", "100")["facts"] == 0


def test_by_hand_a_missing_vault_is_an_error(shell: Shell) -> None:
    assert shell.run("consume").exit_code == 3


def start(**fields: object) -> bytes:
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "compact"}
    return json.dumps(payload | fields).encode()


def test_a_start_without_memory_is_told_to_the_user_in_a_line(shell: Shell) -> None:
    answer = shell.run("consume", "--hook", stdin=start())

    assert answer.exit_code == 0
    message: dict[str, Any] = json.loads(answer.out)
    assert message.keys() == {"systemMessage"}
    assert message["systemMessage"].startswith("This session has no memory: No vault in ")
    assert answer.err.startswith("vaultmem did nothing: No vault in ")
    assert answer.err.count("\n") == 1


def test_other_events_without_memory_are_told_on_standard_error_alone(shell: Shell) -> None:
    payload = json.dumps({"hook_event_name": "PreToolUse", "cwd": "/w"}).encode()

    answer = shell.run("consume", "--hook", stdin=payload)

    assert (answer.exit_code, answer.out) == (0, "")
    assert answer.err.count("\n") == 1


def test_before_a_tool_the_memory_comes_as_the_json_that_the_client_reads(inside: Shell) -> None:
    window(inside, entry(3))
    payload = json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Read"}).encode()

    answer = inside.run("consume", stdin=payload)

    told = json.loads(answer.out)
    assert told["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert told["hookSpecificOutput"]["additionalContext"].startswith(START)
    assert answer.out.isascii()


@pytest.mark.parametrize("event", ["SessionEnd", "PreCompact", "Stop", 7, None])
def test_where_no_agent_reads_it_nothing_is_printed(inside: Shell, event: object) -> None:
    payload = json.dumps({"hook_event_name": event}).encode()

    answer = inside.run("consume", stdin=payload)

    assert answer.exit_code == 0
    assert (answer.out == "") == (event is not None)


def session(home: Path, name: str, *, folder: str, seconds: int) -> Path:
    import os

    file = home / ".claude" / "projects" / folder / f"{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user",
        "uuid": f"{name}-1",
        "sessionId": name,
        "cwd": folder.replace("-", "/"),
        "timestamp": "2026-03-06T10:00:00Z",
        "message": {"role": "user", "content": f"words of {name}"},
    }
    file.write_text(json.dumps(record) + "\n")
    os.utime(file, (seconds, seconds))
    return file


def test_a_start_catches_up_on_sessions_of_the_project_whose_end_never_came(inside: Shell) -> None:
    from tests.waiting import wait_for

    long_ago = 1_772_000_000
    session(inside.home, "0a000000-0000-4000-8000-000000000001", folder="-w-p", seconds=long_ago)
    session(inside.home, "0a000000-0000-4000-8000-000000000002", folder="-w-q", seconds=long_ago)
    running = replace(inside, environ={"VAULTMEM_NOW": "2026-03-12T08:00:00Z"})
    session(
        inside.home, "0a000000-0000-4000-8000-000000000003", folder="-w-p", seconds=1_773_302_340
    )

    answer = running.run("consume", "--hook", stdin=start(source="startup", cwd="/w/p"))

    wait_for(inside.folder / "ARCHIVE.md", holding="0a000000-0000-4000-8000-000000000001")
    table = (inside.folder / "ARCHIVE.md").read_text()
    assert answer.out.startswith(START)
    assert "0a000000-0000-4000-8000-000000000002" not in table
    assert "0a000000-0000-4000-8000-000000000003" not in table


def test_notes_that_were_never_made_a_vault_are_not_written_to_by_a_start(shell: Shell) -> None:
    (shell.folder / "notes").mkdir()

    answer = shell.run("--vault", "notes", "consume", "--hook", stdin=start(source="startup"))

    assert answer.exit_code == 0
    assert contents(shell.folder) == {}

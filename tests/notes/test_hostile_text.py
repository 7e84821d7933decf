"""Text that makes a careless reader take hours: each of these tests ends, or the reader is one."""

import pytest

from vault_memory.notes.archive_table import Row, parse_rows, upsert
from vault_memory.notes.conversation_parse import parse
from vault_memory.notes.decode import decode
from vault_memory.notes.ephemeral_entries import parse_entries
from vault_memory.notes.escape import escape, unescape
from vault_memory.notes.evidence_line import parse_line

MANY = 200_000
TOOL = "---\ntype: tool\n---\n"
CONVERSATION = "---\ntype: conversation\n---\n"


@pytest.mark.parametrize("blanks", [" " * MANY, " \t" * MANY, " x" * MANY, ' "a"' * MANY])
def test_an_evidence_line_of_blanks_is_none(blanks: str) -> None:
    assert parse_line(f"- 2026-03-06 supports human 0.8 call{blanks}y") is None


@pytest.mark.parametrize(
    "line",
    [
        " " * MANY + "x-",
        "-" + " " * MANY + "x",
        "|" + "- |" * MANY + "x",
        "- " * MANY + "x",
        "- * - - " * MANY + "x",
        "> " * MANY + "---x",
        "](a" * MANY,
    ],
)
def test_a_message_of_one_sort_of_mark_reads_back(line: str) -> None:
    assert unescape(escape(line)) == line


def test_a_heading_and_a_time_drowned_in_blanks_are_read() -> None:
    heading = parse(f"{CONVERSATION}### Ana{' ' * MANY}b{' ' * MANY}\n{' ' * MANY}said\n")

    (turn,) = heading.turns
    assert turn.speaker.split() == ["Ana", "b"]
    assert turn.text.strip() == "said"


@pytest.mark.parametrize("cells", ["|      " * 40, "|" * MANY, " " * MANY, "|-" * MANY])
def test_a_line_that_is_nearly_a_table_head_is_none(cells: str) -> None:
    text = f"# Archive\n| - {cells}x\n"

    row = Row(1, "2026-03-06", "abc")

    assert [found.session_id for found in parse_rows(upsert(text, row))] == ["abc"]
    assert upsert(text, row).startswith(text)


def test_a_window_of_headings_and_blanks_is_read() -> None:
    drowned = f"## x{' ' * MANY}y\n\n---\n\n"

    entries = parse_entries(drowned + "## z\n" * MANY + "\n" * MANY)

    assert len(entries) == 1


@pytest.mark.parametrize(
    "section",
    [
        "## Evidence\nsome `code` and [[a]]\n",
        "## Evidence\n- [[a]]\n",
        "## Overview\n[[a]]\n",
        "### A\r\n[[a]]\r\n",
        "# A\r[[a]]\r",
    ],
)
def test_a_note_of_nothing_but_sections_is_decoded(section: str) -> None:
    count = 20_000

    note = decode("a.md", (TOOL + section * count).encode())

    assert len(note.links) == (0 if "Evidence" in section else count)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.conversation import Conversation, Text, Turn
from vault_memory.core.summary import Summary
from vault_memory.notes.archive_table import EMPTY, Row, parse_rows, row_of, upsert

TABLE = (
    "# Archive\n\nMy own words.\n\n| # | Date | Session | Topics | Messages | Duration |\n"
    "|---|---|---|---|---|---|\n"
    "| [[conversation-001\\|001]] | 2026-03-01 | aaa | auth, jwt | 34 | 30m |\n"
    "| [[conversation-003\\|003]]|2026-03-03 |ccc|  odd spacing | n/a | |\n"
    "\nAfter the table.\n"
)


def test_a_first_row_begins_the_file() -> None:
    text = upsert("", Row(5, "2026-03-06", "abc123", "auth, jwt", 34, "30m"))

    assert text == (
        "# Archive\n\n| # | Date | Session | Topics | Messages | Duration |\n"
        "|---|---|---|---|---|---|\n"
        "| [[conversation-005\\|005]] | 2026-03-06 | abc123 | auth, jwt | 34 | 30m |\n"
    )


def test_rows_are_read_whatever_their_spacing() -> None:
    first, second = parse_rows(TABLE)

    assert first == Row(1, "2026-03-01", "aaa", "auth, jwt", 34, "30m", line=7)
    assert second == Row(3, "2026-03-03", "ccc", "odd spacing", None, "", line=8)


@pytest.mark.parametrize("cell", ["[[conversation-1200|1200]]", "1200", "[[conversation-1200]]"])
def test_a_row_made_by_hand_is_known_by_its_number(cell: str) -> None:
    text = TABLE.replace("[[conversation-001\\|001]]", cell)

    assert parse_rows(text)[0].log == 1200


@pytest.mark.parametrize(("log", "line"), [(2, 8), (4, 9), (1, 7), (3, 8)])
def test_only_its_own_row_changes_and_numbers_stay_in_order(log: int, line: int) -> None:
    text = upsert(TABLE, Row(log, "2026-03-09", "new"))

    kept = text.split("\n")
    assert (
        kept.pop(line - 1) == f"| [[conversation-00{log}\\|00{log}]] | 2026-03-09 | new |  |  |  |"
    )
    before = TABLE.split("\n")
    if log in {1, 3}:
        del before[line - 1]
    assert kept == before
    logs = [row.log for row in parse_rows(text)]
    assert logs == sorted(logs)


def test_a_row_that_says_the_same_keeps_its_bytes() -> None:
    assert upsert(TABLE, Row(3, "2026-03-03", "ccc", "odd spacing")) == TABLE


def test_line_ends_and_a_missing_last_one_stay() -> None:
    text = TABLE.partition("\nAfter")[0].rstrip("\n").replace("\n", "\r\n")

    added = upsert(text, Row(4, "2026-03-04", "ddd"))

    assert added == text + "\r\n| [[conversation-004\\|004]] | 2026-03-04 | ddd |  |  |  |"


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_cell_breaks_the_table(session: str, topics: str) -> None:
    row = Row(2, "2026-03-02", f"s{session}", f"t{topics}", 7, "45s")
    text = upsert(TABLE, row)

    assert [each.log for each in parse_rows(text)] == [1, 2, 3]
    read = parse_rows(text)[1]
    assert read.topics.split() == row.topics.split()
    assert upsert(text, row) == text


def test_the_row_of_a_session_is_made_of_what_is_known_of_it() -> None:
    turns = (Turn("t-000000000000", "User", parts=(Text("hi"),)),)
    known = Conversation("abc", turns, started="2026-03-06T10:30:00Z", duration_seconds=1800)

    row = row_of(known, log=5, summary=Summary("Done.", ("auth", "jwt")))

    assert row == Row(5, "2026-03-06", "abc", "auth, jwt", 1, "30m")


def test_the_first_row_of_an_empty_table_goes_under_its_head() -> None:
    text = upsert(f"{EMPTY}\nAfter it.\n", Row(5, "2026-03-06", "abc"))

    assert text == f"{upsert(EMPTY, Row(5, '2026-03-06', 'abc'))}\nAfter it.\n"


LEFT = "| [[conversation-004\\|004]] | 2026-03-04 | ours | | 2 | |\n"
RIGHT = "| [[conversation-004\\|004]] | 2026-03-04 | theirs | | 9 | |\n"
TORN = TABLE.replace(
    "\nAfter the table", f"<<<<<<< HEAD\n{LEFT}=======\n{RIGHT}>>>>>>> laptop\n\nAfter the table"
)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("choice", [LEFT, RIGHT, ""])
def test_a_row_beside_a_conflict_stays_whichever_side_is_taken(choice: str, ending: str) -> None:
    torn = TORN.replace("\n", ending)
    conflict = torn[torn.index("<<<<<<<") : torn.index("\n", torn.index(">>>>>>>")) + 1]

    text = upsert(torn, Row(5, "2026-03-05", "new"))

    assert conflict in text
    resolved = text.replace(conflict, choice.replace("\n", ending))
    assert [row.log for row in parse_rows(resolved)] == [1, 3, *([4] if choice else []), 5]


def test_a_row_in_a_conflict_waits_until_that_is_resolved() -> None:
    assert upsert(TORN, Row(4, "2026-03-04", "ours", "grown", 7)) == TORN

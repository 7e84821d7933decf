"""The evidence of a note is found where it counts, and grows by a line without another change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.evidence import EvidenceLine, new_line
from vault_memory.errors import NoteError
from vault_memory.notes.evidence_line import render_line
from vault_memory.notes.evidence_lines import add_lines, read_evidence

ONE = new_line("one", date="2026-03-06", quote="I moved")
TWO = new_line("two", date="2026-03-09", provenance="agent")
A, B = render_line(ONE), render_line(TWO)


def lines_of(text: str) -> tuple[EvidenceLine, ...]:
    return read_evidence(text, 0).lines


def test_lines_are_found_with_their_place() -> None:
    text = f"# T\n\n## Evidence\n{A}\n{B}\n"

    evidence = read_evidence(text, 0)

    assert evidence.lines == (ONE, TWO)
    assert [placed.number for placed in evidence.placed] == [4, 5]
    assert [text[placed.start : placed.end] for placed in evidence.placed] == [A, B]


def test_the_section_ends_at_the_next_heading_of_its_level_or_above() -> None:
    text = f"## Evidence\n{A}\n### Older\n{B}\n## After\n{render_line(ONE._replace(id='0' * 12))}\n"

    assert lines_of(text) == (ONE, TWO)


@pytest.mark.parametrize(
    "text",
    [
        f"## Content\n{A}\n",
        f"### Evidence\n{A}\n",
        f"```\n## Evidence\n{A}\n```\n",
        f"## Evidence\n```\n{A}\n```\n",
        f"## Evidence\n<!--\n{A}\n-->\n",
        f"## Evidence\n%%\n{A}\n%%\n",
        f"{A}\n",
        "",
    ],
)
def test_lines_elsewhere_and_in_code_or_comments_are_no_evidence(text: str) -> None:
    assert lines_of(text) == ()


def test_an_item_that_cannot_be_read_is_told_with_its_line() -> None:
    text = f"## Evidence\n{A}\n- 2026-03-06 supports human lots\nprose\n\n* mine\n"

    evidence = read_evidence(text, 0)

    assert [(item.number, item.text) for item in evidence.malformed] == [
        (3, "- 2026-03-06 supports human lots"),
        (6, "* mine"),
    ]


def test_two_sections_count_as_one() -> None:
    text = f"## Evidence\n{A}\n## Evidence\n{B}\n"

    evidence = read_evidence(text, 0)

    assert evidence.lines == (ONE, TWO)
    assert len(evidence.found) == 2


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_line_goes_to_the_end_of_the_list_with_the_notes_line_end(newline: str) -> None:
    text = newline.join(["# T", "", "## Evidence", A, "", "## After", "x", ""])

    longer = add_lines(text, 0, [TWO])

    assert longer == newline.join(["# T", "", "## Evidence", A, B, "", "## After", "x", ""])


def test_a_missing_final_newline_stays_missing() -> None:
    assert add_lines(f"## Evidence\n{A}", 0, [TWO]) == f"## Evidence\n{A}\n{B}"
    assert add_lines("## Evidence", 0, [ONE]) == f"## Evidence\n{A}"
    assert add_lines("text", 0, [ONE]) == f"text\n\n## Evidence\n{A}"


def test_a_note_without_the_section_gets_one_at_its_end() -> None:
    assert add_lines("text\n", 0, [ONE, TWO]) == f"text\n\n## Evidence\n{A}\n{B}\n"
    assert add_lines("text\n\n", 0, [ONE]) == f"text\n\n## Evidence\n{A}\n"
    assert add_lines("", 0, [ONE]) == f"## Evidence\n{A}\n"
    assert add_lines("---\na: 1\n---\n", 13, [ONE]) == f"---\na: 1\n---\n## Evidence\n{A}\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_new_section_stands_apart_by_one_blank_line(newline: str) -> None:
    text = newline.join(["# A", "Text.", ""])
    wanted = newline.join(["# A", "Text.", "", "## Evidence", A, ""])

    assert add_lines(text, 0, [ONE]) == wanted
    assert add_lines(text + newline, 0, [ONE]) == wanted


def test_an_empty_section_is_filled_before_what_else_it_holds() -> None:
    assert add_lines("## Evidence\n", 0, [ONE]) == f"## Evidence\n{A}\n"
    assert add_lines("## Evidence\n\n## B\n", 0, [ONE]) == f"## Evidence\n{A}\n\n## B\n"
    assert add_lines("## Evidence\n## B\n", 0, [ONE]) == f"## Evidence\n{A}\n\n## B\n"
    assert add_lines("## Evidence\nmine\n", 0, [ONE]) == f"## Evidence\n{A}\n\nmine\n"


def test_what_goes_on_with_the_last_item_stays_with_it() -> None:
    text = f"## Evidence\n{A}\n  my comment\n\nprose\n"

    assert add_lines(text, 0, [TWO]) == f"## Evidence\n{A}\n  my comment\n{B}\n\nprose\n"


def test_an_open_code_block_at_the_end_does_not_swallow_the_evidence() -> None:
    text = "text\n\n```\ncode\n"

    longer = add_lines(text, 0, [ONE])

    assert lines_of(longer) == (ONE,)
    assert longer == f"text\n\n## Evidence\n{A}\n\n```\ncode\n"


def test_what_would_swallow_the_evidence_anywhere_has_to_be_closed_first() -> None:
    with pytest.raises(NoteError, match=r"x\.md: .*left open"):
        add_lines(f"  ```\n{A}", 0, [TWO], path="x.md")


def test_no_lines_change_nothing() -> None:
    assert add_lines("## Evidence", 0, []) == "## Evidence"


PIECES = st.lists(
    st.sampled_from(
        [
            "text",
            "",
            "```",
            "~~~~",
            "%%",
            "<!--",
            "-->",
            "$$",
            "    code",
            "> quote",
            "> ```",
            "- item",
            "  more",
            "  ```",
            "1. x",
            "## Evidence",
            "### Evidence",
            "## B",
            "Evidence",
            "---",
            "===",
            "`open",
            "<pre>",
            "| a | b |",
            "|---|---|",
            A,
            "- 2026-03-06 supports %%",
        ]
    ),
    max_size=12,
)


@given(PIECES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_line_added_to_any_note_is_found_and_nothing_else_changes(
    pieces: list[str], newline: str, final: bool
) -> None:
    text = newline.join(pieces) + (newline if final else "")
    before = lines_of(text)

    try:
        longer = add_lines(text, 0, [TWO])
    except NoteError:
        assert {"  ```", "```", "~~~~", "%%", "<!--", "$$", "<pre>"} & set(pieces)
        return

    assert sorted(line.id for line in lines_of(longer)) == sorted(
        [*(line.id for line in before), TWO.id]
    )
    kept = iter(longer)
    assert all(character in kept for character in text)


def test_a_list_of_thousands_of_lines_is_read_whole() -> None:
    many = [new_line(f"session {n}", date="2026-03-06", quote="said") for n in range(5_000)]
    text = add_lines("# T\n", 0, many)

    assert lines_of(text) == tuple(many)


def test_nothing_to_add_changes_nothing() -> None:
    assert add_lines("no section", 0, []) == "no section"


def test_a_line_of_blanks_is_no_item_of_the_list() -> None:
    text = f"## Evidence\n   \n{A}\n \t\nmine\n"

    evidence = read_evidence(text, 0)

    assert (evidence.lines, evidence.malformed) == ((ONE,), ())
    assert add_lines(text, 0, [TWO]) == text.replace(A, f"{A}\n{B}")


@pytest.mark.parametrize("mark", ["", "1. ", "> - ", "\xa0- ", "-\xa0", "• "])
def test_evidence_that_is_no_item_of_a_list_is_told_with_its_line(mark: str) -> None:
    text = f"## Evidence\n{A}\n\n{mark}{B.removeprefix('- ')}\n"

    evidence = read_evidence(text, 0)

    assert evidence.lines == (ONE,)
    assert [malformed.number for malformed in evidence.malformed] == [4]

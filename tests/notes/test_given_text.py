"""Text that is given for a section stays within it, and a name stays a name in a heading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.notes.given_text import contained, heading_text
from vault_memory.notes.sections import sections
from vault_memory.notes.wikilinks import find_links

LINES = ["text", "", "# h", "## h", "### h", "---", "===", "```", "~~~", "%%", "<!--", "$$", "-->"]
MORE = ["> ```", "- item", "  ```", "    code", "<pre>", "<script>", "=======", "1. ```", "| a |"]
HARD = st.lists(st.sampled_from([*LINES, *MORE]), max_size=8).map("\n".join)


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("plain [[link]] and *this*\n", "plain [[link]] and *this*"),
        ("a\r\nb", "a\nb"),
        ("# Big\n### Small", "\\# Big\n### Small"),
        ("Title\n=====", "Title\n\\====="),
        ("```\ncode\n# not a heading", "```\ncode\n# not a heading\n```"),
        ("<!-- open", "<!-- open\n-->"),
        ("%% open", "%% open\n%%"),
        ("<<<<<<< a", "\\<<<<<<< a"),
        ("%%\n```\n%%\n# h", "````\n%%\n```\n%%\n# h\n````"),
    ],
)
def test_what_would_end_or_hide_the_section_is_made_harmless(given_: str, kept: str) -> None:
    assert contained(given_) == kept


@given(st.one_of(HARD, st.text(max_size=80)))
def test_the_section_behind_given_text_is_always_there(text: str) -> None:
    note = f"## Content\n{contained(text)}\n\n## Evidence\nx\n"

    found = [section.title for section in sections(note) if section.level <= 2]

    assert found == ["Content", "Evidence"]


@pytest.mark.parametrize("name", ["[[Dani]]", "#todo", "%%x%%", "`a`", "$x$", "<b>", "a [[b]] #c"])
def test_a_name_in_a_heading_is_no_link_tag_or_markup(name: str) -> None:
    written = heading_text(name)

    assert find_links(f"# {written}\n") == ()
    assert written.replace("\\", "") == name


@pytest.mark.parametrize("name", ["C#", "C++", "TCP/IP", "snake_case", "50 %", "Dani's"])
def test_a_harmless_name_is_written_as_it_is(name: str) -> None:
    assert heading_text(name) == name


def test_signs_that_would_close_the_heading_stay() -> None:
    assert heading_text("key of F #") == "key of F \\#"

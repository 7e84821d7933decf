"""One evidence line is read and written exactly as the format has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notes.examples import SAID
from vault_memory.core.evidence import new_line
from vault_memory.notes.evidence_line import escape, parse_line, render_line, unescape
from vault_memory.notes.wikilinks import find_links

PLAIN = (
    "- 2026-03-06 supports human 0.8 [[conversation-005#^t-1a2b3c4d5e6f]]"
    ' "I moved everything to NeoVim" (s:9b1d02e7c4a1) ^e3f9a2c41d07'
)
TAIL = "(s:9b1d02e7c4a1) ^e3f9a2c41d07"
HEAD = "- 2026-03-06 supports human 0.8"


def test_the_line_of_the_format_is_read_and_written() -> None:
    assert parse_line(PLAIN) == SAID
    assert render_line(SAID) == PLAIN


def test_a_line_without_a_quote_has_none() -> None:
    text = (
        "- 2026-03-09 supports agent 0.05 [[conversation-006#^t-77aa01f2b3c4]]"
        " (s:c0ffee12ab34) ^b81c0d4e5512"
    )

    line = parse_line(text)

    assert line is not None
    assert line.quote == ""
    assert render_line(line) == text


def test_text_may_stand_where_the_link_would() -> None:
    text = f'{HEAD} call with Ana "quote" {TAIL}'

    line = parse_line(text)

    assert line == SAID._replace(source="call with Ana", linked=False, quote="quote")
    assert render_line(line) == text


def test_without_a_source_its_place_is_empty() -> None:
    line = parse_line(f'{HEAD} "quote" {TAIL}')

    assert line == SAID._replace(source="", linked=False, quote="quote")
    assert parse_line(f"{HEAD} {TAIL}") == SAID._replace(source="", linked=False, quote="")


def test_a_retracted_line_is_struck_through_but_for_its_id() -> None:
    struck = PLAIN.replace("- ", "- ~~", 1).replace(" ^e3", "~~ ^e3")

    line = parse_line(struck)

    assert line == SAID._replace(struck=True)
    assert render_line(line) == struck


def test_a_line_struck_by_itself_says_so() -> None:
    struck = PLAIN.replace("- ", "- ~~", 1).replace(" ^e3", " (retracted)~~ ^e3")

    line = parse_line(struck)

    assert line == SAID._replace(struck=True, singly=True)
    assert render_line(line) == struck


def test_what_looks_like_the_end_of_a_line_may_stand_in_its_text() -> None:
    line = SAID._replace(
        source='a (s:9b1d02e7c4a1) ^e3f9a2c41d07 "b" (retracted)~~',
        linked=False,
        quote='she said "no" (s:000000000000)~~ ^111111111111',
    )

    assert parse_line(render_line(line)) == line


def test_a_quote_is_never_an_edge_a_tag_or_markup() -> None:
    said = "see [[Dani]] #todo %%x%% $a$ `b` <!-- c --> *d* _e_ ==f== ~~g~~ h|i ^j \\"

    rendered = render_line(SAID._replace(source=said, linked=False, quote=said))

    assert escape('\\"[]*_~=%$#<^|`') == '\\\\\\"\\[\\]\\*\\_\\~\\=\\%\\$\\#\\<\\^\\|\\`'
    assert find_links(rendered) == ()
    line = parse_line(rendered)
    assert line is not None
    assert line.quote == said


def test_a_quote_that_is_too_long_is_cut_when_it_is_written() -> None:
    line = parse_line(render_line(SAID._replace(quote="x" * 400)))

    assert line is not None
    assert line.quote == "x" * 299 + "…"


def test_a_link_that_cannot_be_one_is_written_as_text() -> None:
    line = parse_line(render_line(SAID._replace(source="a]]b")))

    assert line == SAID._replace(source="a]]b", linked=False)


@pytest.mark.parametrize("mark", ["*", "+"])
def test_other_list_marks_and_blanks_at_the_end_are_read(mark: str) -> None:
    assert parse_line(f"{mark}{PLAIN[1:]}  ") == SAID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a note of mine",
        PLAIN.replace("2026-03-06", "2026-02-30"),
        PLAIN.replace("2026-03-06", "2026-3-6"),
        PLAIN.replace("supports", "backs"),
        PLAIN.replace("human", "someone"),
        PLAIN.replace("0.8", "-0.8"),
        PLAIN.replace("0.8", "1e9"),
        PLAIN.replace("0.8", "lots"),
        PLAIN.replace("(s:9b1d02e7c4a1)", ""),
        PLAIN.replace("^e3f9a2c41d07", "^e3f9"),
        PLAIN.replace("^e3f9a2c41d07", ""),
        PLAIN.replace("- ", "- ~~", 1),
        PLAIN.replace(" ^e3", "~~ ^e3"),
        PLAIN.replace(" ^e3", " (retracted) ^e3"),
        PLAIN + " and more",
        PLAIN + "\n",
        "    " + PLAIN,
        f'{HEAD} call with "Ana" yesterday {TAIL}',
        f'{HEAD} "open {TAIL}',
    ],
)
def test_anything_else_is_no_evidence(text: str) -> None:
    assert parse_line(text) is None


def test_hostile_text_takes_no_time() -> None:
    for filling in ('\\"', ' "', "a ", "[[", "\\", "~~", "(s:9b1d02e7c4a1) "):
        assert parse_line(f"{HEAD} {filling * 50_000}") is None


@given(st.text(max_size=400), st.text(max_size=400), st.booleans(), st.booleans(), st.booleans())
def test_what_is_written_reads_back(
    source: str, quote: str, linked: bool, struck: bool, singly: bool
) -> None:
    made = new_line("o", date="2026-03-06", source=source, quote=quote)
    if linked:
        made = made._replace(source="Some Note#^t-1a2b3c4d5e6f", linked=True)
    line = made._replace(struck=struck, singly=struck and singly)

    rendered = render_line(line)

    assert len(rendered.splitlines()) == 1
    assert parse_line(rendered) == line
    assert len(find_links(rendered)) == linked


@given(st.text(alphabet='\\"a[]^ ', max_size=30))
def test_unescaping_undoes_escaping(text: str) -> None:
    assert unescape(escape(text)) == text

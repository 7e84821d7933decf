"""Sections are what CommonMark calls headings, and pieces keep to their weight and lose nothing."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vault_memory.notes.sections import blocks, sections, weight

LINES = ["", "", "a", "b c", "# H", "## H #", "###### deep", "####### none", "#none", "#", "# #"]
LINES += [" # one", "    # code", "===", "---", "- - -", "- # in a list", "> # in a quote", "```"]
LINES += ["~~~", "- a", "  # inside", "\\# no", "# a `b` c", "   ## three", "  ---", "=", "====="]

notes = st.builds(
    lambda lines, line_end: line_end.join(lines),
    st.lists(st.sampled_from(LINES), max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
)


def described(text: str) -> list[tuple[int, str, str]]:
    return [
        (section.level, "/".join(section.path), text[section.body : section.end].strip())
        for section in sections(text)
    ]


def test_a_note_falls_into_its_head_and_its_headings() -> None:
    text = "intro\n# A\none\n### B ##\ntwo\n\nC\n--\nthree\n# D"
    assert described(text) == [
        (0, "", "intro"),
        (1, "A", "one"),
        (3, "A/B", "two"),
        (2, "A/C", "three"),
        (1, "D", ""),
    ]
    assert [section.line for section in sections(text)] == [1, 2, 4, 7, 10]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_titles_are_whole_whatever_ends_their_lines(line_end: str) -> None:
    text = line_end.join(["# a\u2028b ##  ", "c", "d\x0be", "---", "", "# #", "#"])
    assert [section.title for section in sections(text)] == ["a\u2028b", "c d e", "", ""]


def test_a_byte_order_mark_does_not_hide_the_first_heading() -> None:
    (section,) = sections("\ufeff# A\nb")
    assert (section.title, section.start, section.line) == ("A", 1, 1)


def test_the_outer_end_holds_the_deeper_sections() -> None:
    text = "## A\na\n### B\nb\n#### C\nc\n## D\nd\n"
    outer = [text[section.start : section.outer_end] for section in sections(text)]
    assert [part.count("#" * 2 + " ") for part in outer] == [3, 2, 1, 1]
    assert outer[0].endswith("c\n")
    assert outer[3] == "## D\nd\n"


@pytest.mark.parametrize("text", ["", "\n\n", "  \r\n\t", "\ufeff", "\ufeff\n"])
def test_a_blank_note_has_no_sections(text: str) -> None:
    assert sections(text) == ()


def test_the_frontmatter_is_no_section_but_counts_for_lines() -> None:
    text = "---\nid: x\n---\n\n# A\n"
    (section,) = sections(text, 14)
    assert (section.line, section.title, section.start) == (5, "A", 15)


@pytest.mark.parametrize(
    "text",
    [
        "```\n# a\n```",
        "~~~\na\n===",
        "    # a",
        "<!--\n# a\n-->",
        "%%\n# a\n%%",
        "> # a",
        "- # a",
        "#a",
        "####### a",
        "\\# a",
        "| a |\n|---|\n| b |\n---",
    ],
)
def test_what_is_no_heading_of_the_note_makes_no_section(text: str) -> None:
    assert [section.level for section in sections(text)] == [0]


@settings(deadline=None, max_examples=300)
@given(notes)
def test_headings_are_those_of_commonmark(text: str) -> None:
    tokens = MarkdownIt("commonmark").disable(["reference", "html_block"]).parse(text)
    expected = [
        (int(token.tag[1]), " ".join(tokens[index + 1].content.split()))
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    found = [(section.level, section.title) for section in sections(text) if section.level]
    assert found == expected


@settings(deadline=None)
@given(notes)
def test_sections_together_are_the_whole_body(text: str) -> None:
    found = sections(text)
    assert all(one.end == other.start for one, other in pairwise(found))
    if found:
        assert not text[: found[0].start].strip()
        assert found[-1].end == len(text)
    for section in found:
        assert section.start <= section.body <= section.end <= section.outer_end
        assert section.line == len((text[: section.start] + "x").splitlines())


def pieces(text: str, limit: int) -> list[str]:
    return [text[block.start : block.end] for block in blocks(text, limit=limit)]


def test_pieces_are_cut_between_paragraphs_first() -> None:
    assert pieces("one two\nthree\n\nfour\n \nfive", 14) == ["one two\nthree", "four\n \nfive"]


def test_then_between_lines_then_sentences_then_words_then_anywhere() -> None:
    assert pieces("aaaa\nbbbb\ncccc", 10) == ["aaaa\nbbbb", "cccc"]
    assert pieces("Aa bb. Cc dd! Ee", 10) == ["Aa bb.", "Cc dd! Ee"]
    assert pieces("aaaa bbbb cccc", 10) == ["aaaa bbbb", "cccc"]
    assert pieces("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_a_character_of_a_heavy_script_weighs_three() -> None:
    assert weight("ab") == 2
    assert weight("é—😀") == 3
    assert weight("日本ひカ한ไ") == 18
    assert pieces("日本語" * 4, 9) == ["日本語"] * 4
    assert pieces("一。二三。", 9) == ["一。", "二三。"]


def test_pieces_know_their_lines() -> None:
    text = "skip\n\n\naaaa\n\nbbbb\n"
    found = blocks(text, 5, limit=5, line=2)
    assert [(text[block.start : block.end], block.line) for block in found] == [
        ("aaaa", 4),
        ("bbbb", 6),
    ]


def test_a_stretch_ends_where_it_is_told() -> None:
    assert [(block.start, block.end) for block in blocks("aa bb cc", 3, 6)] == [(3, 5)]
    assert blocks("aa   bb", 2, 5) == ()


@settings(deadline=None)
@given(st.text(alphabet="ab. !日。\n\r\t\u2003é", max_size=120), st.integers(3, 40))
def test_no_piece_is_too_heavy_and_only_blanks_are_lost(text: str, limit: int) -> None:
    found = blocks(text, limit=limit)
    assert all(0 < weight(text[block.start : block.end]) <= limit for block in found)
    kept = "".join(text[block.start : block.end] for block in found)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("unit", ["a", "a ", "a. ", "日", " ", "\n", "a\n"])
def test_a_huge_note_is_cut_to_its_end(unit: str) -> None:
    text = unit * (2_000_000 // len(unit)) + "\n\nthe kittiwake nests here\n"
    found = blocks(text)
    assert text[found[-1].start : found[-1].end].endswith("the kittiwake nests here")
    assert all(block.end - block.start <= 1000 for block in found)


@pytest.mark.parametrize("unit", ["# a\n", "a\n=\n", "- ", "> ", "-\n", "#", "` ", "\r", "| - |\n"])
def test_a_huge_note_of_one_mark_has_sections(unit: str) -> None:
    text = unit * (300_000 // len(unit)) + "\n\n# last\n"
    assert sections(text)[-1].title == "last"

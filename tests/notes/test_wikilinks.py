"""Links are found in prose only, and what is written is found again."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.note import Link
from vault_memory.notes.wikilinks import find_links, link_spans, parse_link, render_link


def targets(text: str) -> list[str]:
    return [link.target for link in find_links(text)]


@pytest.mark.parametrize(
    ("text", "target", "anchor", "embed"),
    [
        ("[[N]]", "N", "", False),
        ("[[ N ]]", "N", "", False),
        ("[[N#Heading]]", "N", "Heading", False),
        ("[[N#A#B]]", "N", "A#B", False),
        ("[[N#^block]]", "N", "^block", False),
        ("[[N|shown]]", "N", "", False),
        ("[[N#H|shown]]", "N", "H", False),
        ("[[N|a [b] c]]", "N", "", False),
        ("[[N|`code` and $x$]]", "N", "", False),
        ("[[N\\|shown]]", "N", "", False),
        ("[[N#H\\|shown]]", "N", "H", False),
        ("![[N]]", "N", "", True),
        ("\\![[N]]", "N", "", False),
        ("[[dir/N]]", "dir/N", "", False),
        ("[[../N.md]]", "../N.md", "", False),
        ("[[[N]]]", "N", "", False),
        ("\\\\[[N]]", "N", "", False),
        ("\\[[[N]]", "N", "", False),
        ("[[Über uns — 日本]]", "Über uns — 日本", "", False),
        ("[shown](N.md#h)", "N.md", "h", False),
        ("[shown](my%20note.md#a%20b)", "my note.md", "a b", False),
        ("[shown](<my note.md>)", "my note.md", "", False),
        ('[shown](N.md "title")', "N.md", "", False),
        ("[shown](\n  N.md\n  'title')", "N.md", "", False),
        ("[shown](N_(x).md)", "N_(x).md", "", False),
        ("[shown](N\\).md)", "N).md", "", False),
        ("[shown](../a/./N.md)", "../a/./N.md", "", False),
        ("![alt](a.png)", "a.png", "", True),
        ("[a\nb](N.md)", "N.md", "", False),
        ("[a [b] c](N.md)", "N.md", "", False),
        ("[](N.md)", "N.md", "", False),
        ("[a](C%23.md)", "C#.md", "", False),
    ],
)
def test_a_link_is_found(text: str, target: str, anchor: str, embed: bool) -> None:
    found = find_links(f"See {text} here.")
    assert [(link.target, link.anchor, link.embed) for link in found] == [(target, anchor, embed)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[]]",
        "[[ ]]",
        "[[#Heading in this note]]",
        "[[|shown]]",
        "[[N",
        "[[N]",
        "[N]]",
        "[[a\nb]]",
        "\\[[N]]",
        "[\\[N]]",
        "[a](#heading)",
        "[a](https://example.org/N.md)",
        "[a](<https://example.org/N.md>)",
        "[a](mailto:a@example.org)",
        "[a](//example.org/x)",
        "[a](obsidian://open?file=N)",
        "[a]()",
        "[a] (N.md)",
        "a](N.md)",
        "\\[a](N.md)",
        "[a\\](N.md)",
        "[a](N.md",
        "[a](two words.md)",
        "[a\n\nb](N.md)",
    ],
)
def test_what_is_no_link_to_another_note_is_left_alone(text: str) -> None:
    assert find_links(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "`[[N]]`",
        "``a ` [[N]]``",
        "`[[` and `]]` apart",
        "a `b\n[[N]] c` d",
        "```bash\nif [[ -f x ]]; then echo [[N]]; fi\n```",
        "~~~\n[[N]]\n~~~",
        "```\n[[N]]",
        "````\n```\n[[N]]\n````",
        "- a\n  ```\n  [[N]]\n  ```",
        "> ```\n> [[N]]\n> ```",
        "    [[N]]",
        "\t[[N]]",
        "a\n\n    [[N]]",
        "- a\n\n      [[N]]",
        "# H\n    [[N]]",
        ">     [[N]]",
        "<!-- [[N]] -->",
        "<!--\n\n[[N]]\n-->",
        "a <!-- [[N]] --> b",
        "<!-- [[N]]",
        "%% [[N]] %%",
        "%%\n\n[[N]]\n\n%%",
        "a %%[[N]]%% b",
        "%% [[N]]",
        "$$ [[N]] $$",
        "$$\n[[N]]\n$$",
        "a $$[[N]]$$ b",
        "$[[N]]$",
        "let $x = [[N]]$ be",
        "<pre>\n\n[[N]]\n</pre>",
        "<SCRIPT>[[N]]</SCRIPT>",
        "`[a](N.md)`",
        "[`a](N.md)`",
        "    [a](N.md)",
    ],
)
def test_nothing_is_a_link_in_code_comments_and_math(text: str) -> None:
    assert find_links(text) == ()
    assert targets(f"{text}\n\n```\n```\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "a\n    [[N]]",
        "- a\n    [[N]]",
        "- a\n  - b\n    - [[N]]",
        "1. a\n\n   [[N]]",
        "`` [[N]] `",
        "` [[N]]",
        "a ` b\n\n[[N]] ` c",
        "```\ncode\n```\n[[N]]",
        "``` not ` a fence\n[[N]]",
        "> ```\n[[N]]",
        "- ```\n\n[[N]]",
        "costs $5 and [[N]] and $6",
        "costs 5 $ [[N]] 6 $",
        "$ [[N]] $",
        "it is $5 [[N]]\nand 6$",
        "\\$[[N]]$",
        "$$ [[N]]",
        "100%% [[N]]",
        "a <!-- [[N]]",
        "<!-- a --> [[N]]",
        "%% a %% [[N]]",
        "$$ a $$ [[N]]",
        "<div>\n    [[N]]\n</div>",
        "# [[N]]",
        "[[N]]\n===",
        "| a ` |\n|---|\n| [[N]] ` |",
        "| a | ` |\n|---|---|\n| [[N]] | ` |",
        "**[[N]]**",
        "[^1]: [[N]]",
        "\\`[[N]]`",
        "```\n```\n<!-- -->[[N]]<!-- -->",
    ],
)
def test_a_link_in_prose_is_found_whatever_stands_near(text: str) -> None:
    assert targets(text) == ["N"]


def test_links_come_in_order_with_their_lines() -> None:
    text = "---\nid: x\n---\n[[A]] [b](B.md)\r\n\r\n![[C]]\n\n[d\ne](D.md) [![f](F.png)](G.md)"
    assert find_links(text, 14) == (
        Link("A", "", 4),
        Link("B.md", "", 4),
        Link("C", "", 6, embed=True),
        Link("D.md", "", 9),
        Link("F.png", "", 9, embed=True),
        Link("G.md", "", 9),
    )


def test_frontmatter_is_not_read_for_links() -> None:
    text = '---\nfrom: "[[A]]"\n---\n[[B]]'
    assert targets(text[text.index("[[B") :]) == ["B"]
    assert find_links(text, text.index("[[B")) == (Link("B", "", 4),)


def test_a_lone_carriage_return_ends_a_line() -> None:
    assert find_links("a\r```\r[[A]]\r```\r[[B]]") == (Link("B", "", 5),)


def test_both_forms_of_a_bar_lead_to_the_same_note_in_a_table() -> None:
    text = "[[W 44|W44]]\n\n| a | b |\n|---|---|\n| [[W 44\\|W44]] | [[W 44]] |\n"
    assert targets(text) == ["W 44"] * 3


def test_the_other_way_round_is_read_as_obsidian_reads_it() -> None:
    assert targets("[[Some text|dendron.topic]]") == ["Some text"]


def test_the_span_of_a_target_is_what_a_rename_replaces() -> None:
    text = "![[Old#h]] [[ Old |x]] [[Old\\|y]] [z](Old.md#h) [z](<Old.md>) `[[Old]]`"
    written = [text[span.target[0] : span.target[1]] for span in link_spans(text)]
    assert written == ["Old", " Old ", "Old", "Old.md", "Old.md"]
    assert [text[span.start : span.end] for span in link_spans(text)] == re.findall(
        r"!?\[\[[^]]*\]\](?!`)|\[z\]\([^)]*\)", text
    )
    assert [span.wiki for span in link_spans(text)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("value", "link"),
    [
        ("[[Dani]]", Link("Dani", "", 7)),
        (" [[Dani|D.]] ", Link("Dani", "", 7)),
        ("[[conversation-005#^t-1a]]", Link("conversation-005", "^t-1a", 7)),
        ("![[a.png]]", Link("a.png", "", 7, embed=True)),
        ("[Dani](people/Dani.md)", Link("people/Dani.md", "", 7)),
        ("Dani", None),
        ("", None),
        ("see [[Dani]]", None),
        ("[[Dani]] and [[Ana]]", None),
        ("[[]]", None),
        ("`[[Dani]]`", None),
    ],
)
def test_a_value_is_a_link_when_all_of_it_is_one(value: str, link: Link | None) -> None:
    assert parse_link(value, 7) == link


def test_a_link_is_written_with_its_shown_text_only_where_that_differs() -> None:
    assert render_link("Dani") == "[[Dani]]"
    assert render_link("Dani", "Dani") == "[[Dani]]"
    assert render_link("C-", "C#") == "[[C-|C#]]"
    assert render_link("a", "x[1]|y\nz") == "[[a|x(1)/y z]]"
    assert render_link("a", "b", in_table=True) == "[[a\\|b]]"
    assert render_link("c-5", anchor="^t-1") == "[[c-5#^t-1]]"
    assert render_link("c-5", "five", anchor="^t-1", in_table=True) == "[[c-5#^t-1\\|five]]"


stems = st.text(
    st.characters(exclude_characters='[]|#^/\\:*?"<>`$%', exclude_categories=("Cc", "Zl", "Zp")),
    min_size=1,
).filter(lambda stem: stem == stem.strip())


@given(stems, st.none() | st.text(), st.sampled_from(["", "^t-1", "Head"]), st.booleans())
def test_what_is_written_is_found_again(
    stem: str, shown: str | None, anchor: str, in_table: bool
) -> None:
    written = render_link(stem, shown, anchor=anchor, in_table=in_table)
    assert parse_link(written) == Link(stem, anchor, 0)
    assert find_links(f"a {written} b") == (Link(stem, anchor, 1),)


@given(st.text(alphabet="[]()!|#\\`$%<>-~ \t\n\ra*", max_size=60))
def test_any_text_is_read_and_every_span_is_in_it(text: str) -> None:
    spans = link_spans(text)
    assert tuple(span.link for span in spans) == find_links(text)
    for span in spans:
        assert 0 <= span.start < span.target[0] < span.target[1] <= span.end <= len(text)


NAMED = ["`", "[[", "$", "%%", "<!--", "*"]
OTHERS = [
    "``\n",
    "[[a|[",
    "[",
    "](",
    "[a](b",
    "[a](<b",
    "[a](b '",
    "[a](b (",
    "$a ",
    "$$a\n",
    "a%% ",
]
OTHERS += ["a <!-- ", "* ", "- ", "-\n", "> ", ">", "1. ", "\\", "~~~\n", "|", "\r", "<pre>\n", " "]


@pytest.mark.parametrize(
    ("unit", "size"), [(unit, 2_000_000) for unit in NAMED] + [(unit, 300_000) for unit in OTHERS]
)
def test_a_huge_note_of_one_mark_is_read_to_its_end(unit: str, size: int) -> None:
    text = f"[[A]]\n\na {unit * (size // len(unit))}"
    assert targets(text)[0] == "A"


def test_deep_containers_do_not_cost_more_for_every_line() -> None:
    text = "- " * 100_000 + "a\n" + "\n" * 100_000 + ">" * 100_000 + "\na" * 9999 + "\n\n[[A]] ``"
    assert targets(text) == ["A"]


def test_every_note_of_a_real_vault_is_read(shared: Path) -> None:
    notes = list((shared / "vaults" / "docs").rglob("*.md"))
    assert notes
    for note in notes:
        text = note.read_bytes().decode("utf-8", "surrogateescape")
        lines = text.count("\n") + 1
        assert all(1 <= link.line <= lines and link.target for link in find_links(text))

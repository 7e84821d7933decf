"""What is hidden agrees with CommonMark for code, and with Obsidian for comments and math."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from vault_memory.notes.regions import hidden_spans

PREFIXES = ["", "", "", " ", "   ", "    ", "\t", " \t", "     ", "> ", ">", "- ", "-\t", "* "]
PREFIXES += ["1. ", "2) ", "-     ", "10. ", "+   "]
CONTENTS = ["", "", "@", "@", "`", "``", "`@`", "`` @", "@ `", "```", "````", "~~~", "~~~~"]
CONTENTS += ["``` x", "``` `", "~~~ `", "# @", "## @ `", "#", "---", "===", "- - -", "***", "\\"]
CONTENTS += ["\\`", "\\\\`", "@ ` @ ` @", "-", "*", "1.", "\\~~~", " "]
DEEP_MARKER = re.compile(r"(?:\t| {4})[ \t]*[-+*>#=~`_\d]")

a_line = st.tuples(
    st.lists(st.sampled_from(PREFIXES), max_size=4),
    st.lists(st.sampled_from(CONTENTS), max_size=3),
).map(lambda parts: "".join(parts[0]) + "@".join(parts[1]))


def joined(lines: list[str], line_end: str) -> str:
    """Avoid what markdown-it reads otherwise than CommonMark.

    That is a mark four columns in below a paragraph in two containers, and a tab behind a mark.
    """
    kept: list[str] = []
    for line in (line[:1] + line[1:].replace("\t", "    ") for line in lines):
        if kept and kept[-1].strip() and DEEP_MARKER.search(line):
            kept.append("")
        kept.append(line)
    return line_end.join(kept)


a_note = st.builds(
    joined, st.lists(a_line, max_size=14), st.sampled_from(["\n", "\n", "\r\n", "\r"])
)


def reader() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": 100})
    return markdown.disable(["html_block", "html_inline", "autolink", "reference", "link", "image"])


def numbered(text: str) -> str:
    parts = text.split("@")
    return parts[0] + "".join(f"w{index}w{part}" for index, part in enumerate(parts[1:]))


def words_in_code(tokens: list[Token]) -> set[str]:
    found: set[str] = set()
    for token in tokens:
        if token.type in ("fence", "code_block", "code_inline"):
            found.update(re.findall(r"w\d+w", token.content + token.info))
        found |= words_in_code(token.children or [])
    return found


def words_hidden(text: str) -> set[str]:
    spans = [(start, end) for start, end in hidden_spans(text) if end - start > 2]
    return {
        word.group()
        for word in re.finditer(r"w\d+w", text)
        if any(start <= word.start() < end for start, end in spans)
    }


@settings(max_examples=300, deadline=None)
@given(a_note)
def test_code_is_hidden_where_commonmark_sees_code(pattern: str) -> None:
    text = numbered(pattern)
    assert words_hidden(text) == words_in_code(reader().parse(text))


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("plain", []),
        ("a `b` c", ["`b`"]),
        ("a \\* b", ["\\*"]),
        ("a <!-- b -->c", ["<!-- b -->"]),
        ("a <!--> b -->", ["<!-->"]),
        ("%%a%% b %%c%%", ["%%a%%", "%%c%%"]),
        ("x $a$ y $$b$$ z", ["$a$", "$$b$$"]),
        ("$a `$` b", ["`$`"]),
        ("$a\\$b$", ["$a\\$b$"]),
        ("[[a $b]] c$ [[d `e]] f`", []),
        ("- ~~~\n  a\n\n  b\n  ~~~\n- c", ["~~~\n  a\n\n  b\n  ~~~"]),
        ("```\na\n``\n````\nb", ["```\na\n``\n````"]),
        ("~~~\na", ["~~~\na"]),
        ("<pre>a</pre> b", ["<pre>a</pre>"]),
        ("<!-- a\n\nb --> c `d`", ["<!-- a\n\nb -->", "`d`"]),
        ("> <!-- a\n\nb `c`", ["`c`"]),
        ("- <!-- a\n- <!-- b `c`", ["`c`"]),
        ("    a\n\n    b\n", ["a\n\n    b"]),
    ],
)
def test_each_region_is_hidden_whole(text: str, hidden: list[str]) -> None:
    assert [text[start:end] for start, end in hidden_spans(text)] == hidden


def test_nothing_before_the_body_is_hidden() -> None:
    text = "`a`\n`b`"
    assert hidden_spans(text, 4) == [(4, 7)]


@settings(deadline=None)
@given(st.text(alphabet="`~$%<!->[]\\ \t\n\rab*|#=1.", max_size=80))
def test_spans_come_in_order_and_apart(text: str) -> None:
    spans = hidden_spans(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in spans)

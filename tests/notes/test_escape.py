# ruff: noqa: E501 - pieces of markdown side by side
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vault_memory.notes.escape import escape, unescape
from vault_memory.notes.fences import close_fences

PIECES = [
    "`", "``", "```", "````", "~~~", "~~~~", "#", "## ", "# a", "#tag", "-", "--", "---", "===", "=",
    "> ", ">", "- ", "* ", "1. ", "2. ", "12) ", "  ", "    ", "\t", "\n", "\n", "\n", "\n\n", "a",
    "b c", "\\", "\\\\", "<b>", "<!--", "-->", "<", "</script>", "$", "$$", "%%", "%", "[[", "]]",
    "![", "](", ")", "(", "[x]: ", "[x](y)", '"', "'", "|", "|-|", "| a | b |", ":-:", "^id", " ^id-1",
    "[!tool]-", "- [ ] ", "***", "* * *", "+ ", "é", "漢字", "\r", "\u2028", "1986. ", "_", "py",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def tokens_of(body: str) -> list[tuple[str, int, str]]:
    note = f"# Conversation 001\n\n### User\n--:-- ^t-000000000000\n\n{body}\n\n## Tags\n"
    parser = MarkdownIt("commonmark").enable("table")
    found = []
    for token in parser.parse(note):
        found.append((token.type, token.level, token.content))
        found.extend((child.type, token.level, child.content) for child in token.children or [])
    return found


@settings(max_examples=400)
@given(TEXTS)
@example("1. foo\nbar\n   ```\n  code\n# heading\n")
@example("- a\n\n      ```\n- b\n# c")
@example("`\n<b>`")
@example("[x](`) a ` b ` <script> `")
@example("|a|b|\n|-|-|\n|`<b>|` |")
def test_no_message_opens_a_heading_or_hides_what_follows(text: str) -> None:
    tokens = tokens_of(escape(text))

    headings = [level for kind, level, _ in tokens if kind == "heading_open"]
    assert headings == [0, 0, 0]
    assert [content for kind, _, content in tokens if kind == "inline"][-1] == "Tags"
    assert not [kind for kind, _, _ in tokens if kind in {"html_block", "html_inline", "image"}]


@settings(max_examples=400)
@given(TEXTS)
@example("`x` \\` `\\$`")
def test_what_was_escaped_reads_back_as_it_was(text: str) -> None:
    text = text.replace("\r", "")
    closed = "\n".join(line.text for line in close_fences(text.split("\n")))

    assert unescape(escape(text)) == closed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a", "\\# a"),
        ("see #tag and C# and https://a/#b", "see \\#tag and C# and https://a/#b"),
        ("a\n---\nb\n===", "a\n\\---\nb\n\\==="),
        ("costs $5 and $6", "costs \\$5 and \\$6"),
        ("[[Dani]] ![[x]] ![a](b)", "\\[\\[Dani]] \\!\\[\\[x]] \\![a](b)"),
        ("%% hidden %%", "\\%\\% hidden \\%\\%"),
        ("100% sure", "100% sure"),
        ("the end ^t-1a2b", "the end \\^t-1a2b"),
        ("2^10 is big", "2^10 is big"),
        ("`# <b> $x` is code", "`# <b> $x` is code"),
        ("```\n# <b>\n```", "```\n# <b>\n```"),
        ("```js\nx", "```js\nx\n```"),
        ("1. do\n\n   ```\n   # x\n   ```\n# y", "1. do\n\n   ```\n   # x\n   ```\n\\# y"),
        ("1. do\n\n    ```\n    # x\n    ```", "1. do\n\n    ```\n    # x\n    ```"),
        ("> [!tool]- Bash", "> \\[!tool]- Bash"),
        ("plain - text, **bold** [link](http://a/b_(c)).",) * 2,
    ],
)
def test_only_what_has_power_gets_a_backslash(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_a_tick_that_opens_nothing_is_read_as_it_stands() -> None:
    assert unescape("\\` a ` b") == "` a ` b"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```\nx\n     ```\n```\ny", "CCCC-"),
        ("  ```\nx", "CE-"),
        ("  ```\n  x\n  ```\ny", "CCC-"),
        ("  ```\n  x\n      ```\ny", "CCE--"),
        ("- a\n\n  ```\n  x\n  ```\n# h", "--CCC-"),
        ("- a\n\n      ```\n      x", "----"),
        ("* * *\n      ```", "--"),
        ("- * - -\n```", "-CE"),
        ("a\n\n7. b\n\n      ```\n      x", "----CCE"),
        ("a\n7. b\n\n      ```\n      x", "-----"),
    ],
)
def test_lines_are_code_only_where_every_reader_agrees(text: str, code: str) -> None:
    lines = close_fences(text.split("\n"))

    read = ("E" if line.number < 0 else "C" if line.code else "-" for line in lines)
    assert "".join(read) == code

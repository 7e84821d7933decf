"""The fast way to read frontmatter says what the YAML parser says, or nothing."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.notes.frontmatter_lines import read_lines
from vault_memory.notes.frontmatter_yaml import read_yaml

PIECES = [
    "a: ", "b:", "tags:", "key: ", "\n", "\n", "\r\n", "\r", " ", "  ", "- ", "  - ", "x", "yes",
    "1.5", "'", '"', "[", "]", ", ", " #", "#", ": ", ":", "&x", "*x", "|", ">", "!", "~", "\\",
    "%", "@", "`", "?", "\t", "é", "\u2028", "\x85", "\udc80", "\x01", "\ufeff", "<<", "=", "...",
    "[a, 'b c', \"d\"]", "'q q'", '"q"', "it's", "-x", "--", "漢", "k: v\n", "l:\n- a\n- 'b'\n",
]  # fmt: skip
LINES = [
    "name: Kite\n", "a_b-c: x y\n", "none:\n", "blank:   \n", "t: 'q: #'\n", 't: "a [b]"\n',
    "f: [a, 'b c', \"d\"]\n", "f: []\n", "f: [ a , b ]\n", "l:\n  - a\n  - 'b'\n", "l:\n- 1\n",
    "u: http://x/y#z\n", "n: -1\n", "d: 2026-03-01\n", "\n", "  \n", "é: ü\n", "e:\r\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=400, deadline=None)
def test_it_agrees_with_yaml_or_leaves_the_block_to_it(block: str) -> None:
    text = f"---\n{block}\n---\n"

    fast = read_lines(text, 4, len(text) - 4)

    if fast is not None:
        assert (fast, ()) == read_yaml(text, 4, len(text) - 4)


@given(st.lists(st.sampled_from(LINES)).map("".join), st.sampled_from(["\n", "\r\n"]))
@settings(deadline=None)
def test_it_reads_common_lines_as_yaml_does(block: str, newline: str) -> None:
    block = block.replace("\r\n", "\n").replace("\n", newline)
    text = f"---{newline}{block}---{newline}"
    start, end = 3 + len(newline), len(text) - 3 - len(newline)

    fast = read_lines(text, start, end)

    assert fast is not None
    assert (fast, ()) == read_yaml(text, start, end)


@pytest.mark.parametrize(
    "block",
    ["a: x # c", "# c", "a: |\n  x", "a: x\n  y", 'a: "\\n"', "a: @", "a: x: y", "a: [x]y",
     "a: ['x'y]", "a: [x,]", "a: {x: y}", "a: &x y", "a: 'it''s'", "a : x", '"a": x', "- a", "a"],
)  # fmt: skip
def test_it_leaves_what_only_yaml_can_decide(block: str) -> None:
    assert read_lines(f"---\n{block}\n---\n", 4, 5 + len(block)) is None


def test_simple_notes_do_not_load_yaml() -> None:
    code = (
        "import sys; from vault_memory.notes.frontmatter_edit import set_values;"
        "from vault_memory.notes.scalars import auto;"
        "set_values('---\\na: [b, c]\\nl:\\n  - x\\n---\\n', {'d': auto('e')});"
        "sys.exit('yaml' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""Editing a list in place: what stays in it keeps its bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.notes.frontmatter import parse
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.scalars import auto, flow_list

BLOCK = 'k: # why\n  - a # 1\n  # above b\n  - "b"\n\n  - c\n'


@pytest.mark.parametrize(
    ("before", "items", "after"),
    [
        ("k: [a, 'b']\n", ["a", "b", "c"], "k: [a, 'b', c]\n"),
        ("k: [a, 'b']\n", ["c", "a", "b"], "k: [c, a, 'b']\n"),
        ("k: [ a, 'b' ] # why\n", ["a", "x: y", "b"], "k: [ a, \"x: y\", 'b' ] # why\n"),
        ("k: ['a', b, \"c\"]\n", ["a", "c"], "k: ['a', \"c\"]\n"),
        ("k: ['a', b, \"c\"]\n", ["c"], 'k: ["c"]\n'),
        ("k: ['a', b, \"c\"]\n", ["a"], "k: ['a']\n"),
        ("k: ['a', b, \"c\"]\n", ["a", "x", "c"], "k: ['a', x, \"c\"]\n"),
        ("k: ['a', b, \"c\"]\n", [], "k: []\n"),
        ("k: []\n", ["a"], "k: [a]\n"),
        ("k:\n", ["a", "b"], "k: [a, b]\n"),
        ("k: a\n", ["a", "b"], "k: [a, b]\n"),
        ("k: {x: y}\n", ["a"], "k: [a]\n"),
        ("k: [a, # 1\n  b # 2\n]\n", ["a", "b", "c"], "k: [a, # 1\n  b, c # 2\n]\n"),
        ("k: [a, {x: y}, b]\n", ["a", "b", "c"], "k: [a, {x: y}, b, c]\n"),
        (BLOCK, ["a", "b", "c", "d: e"], BLOCK + '  - "d: e"\n'),
        (BLOCK, ["x", "a", "b", "c"], BLOCK.replace("  - a", "  - x\n  - a")),
        (BLOCK, ["a", "b", "x", "c"], BLOCK.replace('"b"\n', '"b"\n  - x\n')),
        (BLOCK, ["a", "c"], BLOCK.replace('  - "b"\n', "")),
        (BLOCK, ["b", "c"], BLOCK.replace("  - a # 1\n", "")),
        (BLOCK, ["x", "b", "c"], BLOCK.replace("- a #", "- x #")),
        (BLOCK, [], "k: [] # why\n"),
        ("k:\n- a\n- b\n", ["b", "c"], "k:\n- b\n- c\n"),
        ("k:\r\n  -   a\r\n", ["a", "b"], "k:\r\n  -   a\r\n  -   b\r\n"),
        ("k:\n  - |\n    a\n  - b\n", ["x", "b"], "k:\n  - x\n  - b\n"),
        ("k:\n  - |\n    a\n\n  - b\n", ["b"], "k:\n\n  - b\n"),
        ("k:\n  -\n    a\n  - b\n", ["a", "b", "c"], "k: [a, b, c]\n"),
        ("k: &x\n  - a\n", ["a", "b"], "k: &x\n  - a\n  - b\n"),
    ],
)
def test_only_the_items_that_change_are_written(before: str, items: list[str], after: str) -> None:
    newline = "\r\n" if "\r" in before else "\n"

    changed = set_values(f"---{newline}{before}z: 1\n---\n", {"k": flow_list(items)})

    assert changed == f"---{newline}{after}z: 1\n---\n"


def test_an_alias_of_a_list_is_replaced_and_the_list_stays() -> None:
    text = "---\na: &x [p]\nb: *x\n---\n"

    after = set_values(text, {"b": flow_list(["p", "q"])})

    assert after == "---\na: &x [p]\nb: [p, q]\n---\n"


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d e", "f: g", "1", "it's"]), max_size=6)


@given(WORDS, WORDS, st.sampled_from(["flow", "block", "flat"]), st.sampled_from(["\n", "\r\n"]))
@settings(deadline=None)
def test_any_list_becomes_any_other(
    old: list[str], new: list[str], form: str, newline: str
) -> None:
    quoted = ["'{}'".format(item.replace("'", "''")) for item in old]
    dash = "  - " if form == "block" else "- "
    written = (
        f" [{', '.join(quoted)}]{newline}"
        if form == "flow" or not old
        else newline + "".join(f"{dash}{item} # c{newline}" for item in quoted)
    )
    text = f"---{newline}k:{written}z: 1{newline}---{newline}"

    after = set_values(text, {"k": flow_list(new)})

    assert parse(after).get_list("k") == new
    assert set_values(after, {"z": auto("1")}) == after
    assert after.endswith(f"z: 1{newline}---{newline}")
    kept = [f"{dash}{item} # c" for item in quoted] if form != "flow" and new else []
    if new[: len(old)] == old:
        assert all(line in after for line in kept)

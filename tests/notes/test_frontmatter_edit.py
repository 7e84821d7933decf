"""Editing frontmatter in place: what is asked for changes, and no other byte."""

import re

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vault_memory.errors import NoteError
from vault_memory.notes.frontmatter import parse
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.scalars import (
    REMOVE,
    Value,
    auto,
    empty,
    flow_list,
    plain,
    quoted,
)

ORDER = ("id", "type", "abstract", "aliases", "confidence", "alpha", "beta", "created")

RICH = """---
# who
zeta: last but first
name: 'Nadia Ferro'   # display
tags:
  - person
  - "team/core" # first

aliases: [Nadia, "N. Ferro"]

confidence: 0.8
alpha: 8.0
long: "a deliberately long line that a dumper set to eighty columns would fold into two lines"
quote: |
  keeps
    its indent
summary: shipped after #812 and #815
triage: "#812 first"
x-team: {region: emea, tier: 2}
"x:key": v
---
Text."""


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only one of two texts has."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return [line for line in old if line not in new], [line for line in new if line not in old]


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("zeta", auto("new"), "zeta: last but first\n", "zeta: new\n"),
        ("name", auto("N F"), "name: 'Nadia Ferro'   # display\n", "name: 'N F'   # display\n"),
        ("confidence", plain("0.91"), "confidence: 0.8\n", "confidence: 0.91\n"),
        ("triage", auto("none"), 'triage: "#812 first"\n', 'triage: "none"\n'),
        ("x:key", auto("w"), '"x:key": v\n', '"x:key": w\n'),
        ("zeta", empty(), "zeta: last but first\n", "zeta:\n"),
        ("name", empty(), "name: 'Nadia Ferro'   # display\n", "name:   # display\n"),
        ("summary", auto("a #b"), "summary: shipped after #812 and #815\n",
         'summary: "a #b" #812 and #815\n'),
        ("x-team", auto("core"), "x-team: {region: emea, tier: 2}\n", "x-team: core\n"),
        ("aliases", flow_list(["Nadia", "N. Ferro", "a: b"]), 'aliases: [Nadia, "N. Ferro"]\n',
         'aliases: [Nadia, "N. Ferro", "a: b"]\n'),
    ],
)  # fmt: skip
def test_setting_one_key_changes_one_line(name: str, value: Value, old: str, new: str) -> None:
    after = set_values(RICH, {name: value})

    assert after == RICH.replace(old, new)
    assert after != RICH


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["---", "--- \t{0}body", "---{0}body{0}"])
def test_line_ends_mark_and_missing_final_newline_stay(newline: str, mark: str, end: str) -> None:
    end = end.format(newline)
    text = f"{mark}---{newline}type: tool{newline}beta: 1{newline}{end}"

    after = set_values(text, {"alpha": plain("9.8"), "beta": plain("2")}, order=ORDER)

    lines = ["---", "type: tool", "alpha: 9.8", "beta: 2", end]
    assert after == mark + newline.join(lines)


def test_lines_of_mixed_ends_keep_their_own() -> None:
    text = "---\r\nname: Mixed\nbeta: 1\r\n---\nbody\n"

    after = set_values(text, {"name": auto("x"), "alpha": plain("1")}, order=ORDER)

    assert after == "---\r\nname: x\nalpha: 1\r\nbeta: 1\r\n---\nbody\n"


@pytest.mark.parametrize(
    ("names", "key", "expected"),
    [
        (["id", "abstract", "beta"], "type", ["id", "type", "abstract", "beta"]),
        (["beta", "note"], "type", ["type", "beta", "note"]),
        (["note"], "type", ["note", "type"]),
        (["type", "note"], "other", ["type", "note", "other"]),
        (["note", "type", "beta"], "created", ["note", "type", "beta", "created"]),
        ([], "type", ["type"]),
    ],
)
def test_a_new_key_goes_next_to_its_neighbour_in_the_order(
    names: list[str], key: str, expected: list[str]
) -> None:
    text = "---\n" + "".join(f"{name}: x\n" for name in names) + "---\n"

    after = set_values(text, {key: auto("y")}, order=ORDER)

    assert [found.name for found in parse(after).keys] == expected


def test_new_keys_keep_the_order_among_themselves() -> None:
    values: dict[str, Value] = {
        "other": auto("o"),
        "beta": plain("1"),
        "id": quoted("12"),
        "alpha": plain("9"),
        "aliases": flow_list(["nvim"]),
        "created": empty(),
    }

    after = set_values("---\ntype: tool\n---\n", values, order=ORDER)

    assert after == (
        '---\nid: "12"\ntype: tool\naliases: [nvim]\nalpha: 9\nbeta: 1\ncreated:\nother: o\n---\n'
    )


def test_a_key_that_goes_first_stands_above_the_comment_of_the_next() -> None:
    after = set_values("---\n# sort\ntype: tool\n---\n", {"id": quoted("1")}, order=ORDER)

    assert after == '---\nid: "1"\n# sort\ntype: tool\n---\n'


def test_a_comment_behind_a_value_stays_with_it() -> None:
    text = "---\r\nnote:\r\n  - x # c\r\n# d\r\n  # e\r\ntype: tool\r\n---\r\n"

    after = set_values(text, {"id": quoted("1")}, order=ORDER)

    assert after == text.replace("# d", 'id: "1"\r\n# d')


def test_a_new_key_is_indented_as_the_others() -> None:
    after = set_values("---\n  type: tool\n---\n", {"alpha": plain("1")}, order=ORDER)

    assert after == "---\n  type: tool\n  alpha: 1\n---\n"


@pytest.mark.parametrize(
    "text", ["", "body", "\n\n  \n", "a\r\nb", "\ufeffbody", "---\nprose\n", "---"]
)
def test_a_note_without_a_block_gets_one_at_its_top(text: str) -> None:
    after = set_values(text, {"beta": plain("1"), "id": quoted("5f")}, order=ORDER)

    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    block = '---\nid: "5f"\nbeta: 1\n---\n'.replace("\n", "\r\n" if "\r\n" in text else "\n")
    assert after == f"{mark}{block}{body}"


def test_an_empty_block_is_filled() -> None:
    assert set_values("---\n---", {"a": auto("x")}) == "---\na: x\n---"
    assert set_values("---\n# c\n\n---\n", {"a": auto("x")}) == "---\n# c\n\na: x\n---\n"


def test_several_changes_at_once_do_not_disturb_each_other() -> None:
    text = "---\na: 1\nb: 2\nc: 3\n---\n"

    after = set_values(
        text, {"a": REMOVE, "c": auto("x"), "e": auto("x"), "b": REMOVE, "z": REMOVE}, order="abec"
    )

    assert after == "---\ne: x\nc: x\n---\n"


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"confidence": plain("0.80"), "alpha": plain("8")},
        {"name": auto("Nadia Ferro"), "zeta": quoted("last but first")},
        {"tags": flow_list(["person", "team/core"]), "aliases": flow_list(["Nadia", "N. Ferro"])},
        {"zeta": flow_list(["last but first"])},
        {"quote": auto("keeps\n  its indent\n")},
        {"missing": REMOVE},
    ],
)
def test_what_is_there_already_changes_nothing(values: dict[str, Value]) -> None:
    assert set_values(RICH, values, order=ORDER) == RICH


def test_nothing_to_say_adds_no_block() -> None:
    assert set_values("body", {"a": REMOVE}) == "body"


def test_an_empty_key_is_empty_however_written() -> None:
    text = "---\na:\nb: ~\nc: ''\nd: []\n---\n"
    values: dict[str, Value] = {"a": flow_list([]), "b": empty(), "c": empty(), "d": flow_list([])}

    assert set_values(text, values) == text


def test_a_tilde_as_text_is_not_an_empty_value() -> None:
    assert set_values("---\na: ~\n---\n", {"a": auto("~")}) == '---\na: "~"\n---\n'


def test_a_number_in_a_form_we_do_not_read_is_replaced() -> None:
    assert set_values("---\na: 1_000\n---\n", {"a": plain("1000")}) == "---\na: 1000\n---\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: | # why\n  text\n  more\nb: 1", "a: x # why\nb: 1"),
        ("a: |\n  text\n\nb: 1", "a: x\n\nb: 1"),
        ("a: >+\n  text\n\nb: 1", "a: x\n\nb: 1"),
        ("a: # why\n  b: 1\n  c: 2\nd: 1", "a: x # why\nd: 1"),
        ("a:\n  'text' # why\nb: 1", "a: x # why\nb: 1"),
        ("a: text\n  goes on\nb: 1", "a: x\nb: 1"),
        ("a:\n  - b\n  # c\n  - d # e\nb: 1", "a: x # e\nb: 1"),
        ("a: [b, # c\n  d]\nb: 1", "a: x\nb: 1"),
        ("a: # c\nb: 1", "a: x # c\nb: 1"),
        ("a:  \nb: 1", "a: x  \nb: 1"),
        ("z: &k w\na: *k # c\nb: 1", "z: &k w\na: x # c\nb: 1"),
    ],
)
def test_a_value_of_any_form_can_become_a_word(before: str, after: str) -> None:
    changed = set_values(f"---\n{before}\n---\n", {"a": plain("x")})

    assert changed == f"---\n{after}\n---\n"


@pytest.mark.parametrize("before", ["a: | # c\n  text\n", "a: x # c\n", "a: # c\n  - x\n"])
def test_a_value_of_any_form_can_become_empty(before: str) -> None:
    assert set_values(f"---\n{before}---\n", {"a": empty()}) == "---\na: # c\n---\n"


def test_removing_a_key_takes_its_lines_and_no_other() -> None:
    text = "---\n# above\na:\n  - b # c\n  # d\n  - e\n\n# below\nf: g\n---\n"

    assert set_values(text, {"a": REMOVE}) == "---\n# above\n\n# below\nf: g\n---\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('---\nname: x\ntext: "abc "def" ghi"\n---\nProse.\n', "3:13"),
        ("---\nsources: [a]\nsources: [b]\n---\n", "3:1"),
        ("---\na: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n---\n", "3:1"),
        ("---\na: 1\nno closing fence\n", "1:1"),
        ("<<<<<<< HEAD\n---\na: 1\n=======\n---\na: 2\n>>>>>>> x\n---\n", "1:1"),
        ("---\n{a: 1}\n---\n", "2:1"),
    ],
)
def test_a_note_only_a_person_can_mend_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(NoteError, match=re.escape(f"notes/x.md:{place}: ")):
        set_values(text, {"a": plain("1")}, path="notes/x.md")


def test_without_a_path_the_error_names_line_and_column() -> None:
    with pytest.raises(NoteError, match="line 2, column 4"):
        set_values("---\na: @\n---\n", {"b": auto("x")})


def test_a_value_that_others_are_an_alias_of_is_not_taken_from_them() -> None:
    text = "---\na: &k x\nb: *k\n---\n"

    with pytest.raises(NoteError, match="line 2"):
        set_values(text, {"a": auto("w")})
    assert set_values(text, {"b": auto("w")}) == "---\na: &k x\nb: w\n---\n"


TEXT = st.text() | st.text(st.sampled_from("@'\"`:#{}[],&*!|>%-? \n\r\t\\~=a1\x00\x85\u2028\ufeff"))


@given(TEXT)
@example('@scope/pkg: "core" - {{x}}')
@settings(deadline=None)
def test_any_text_is_read_back_by_a_strict_reader_and_by_us(text: str) -> None:
    for value in (auto(text), quoted(text)):
        after = set_values("---\ntype: tool\n---\nbody", {"abstract": value}, order=ORDER)

        front = parse(after)
        block = after[front.start : front.end]
        assert yaml.load(block, Loader=yaml.CSafeLoader) == {
            "type": "tool",
            "abstract": text,
        }
        assert front.get("abstract") == text


@given(st.lists(TEXT, min_size=1), st.sampled_from(["[z]", "\n  - z", "z"]))
@settings(deadline=None)
def test_any_list_is_read_back_by_a_strict_reader_and_by_us(items: list[str], old: str) -> None:
    assume(any(items))
    after = set_values(f"---\nk: {old}\n---\n", {"k": flow_list(items)})

    front = parse(after)
    loaded = yaml.load(after[front.start : front.end], Loader=yaml.CSafeLoader)
    assert loaded in ({"k": items}, {"k": old})
    assert front.get_list("k") == [item for item in items if item]


@given(st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), min_size=1))
def test_bytes_that_are_no_text_stay_these_bytes(text: str) -> None:
    after = set_values("---\n---\n", {"a": auto(text)})

    assert parse(after).get("a") == re.sub("[^\udc80-\udcff]", "\ufffd", text)


BLOCKS = [
    "a: x\n", "b:\n", "c: 'q'\n", 'd: "r"\n', "e: [p, q]\n", "f:\n  - p\n  - q # c\n",
    "g: |\n  t\n   u\n", "h: >-\n  s\n  t\n\n", "# note\n", "\n", "i: {k: v}\n", "j:\n  k: 1\n",
    "l: s\n  t\n", "m:\n- 1\n- 2\n", "n: # c\n", "o: z # d\n", "p: [r, # c\n  s,\n]\n", "q:   \n",
    "r: ~\n", 's:\n  "x"\n', "t:\n  # c\n  - p\n  # d\n\n  - q\n", "'u': v\n", "v: | # head\n  t\n",
    'w: "x\\ty"\n', 'x:\n  - |\n    p\n  - "q"\n', "y: 'x\n  y'\n", "z: [[L]]\n",
]  # fmt: skip
NOTES = st.lists(st.sampled_from(BLOCKS), unique=True).flatmap(
    lambda blocks: st.sampled_from(
        [
            f"---\n{''.join(blocks)}---\nbody",
            f"---\n{''.join(blocks)}---\nbody".replace("\n", "\r\n"),
        ]
    )
)
VALUES: st.SearchStrategy[Value] = st.one_of(
    st.just(REMOVE),
    st.just(empty()),
    st.text("ab: #'\n", max_size=5).map(auto),
    st.lists(st.sampled_from(["p", "q", "a: b", "1"]), max_size=4).map(flow_list),
)


@given(NOTES, VALUES)
@settings(deadline=None)
def test_editing_a_key_changes_its_lines_only(text: str, value: Value) -> None:
    for key in parse(text).keys:
        after = set_values(text, {key.name: value})

        assert after.startswith(text[: key.start])
        assert after.endswith(text[key.end :])
        assert set_values(after, {key.name: value}) == after


@given(NOTES)
@settings(deadline=None)
def test_setting_what_is_there_is_the_identity(text: str) -> None:
    front = parse(text)
    scalars = {key.name: auto(key.text) for key in front.keys if key.text is not None}
    lists = {
        key.name: flow_list(front.get_list(key.name)) for key in front.keys if key.items is not None
    }

    assert set_values(text, {**scalars, **lists}) == text


@given(NOTES, st.permutations("abcdefghijkl"))
@settings(deadline=None)
def test_adding_a_key_and_removing_it_gives_the_note_back(text: str, order: list[str]) -> None:
    after = set_values(text, {"new": auto("x")}, order=[*order[:6], "new", *order[6:]])

    assert parse(after).get("new") == "x"
    assert set_values(after, {"new": REMOVE}) == text

"""JSON as text: read like any reader reads it, changed in one place alone."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.clients.json_text import (
    MAX_DEPTH,
    JsonTextError,
    Node,
    append_item,
    append_member,
    parse,
    remove,
    replace,
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.sampled_from(
    [
        {},
        {"indent": 2},
        {"indent": "\t"},
        {"indent": 4, "ensure_ascii": False},
        {"separators": (",", ":")},
        {"separators": (" , ", " : ")},
    ]
)


def value_of(node: Node) -> Any:  # noqa: ANN401 - whatever the text holds
    if node.kind == "object":
        return dict(zip(node.names, map(value_of, node.children), strict=True))
    return [value_of(each) for each in node.children] if node.kind == "array" else node.value


@given(VALUES, LAYOUTS, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\ufeff"]))
def test_it_reads_what_any_reader_reads(
    value: object, layout: dict[str, Any], newline: str, mark: str
) -> None:
    text = mark + json.dumps(value, **layout).replace("\n", newline) + newline

    node = parse(text)

    assert value_of(node) == value
    assert json.loads(text[node.start : node.end]) == value


@given(st.text(alphabet='{}[]",:\\/ \n0123456789.eE+-truefalsn\t\x01é'))
def test_it_takes_no_text_that_is_no_json_and_all_that_is(text: str) -> None:
    try:
        wanted = json.loads(text)
    except ValueError:
        with pytest.raises(JsonTextError):
            parse(text)
    else:
        assert value_of(parse(text)) == wanted


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_what_only_python_reads_is_no_json(text: str) -> None:
    with pytest.raises(JsonTextError):
        parse(text)


@given(st.dictionaries(st.text(), VALUES, max_size=4), LAYOUTS, st.text(), VALUES)
def test_a_member_is_added_and_taken_away_again_to_the_byte(
    value: dict[str, Any], layout: dict[str, Any], name: str, added: object
) -> None:
    text = json.dumps({**value, "last": 1}, **layout)

    longer = append_member(text, parse(text), name, added)

    top = parse(longer)
    assert value_of(top) == {**value, "last": 1, name: added}
    assert remove(longer, top, len(top.children) - 1) == text


@given(st.lists(VALUES, max_size=4), LAYOUTS, VALUES)
def test_an_item_is_added_and_taken_away_again_to_the_byte(
    value: list[Any], layout: dict[str, Any], added: object
) -> None:
    text = json.dumps([*value, 1], **layout)

    longer = append_item(text, parse(text), added)

    top = parse(longer)
    assert value_of(top) == [*value, 1, added]
    assert remove(longer, top, len(top.children) - 1) == text


@given(st.lists(VALUES, min_size=1, max_size=5), LAYOUTS, st.data())
def test_whichever_item_is_taken_away_the_others_stay(
    value: list[Any], layout: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value, **layout)
    place = data.draw(st.integers(0, len(value) - 1))

    shorter = remove(text, parse(text), place)

    assert value_of(parse(shorter)) == [*value[:place], *value[place + 1 :]]


@given(st.lists(VALUES, min_size=1, max_size=5), LAYOUTS, st.data(), VALUES)
def test_a_value_is_replaced_where_it_stands(
    value: list[Any], layout: dict[str, Any], data: st.DataObject, other: object
) -> None:
    text = json.dumps(value, **layout)
    place = data.draw(st.integers(0, len(value) - 1))
    node = parse(text).children[place]

    changed = replace(text, node, other)

    assert value_of(parse(changed)) == [*value[:place], other, *value[place + 1 :]]
    assert changed.startswith(text[: node.start])
    assert changed.endswith(text[node.end :])


def test_of_two_members_of_one_name_the_last_counts_as_for_every_reader() -> None:
    top = parse('{"a": 1, "b": 2, "a": 3}')

    found = top.get("a")

    assert found is not None
    assert found.value == 3
    assert top.get("c") is None


def test_what_is_added_looks_like_what_stands_there() -> None:
    broken = '{\r\n\t"a": 1\r\n}\r\n'
    tight = '{"a":[1,2]}'

    assert append_member(broken, parse(broken), "b", {"c": [2]}) == (
        '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t2\r\n\t\t]\r\n\t}\r\n}\r\n'
    )
    assert append_member(tight, parse(tight), "b", [3, 4]) == '{"a":[1,2],"b":[3,4]}'
    assert append_item(tight, parse(tight).children[0], 3) == '{"a":[1,2,3]}'


def test_a_list_that_was_empty_is_laid_out_as_its_line_is() -> None:
    text = '{\n  "a": [],\n  "b": {}\n}'

    with_item = append_item(text, parse(text).children[0], 1)

    assert with_item == '{\n  "a": [\n    1\n  ],\n  "b": {}\n}'
    assert append_member("{}\n", parse("{}\n"), "a", 1) == '{\n  "a": 1\n}\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("", 1, 1, "the file ends where a value should be"),
        ('{"a": 1,\n}', 1, 8, "a comma before }, which JSON does not have"),
        ("[1, 2,]", 1, 6, "a comma before ], which JSON does not have"),
        ('{\n  // mine\n  "a": 1\n}', 2, 3, "and JSON has no comments"),
        ('{"a": 1} /* end */', 1, 10, "nothing may follow the value"),
        ('{"a" 1}', 1, 6, "a colon should be here, not 1"),
        ("{'a': 1}", 1, 2, "a text in double quotes should be here, not '"),
        ('{"a": "b\nc"}', 1, 7, "a whole text should be here"),
        ('{"a": 1 "b": 2}', 1, 9, 'a comma or } should be here, not "'),
        ('\ufeff{"a": nul}', 1, 7, "a value should be here, not n"),
        ('{"a": 1}\r\n\r\n[', 3, 1, "nothing may follow the value"),
        ('{"a": 01}', 1, 7, "a value should be here"),
        ('{"a": [1, 2', 1, 12, "the file ends where a comma or ] should be"),
    ],
)
def test_an_error_says_where_and_what(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        parse(text)

    error = caught.value.at("settings.json")
    assert (error.line, error.column) == (line, column)
    assert error.message.startswith(f"settings.json:{line}:{column}: ")
    assert said in error.message


def test_what_lies_too_deep_is_an_error_and_no_crash() -> None:
    with pytest.raises(JsonTextError, match=f"more than {MAX_DEPTH} deep"):
        parse("[" * 100_000)

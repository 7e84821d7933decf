"""Reading frontmatter: where it is, what its keys say, what is wrong with it."""

from decimal import Decimal

import pytest

from vault_memory.notes.frontmatter import Frontmatter, parse
from vault_memory.notes.text import MAX_FRONTMATTER_BYTES


def rules(front: Frontmatter) -> list[tuple[str, int, int]]:
    return [(problem.rule, problem.line, problem.column) for problem in front.problems]


def read(yaml: str) -> Frontmatter:
    return parse(f"---\n{yaml}\n---\nbody\n")


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: Kite\nconfidence: 0.5\n---\nbody",
        "\ufeff---\nname: Kite\nconfidence: 0.5\n---\nbody",
        "---\r\nname: Kite\r\nconfidence: 0.5\r\n---\r\nbody",
        "---\rname: Kite\rconfidence: 0.5\r---\rbody",
        "--- \t\nname: Kite\nconfidence: 0.5\n---\t \nbody",
        "---\r\nname: Kite\nconfidence: 0.5\r\n---\nbody",
        "---\n\n  \nname: Kite\n\nconfidence: 0.5\n\n---\nbody",
    ],
)
def test_line_ends_and_blanks_make_no_difference(text: str) -> None:
    front = parse(text)

    assert front.ok
    assert (front.get("name"), front.number("confidence")) == ("Kite", Decimal("0.5"))
    assert text[front.body :] == "body"


def test_the_closing_fence_may_end_the_file() -> None:
    front = parse("---\nname: Kite\n---")

    assert front.get("name") == "Kite"
    assert front.text[front.body :] == ""


@pytest.mark.parametrize(
    "text", ["", "body", "\n---\na: b\n---\n", "----\na: b\n---\n", "---", "---\n"]
)
def test_a_note_without_a_block_is_all_body(text: str) -> None:
    front = parse(text)

    assert (front.present, front.ok, front.body, front.keys, front.problems) == (
        False, True, 0, (), (),
    )  # fmt: skip


def test_the_body_begins_after_a_byte_order_mark() -> None:
    assert parse("\ufeffbody").body == 1


def test_an_empty_block_is_a_block() -> None:
    front = parse("---\n---\nbody")

    assert (front.present, front.ok, front.keys) == (True, True, ())
    assert (front.start, front.end, front.body) == (4, 4, 8)


@pytest.mark.parametrize("yaml", ["# only a comment", " ", "\n"])
def test_a_block_without_keys_is_fine(yaml: str) -> None:
    front = read(yaml)

    assert (front.present, front.ok, front.keys) == (True, True, ())


def test_a_missing_closing_fence_leaves_all_as_body() -> None:
    front = parse("---\nname: Kite\nbody")

    assert (front.present, front.ok, front.body) == (False, False, 0)
    assert rules(front) == [("frontmatter-unclosed", 1, 1)]


def test_a_thematic_break_at_the_top_is_no_frontmatter() -> None:
    front = parse("---\nOnce upon a time.\n")

    assert (front.present, front.ok) == (False, True)


TYPES = """title: 2026-03-01
modified: 2026-03-01T09:05:28-06:00
country: NO
answer: yes
switch: off
version: 1.10
zip: 01234
clock: 12:30
nothing: ~
empty:
quoted: "~"
tags: [2026, yes, null]
aliases: [1.0, 2026-03-01]"""


@pytest.mark.parametrize("more", ["", "\n# a comment leaves the fast way"])
def test_values_are_what_stands_on_disk(more: str) -> None:
    front = read(TYPES + more)

    scalars = {key.name: key.text for key in front.keys if key.text is not None}
    assert scalars == {
        "title": "2026-03-01",
        "modified": "2026-03-01T09:05:28-06:00",
        "country": "NO",
        "answer": "yes",
        "switch": "off",
        "version": "1.10",
        "zip": "01234",
        "clock": "12:30",
        "nothing": "",
        "empty": "",
        "quoted": "~",
    }
    assert front.get_list("tags") == ["2026", "yes", "null"]
    assert front.get_list("aliases") == ["1.0", "2026-03-01"]


def test_quotes_and_blocks_are_undone() -> None:
    front = read(
        "a: 'it''s'\nb: \"x\\ty\"\nc: |\n  keeps\n    its indent\nd: >-\n  one\n  line\n"
        'e: plain\n  goes on\nf:\n  "below"\n"x:key": v'
    )

    assert [(key.name, key.text) for key in front.keys] == [
        ("a", "it's"),
        ("b", "x\ty"),
        ("c", "keeps\n  its indent\n"),
        ("d", "one line"),
        ("e", "plain goes on"),
        ("f", "below"),
        ("x:key", "v"),
    ]


def test_lists_of_any_form_give_their_scalars() -> None:
    front = read(
        "a: [x, 'y z', \"w\", '']\nb:\n- x\n- \"y\"\nc:\n  - x # why\n\n  - |\n    y\n"
        "d: one\ne:\nf: []\ng: [x, {k: v}, [z]]\nh: {k: v}"
    )

    assert {name: front.get_list(name) for name in "abcdefghz"} == {
        "a": ["x", "y z", "w"],
        "b": ["x", "y"],
        "c": ["x", "y\n"],
        "d": ["one"],
        "e": [],
        "f": [],
        "g": ["x"],
        "h": [],
        "z": [],
    }
    assert [front.get(name) for name in "abefhz"] == [None, None, "", None, None, None]


def test_a_link_without_quotes_is_the_link_that_was_meant() -> None:
    front = read("from: [[Dani]]\nup: [[[A b]], [[C|d]]]\nsee:\n  - [[E]]\n  - '[[F]]'")

    assert front.get("from") == "[[Dani]]"
    assert front.get_list("from") == ["[[Dani]]"]
    assert front.get_list("up") == ["[[A b]]", "[[C|d]]"]
    assert front.get_list("see") == ["[[E]]", "[[F]]"]


def test_an_alias_gives_what_it_stands_for() -> None:
    front = read("a: &x [p, q]\nb: *x\nc: &y word\nd: *y\ne: [*y, z]")

    assert front.get_list("b") == ["p", "q"]
    assert front.get("d") == "word"
    assert front.get_list("e") == ["word", "z"]


def test_keys_know_their_lines_and_spans() -> None:
    text = "---\n# who\nname: 'N F'   # display\ntags:\n  - a\n  # b\n  - c\n\nend: x\n---\n"

    name, tags, end = parse(text).keys

    assert (name.line, tags.line, end.line) == (3, 4, 9)
    assert text[name.start : name.end] == "name: 'N F'   # display\n"
    assert text[slice(*name.value)] == "'N F'"
    assert text[tags.start : tags.end] == "tags:\n  - a\n  # b\n  - c\n"
    assert text[slice(*tags.value)] == "- a\n  # b\n  - c"
    assert [text[item.start : item.end] for item in tags.items or ()] == ["a", "c"]
    assert text[: end.colon].endswith("\nend:")


@pytest.mark.parametrize(
    ("yaml", "line", "column"),
    [
        ("handle: @mara", 2, 9),
        ("title: Plan: phase two", 2, 12),
        ("list:\n\t- a", 3, 1),
        ("d: &gt; text", 2, 7),
        ("ok: 1\ne: *star", 3, 4),
        ("g: %50", 2, 4),
        ("h: `tick`", 2, 4),
        ('name: x\ntext: "abc "def" ghi"', 3, 13),
        ("bell: a\x07", 2, 8),
        ("- a\n- b", 2, 1),
        ("just words", 2, 1),
        ("a: 1\n...\nb: 2", 4, 1),
        ("a: 1\n---x\nb: 2", 4, 1),
        ("a: 1\n--- b", 3, 1),
        ("a: 1\nlist: [b, c\n", 3, 7),
        ('text: "never closed', 2, 7),
        ("\ufeffa: 1", 2, 1),
        ("a: !%ED%A0%80 x", 2, 1),
        ("b: \udc80 '\U00100000'", 2, 7),
        ("a: " + "[" * 20000, 2, 1003),
    ],
)
def test_a_block_that_does_not_parse_costs_its_keys_only(yaml: str, line: int, column: int) -> None:
    front = read(yaml)

    assert rules(front) == [("frontmatter-unparsable", line, column)]
    assert (front.ok, front.keys) == (False, ())
    assert front.text[front.body :] == "body\n"


def test_a_problem_becomes_a_finding_with_its_place() -> None:
    (finding,) = read("handle: @mara").findings("people/Mara.md")

    assert (finding.path, finding.line, finding.severity) == ("people/Mara.md", 2, "error")
    assert "does not parse" in finding.message


def test_a_key_that_stands_twice_is_read_and_named() -> None:
    front = read("sources: [a]\n\"x\": 1\nsources:\n  - b\n'x': 2\nx: 3")

    assert rules(front) == [
        ("frontmatter-duplicate-key", 4, 1),
        ("frontmatter-duplicate-key", 6, 1),
    ]
    assert not front.ok
    assert front.get_list("sources") == ["a", "b"]
    assert front.get("x") == "1"


def test_a_git_conflict_is_left_out_and_the_rest_is_read() -> None:
    front = read("name: ent\n<<<<<<< HEAD\nalpha: 8\n=======\nalpha: 7\n>>>>>>> laptop\nbeta: 2")

    assert rules(front) == [("frontmatter-conflict", 3, 1)]
    assert not front.ok
    assert [(key.name, key.text, key.line) for key in front.keys] == [
        ("name", "ent", 2),
        ("beta", "2", 8),
    ]


@pytest.mark.parametrize(
    ("yaml", "keys"),
    [("a: 1\n<<<<<<< HEAD\nb: 2", ["a"]), ("a: 1\n>>>>>>> x\nb: 2", ["a", "b"])],
)
def test_half_a_conflict_is_a_conflict(yaml: str, keys: list[str]) -> None:
    front = read(yaml)

    assert rules(front) == [("frontmatter-conflict", 3, 1)]
    assert [key.name for key in front.keys] == keys


def test_a_conflict_that_opens_the_file_is_named() -> None:
    front = parse("<<<<<<< HEAD\n---\na: 1\n=======\n---\na: 2\n>>>>>>> x\n---\n")

    assert (front.present, front.ok) == (False, False)
    assert rules(front) == [("frontmatter-conflict", 1, 1)]


def test_marks_in_a_text_block_or_the_body_are_no_conflict() -> None:
    front = parse("---\na: |\n  <<<<<<< HEAD\n---\n<<<<<<< HEAD\n")

    assert front.problems == ()


@pytest.mark.parametrize(
    ("yaml", "place"),
    [
        ("summary: shipped after #812", (2, 23)),
        ("tags: #todo", (2, 6)),
        ("tags:\n  - a\n  - b #c", (4, 6)),
        ("tags:\n  - #todo", (3, 4)),
    ],
)
def test_text_lost_to_a_comment_is_a_warning(yaml: str, place: tuple[int, int]) -> None:
    front = read(yaml)

    assert rules(front) == [("frontmatter-comment", *place)]
    assert front.ok


def test_a_comment_set_off_by_a_blank_is_meant() -> None:
    assert read("a: x # why\nb: 'y' #c\nc:\n  - z # why\nd: {e: f} #g").problems == ()


def test_a_placeholder_of_a_template_is_a_warning() -> None:
    front = read("title: x\ncreated: {{date}}")

    assert rules(front) == [("frontmatter-placeholder", 3, 10)]
    assert front.ok
    assert (front.get("title"), front.get("created")) == ("x", None)


@pytest.mark.parametrize("yaml", ["{a: 1, b: [c]}", "? a\n: 1\nb: [c]", "{\n  a: 1,\n  b: [c],\n}"])
def test_rare_forms_are_read_but_not_edited(yaml: str) -> None:
    front = read(yaml)

    assert [rule for rule, _, _ in rules(front)] == ["frontmatter-form"]
    assert not front.ok
    assert (front.get("a"), front.get_list("b")) == ("1", ["c"])


def test_a_key_that_is_no_scalar_goes_by_its_source() -> None:
    assert [key.name for key in read("{{title}}: x").keys] == ["{{title}}"]


def test_bytes_that_are_no_text_are_characters_like_others() -> None:
    front = read("name: caf\udce9 # x\nsep: a\u2028b\u0085c")

    assert front.ok
    assert front.get("name") == "caf\udce9"
    assert front.get("sep") == "a\u2028b\u0085c"


def test_old_mac_lines_within_others_are_lines() -> None:
    front = parse("---\na: 1\rb: 2\nc: @\n---\n")

    assert rules(front) == [("frontmatter-unparsable", 4, 4)]


@pytest.mark.parametrize("filling", ["x", "\u20ac"])
def test_a_block_over_the_bound_is_not_read(filling: str) -> None:
    size = MAX_FRONTMATTER_BYTES // len(filling.encode())

    fits = parse(f"---\na: {filling * (size - 4)}\n---\nbody")
    over = parse(f"---\na: {filling * size}\n---\nbody")

    assert fits.get("a") == filling * (size - 4)
    assert rules(over) == [("frontmatter-too-large", 1, 1)]
    assert (over.ok, over.keys, over.text[over.body :]) == (False, (), "body")


def test_numbers_are_read_as_written_and_anything_else_is_named() -> None:
    front = read("confidence: yes\nalpha: lots\nbeta: -3\nself: 0.05\nprior:\nmore: [1]")

    assert front.number("self") == Decimal("0.05")
    assert front.number("confidence") is front.number("prior") is front.number("none") is None
    assert front.bad_number("self") is front.bad_number("prior") is front.bad_number("none") is None
    problems = [front.bad_number(name) for name in ("confidence", "alpha", "beta", "more")]
    assert [(p.line, p.column) for p in problems if p] == [(2, 13), (3, 8), (4, 7), (7, 7)]
    assert all(not p.blocks for p in problems if p)
    assert problems[0] is not None
    assert "confidence" in problems[0].message
    assert "'yes'" in problems[0].message

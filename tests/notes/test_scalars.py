"""What is written for a value, and that readers of YAML 1.1 and 1.2 take it as meant."""

import re
from decimal import Decimal

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from vault_memory.notes.scalars import (
    Scalar,
    auto,
    double_quoted,
    empty,
    flow_list,
    is_typed,
    number_in,
    plain,
    quoted,
    render_key,
    render_like,
    render_list,
    render_scalar,
)

# The types of YAML 1.1 (yaml.org/type/) and of the core schema of YAML 1.2.2 (10.3.2).
TYPED = [
    r"~|null|Null|NULL",
    r"y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF",
    r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+",
    r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
    r"[-+]?(?:[0-9][0-9_]*)?\.[0-9.]*(?:[eE][-+][0-9]+)?",
    r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*",
    r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?",
    r"[0-9]{4}(?:-[0-9]{2}){2}[Tt ][0-9]{2}(?::[0-9]{2}){2} *(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?)",
    r"=|<<",
    r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
]
TYPED_PATTERN = re.compile("|".join(f"(?:{pattern})" for pattern in TYPED))

TRAPS = [
    "yes", "No", "on", "OFF", "y", "N", "true", "~", "null", "Null", "", "012", "0o7", "0x1F",
    "0b101", "1e3", "1E+3", "1_000", "1.10", ".5", "+.5", "-1", "12:30", "1:2:3.4", ".inf",
    "-.inf", ".NaN", "2026-03-01", "2026-3-1", "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43 Z", "=", "<<", "---", "...", "- a", "-", "?", "? a", ":", ": a", "a:",
    "a: b", "a :b", "a #b", "a#b", "#b", " a", "a ", "\ta", "a\tb", "a\nb", "a\r\nb", "\n", "@a",
    "`a`", "%a", "&a", "*a", "!a", "|", ">", "'a'", '"a"', "it's", 'say "x"', "{{date}}", "[a]",
    "{a}", "a]", "a, b", "\x00", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\ufeff", "\ufffe",
    "\U0001f600", "\U0001f468\u200d\U0001f469", "é", "e\u0301", "漢字", "\\", "\\n", "http://x/y#z",
    '@scope/pkg: "core" - {{x}}',
]  # fmt: skip


@pytest.mark.parametrize("text", TRAPS)
@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
def test_a_trap_is_read_back_as_the_same_string(text: str, loader: type[yaml.SafeLoader]) -> None:
    written = f"key: {render_scalar(auto(text))}\n"
    listed = f"key: {render_list(flow_list([text, 'z']))}\n"

    assert yaml.load(written, Loader=loader) == {"key": text}  # noqa: S506
    assert yaml.load(listed, Loader=loader) == {"key": [text, "z"]}  # noqa: S506


@given(st.text() | st.text("0123456789+-.:_eExobT Z", max_size=12))
@example("1,000")
def test_what_auto_leaves_without_quotes_is_a_string_in_both_versions(text: str) -> None:
    written = render_scalar(auto(text))

    assert written[0] == '"' or (written == text and not TYPED_PATTERN.fullmatch(text))


@given(st.from_regex(TYPED_PATTERN, fullmatch=True))
def test_every_form_of_every_type_counts_as_typed(text: str) -> None:
    assert is_typed(text) or render_scalar(auto(text))[0] == '"'


@given(st.text())
def test_any_text_comes_back_from_double_quotes(text: str) -> None:
    assert yaml.load(double_quoted(text), Loader=yaml.CSafeLoader) == text
    assert "\n" not in double_quoted(text)


@pytest.mark.parametrize(
    "text", ["Nadia Ferro", "team/core", "a - b", "C++", "3 cats", "it's", "(x)", "漢字", "_x"]
)
def test_common_text_needs_no_quotes(text: str) -> None:
    assert render_scalar(auto(text)) == text


def test_a_plain_value_is_quoted_only_where_it_would_break_the_note() -> None:
    assert render_scalar(plain("2026-03-06")) == "2026-03-06"
    assert render_scalar(plain("-3")) == "-3"
    assert render_scalar(plain("a: b")) == '"a: b"'
    assert render_scalar(plain("-x")) == '"-x"'


def test_an_empty_value_is_nothing_but_in_a_list() -> None:
    assert render_scalar(empty()) == ""
    assert render_scalar(auto("")) == '""'
    assert render_list(flow_list([empty(), "a"])) == '["", a]'


def test_an_id_is_always_in_double_quotes() -> None:
    assert render_scalar(quoted("123456789012")) == '"123456789012"'


def test_a_list_can_hold_items_of_any_style() -> None:
    assert render_list(flow_list([quoted("jwt"), plain("1"), "1", "a"])) == '["jwt", 1, "1", a]'


def test_a_lone_surrogate_becomes_the_replacement_character_and_a_byte_stays() -> None:
    assert auto("a\ud800\udc41\udcff") == Scalar("a\ufffd\ufffd\udcff")


@pytest.mark.parametrize(
    ("form", "text", "written"),
    [
        ("double", "new", '"new"'),
        ("single", "it's", "'it''s'"),
        ("single", "a\nb", '"a\\nb"'),
        ("plain", "new", "new"),
    ],
)
def test_text_takes_the_quotes_of_what_it_replaces(form: str, text: str, written: str) -> None:
    assert render_like(auto(text), form) == written


def test_a_number_takes_no_quotes_from_what_it_replaces() -> None:
    assert render_like(plain("9.8"), "double") == "9.8"


@pytest.mark.parametrize(
    ("name", "written"), [("valid_from", "valid_from"), ("a:b", '"a:b"'), ("on", '"on"')]
)
def test_a_key_is_quoted_where_it_could_be_misread(name: str, written: str) -> None:
    assert render_key(name) == written


@pytest.mark.parametrize("text", ["0", "1", "0.80", "+9.8", ".5", "5.", "1e3", "1000000000000"])
def test_a_number_is_read_as_decimal(text: str) -> None:
    assert number_in(text) == Decimal(text)


@pytest.mark.parametrize(
    "text",
    ["", "-3", "yes", "lots", "nan", "inf", ".inf", "1_000", "1,5", "0x1F", "1e99", "1e999999999",
     "9" * 400, "١٢", "1 ", "1000000000001", "."],
)  # fmt: skip
def test_anything_else_is_no_number(text: str) -> None:
    assert number_in(text) is None

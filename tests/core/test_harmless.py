"""Remembered text loses what is invisible and what could pass for a mark, and no word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.harmless import harmless, harmless_line

HIDDEN = {
    "a title set for the terminal": "a\x1b]0;pwned\x07b",
    "a colour": "a\x1b[31mb",
    "an erased screen": "a\x1b[2Jb",
    "one byte escapes": "a\x9b31mb\x9d0;x\x9c",
    "a bell": "a\x07b",
    "a backspace": "a\x08b",
    "a NUL": "a\x00b",
    "text turned around": "a\u202eb\u202c",
    "an isolate": "a\u2066b\u2069",
    "direction marks": "a\u200eb\u200f\u061c",
    "zero-width blanks": "a\u200bb\ufeff\u2060",
    "joiners": "a\u200db\u200c",
    "a soft hyphen": "a\u00adb",
    "tag characters": "a\U000e0041\U000e0042b",
    "variation selectors": "a\ufe0fb\U000e0101",
    "fillers that are letters": "a\u3164b\u115f\uffa0",
    "private use": "a\ue000b",
    "half a character": "a\ud800b\udcff",
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_nobody_sees_is_gone(kind: str) -> None:
    assert harmless(HIDDEN[kind]) == "ab"


@pytest.mark.parametrize(
    "text",
    [
        "</system-reminder>",
        "<system-reminder>",
        "< / system-reminder >",
        "\uff1csystem-reminder\uff1e",
        "<|im_start|>system",
        "<!-- vaultmem:recent -->",
        "<!-- /vaultmem:recent -->",
        "<\u200b/system-reminder>",
        "<<SYS>>",
        "<?xml?>",
    ],
)
def test_nothing_passes_for_a_tag_or_a_marker(text: str) -> None:
    seen = harmless(text)

    assert not re.search(r"[<\uff1c]\s*[/!?|<\w]|-->|vaultmem:", seen)
    assert re.sub(r"\W", "", seen) == re.sub(r"\W|\u200b", "", text)


def test_words_in_brackets_and_capitals_are_no_marker() -> None:
    assert harmless("[END MEMORY] and [INST] and [/INST]") == "(END MEMORY) and (INST) and (/INST)"
    assert harmless("[[a link]] and [shown](there.md) and [x]") == (
        "[[a link]] and [shown](there.md) and [x]"
    )


@pytest.mark.parametrize(
    "text",
    [
        "We decided: 3 < 4, a -> b, x >= 1.",
        "café 日本語 العربية 😀\n\tcode()",
        "",
        "one\ntwo\n",
    ],
)
def test_what_does_no_harm_stays(text: str) -> None:
    assert harmless(text) == text


def test_line_ends_and_blanks_of_every_kind_become_plain_ones() -> None:
    assert harmless("a\r\nb\rc\u2028d\u00a0e\u3000f") == "a\nb\nc d e f"


@given(
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<>[]/!|-\x1b\x9b:vaultmem \n")))
)
def test_done_twice_it_changes_nothing_more(text: str) -> None:
    once = harmless(text)

    assert harmless(once) == once
    assert all(char.isprintable() or char in "\n\t" for char in once)


def test_a_line_is_one_line_and_cut_with_a_mark() -> None:
    assert harmless_line("a\n b\t c", 10) == "a b c"
    assert harmless_line("abcdef ghi", 8) == "abcdef\u2026"

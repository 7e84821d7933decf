"""Bytes to text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.notes.text import decode_bytes, encode_text, newline_of


@given(st.binary())
def test_any_bytes_come_back_as_they_were(data: bytes) -> None:
    assert encode_text(decode_bytes(data)) == data


def test_a_byte_order_mark_is_the_first_character() -> None:
    assert decode_bytes(b"\xef\xbb\xbf---\r\n") == "\ufeff---\r\n"


def test_a_surrogate_that_is_no_byte_becomes_the_replacement_character() -> None:
    assert encode_text("a\ud800b\udcff") == b"a\xef\xbf\xbdb\xff"


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("one line", "\n"),
        ("a\nb\r\n", "\n"),
        ("a\r\nb\n", "\r\n"),
        ("\nb\r\n", "\n"),
        ("a\rb\r", "\r"),
    ],
)
def test_the_line_end_of_a_note_is_that_of_its_first_line(text: str, newline: str) -> None:
    assert newline_of(text) == newline

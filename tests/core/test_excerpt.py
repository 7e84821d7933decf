"""A text is cut where no word is halved, since half a secret is one that nobody recognises."""

import pytest

from vault_memory.core.excerpt import head, one_line, shortened


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("short", "short"),
        ("exactly ten", "exactly"),
        ("0123456789", "0123456789"),
        ("0123456789a", ""),
        ("012345678 9", "012345678"),
        ("0123456789 a", "0123456789"),
        ("a\nb\tc 012345678", "a\nb\tc"),
    ],
)
def test_the_head_of_a_text_ends_with_a_whole_word(text: str, kept: str) -> None:
    assert head(text, 10) == kept


def test_one_line_has_single_blanks() -> None:
    assert one_line(" a\n\n b\tc ", 10) == "a b c"


@pytest.mark.parametrize(
    ("text", "shown"), [("a  b", "a b"), ("one two three", "one two…"), ("x" * 11, "x" * 9 + "…")]
)
def test_a_shortened_text_says_that_it_was(text: str, shown: str) -> None:
    assert shortened(text, 10) == shown

"""What a tokenizer takes apart into single letters, its model does not read."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.readable import (
    FAMILIAR,
    LEAST,
    READ,
    Piece,
    may_be_unread,
    read_share,
    script_of,
    weight_of_meaning,
)

WHOLE = {"CYRILLIC": FAMILIAR, "CJK": FAMILIAR, "ARABIC": FAMILIAR}
FEW = dict.fromkeys(WHOLE, FAMILIAR - 1)


def cut(text: str, *, into: str = r"\S+", known: bool = True) -> list[Piece]:
    return [Piece(*match.span(), known=known) for match in re.finditer(into, text)]


def letters(text: str) -> list[Piece]:
    return cut(text, into=r"\S")


def test_words_in_one_piece_are_read_and_unknown_ones_are_not() -> None:
    assert read_share("boats sail", cut("boats sail"), vocabulary={}) == 1
    assert read_share("boats sail", cut("boats sail", known=False), vocabulary={}) == 0


def test_a_share_is_one_of_letters_and_not_of_pieces() -> None:
    pieces = [*cut("sail"), Piece(5, 6), Piece(6, 7), Piece(7, 8), Piece(8, 9)]

    assert read_share("sail 9f3c", pieces, vocabulary={}) == 0.5


def test_a_letter_that_is_a_word_is_read_and_one_within_a_word_is_not() -> None:
    assert read_share("I", letters("I"), vocabulary={}) == 1
    assert read_share("C++", letters("C++"), vocabulary={}) == 1
    assert read_share("ttl", letters("ttl"), vocabulary={}) == 0


@pytest.mark.parametrize(
    ("text", "share"),
    [("насос", 0), ("в", 1), ("猫犬", 1), ("بيت", 1)],
)
def test_a_script_that_the_vocabulary_is_full_of_is_read_as_it_is_written(
    text: str, share: float
) -> None:
    assert read_share(text, letters(text), vocabulary=WHOLE) == share
    assert read_share(text, letters(text), vocabulary=FEW) == 0
    assert read_share(text, cut(text), vocabulary=WHOLE) == 1


def test_pictures_and_marks_count_and_punctuation_does_not() -> None:
    assert read_share("\U0001f680", letters("\U0001f680"), vocabulary={}) == 0
    assert read_share("sail! ...", [*cut("sail"), *letters("sail! ...")[4:]], vocabulary={}) == 1
    assert read_share("?!", letters("?!"), vocabulary={}) == 1
    assert read_share("", [], vocabulary={}) == 1


def test_words_that_say_nothing_do_not_count() -> None:
    text = "What was 9f?"
    pieces = [*cut("What was"), Piece(9, 10), Piece(10, 11), Piece(11, 12)]

    assert read_share(text, pieces, vocabulary={}) > 0.7
    assert read_share(text, pieces, vocabulary={}, silent={"what", "was"}) == 0


def test_meaning_weighs_as_usual_until_a_tenth_is_not_read() -> None:
    assert weight_of_meaning(0.5, 1.0) == weight_of_meaning(0.5, READ) == 0.5
    assert weight_of_meaning(0.5, READ / 2) == 0.25
    assert weight_of_meaning(0.5, 0.0) == 0.5 * LEAST


def test_a_script_is_named() -> None:
    assert [script_of(char) for char in "aя猫"] == ["LATIN", "CYRILLIC", "CJK"]
    assert script_of("\ue000") == ""


@given(st.text(max_size=40), st.data())
def test_a_share_is_a_share_however_a_text_is_cut(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    pieces = [Piece(start, end, known=data.draw(st.booleans())) for start, end in pairwise(places)]

    assert 0 <= read_share(text, pieces, vocabulary=WHOLE, silent={"a"}) <= 1


def test_only_texts_with_letters_beyond_the_latin_ones_may_be_unread() -> None:
    assert not may_be_unread("plain \u201ctext\u201d, café, Łódź \U0001f680 9f3c2ab")
    assert may_be_unread("who is Пётр")
    assert may_be_unread("渡轮")

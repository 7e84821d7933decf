"""Text as terms: any script, code as people write it, and nothing that is slow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.index.words import date_terms, plain_words, query_words, terms

ANY_TEXT = st.text(max_size=200)


def asked(text: str) -> list[str]:
    """All terms by which the words of a query are found."""
    return [term for word in query_words(text) for term in word]


def meet(first: str, second: str) -> bool:
    """Whether a note that holds the one is found by the other, and the reverse."""
    return all(
        any(held.intersection(word) for word in query_words(query))
        for held, query in ((set(terms(first)), second), (set(terms(second)), first))
    )


def test_stop_words_are_left_out_and_endings_are_cut() -> None:
    assert terms("The archives were running") == ["archiv", "run"]


def test_a_contraction_of_stop_words_is_a_stop_word_with_any_apostrophe() -> None:
    assert terms("don't don\u2019t") == []


def test_code_is_kept_whole_and_given_apart() -> None:
    assert terms("src/main.py") == ["src/main.py", "src", "main", "py"]
    assert terms("memory:safe") == ["memory:safe", "memori", "safe"]
    assert terms("snake_case") == ["snake_case", "snake", "case"]
    assert terms("a@b.io") == ["a@b.io", "io"]
    assert terms("v1.2.3") == ["v1.2.3", "v1", "2", "3", "1.2.3"]
    assert terms("std::vector") == ["std::vector", "std", "vector"]


def test_camel_case_is_found_by_its_humps() -> None:
    assert terms("NeoVim HTTPServer") == ["neovim", "neo", "vim", "httpserver", "http", "server"]


def test_a_hash_is_not_taken_apart() -> None:
    assert terms("5f2c91ab03de") == ["5f2c91ab03de"]


def test_signs_that_make_the_word_stay_with_it() -> None:
    assert terms("C++ (C#) 100% GB/s") == ["c++", "c#", "100%", "100", "gb/s", "gb"]


def test_a_hyphen_more_or_less_makes_no_difference() -> None:
    assert set(asked("email")) <= set(terms("e-mail"))
    assert set(asked("reindex")) <= set(terms("re-index"))


def test_markdown_and_punctuation_are_no_part_of_words() -> None:
    assert terms("_so_ **bold**, “quoted”! [[Link|shown]]") == [
        "bold",
        "quot",
        "link",
        "shown",
    ]


def test_scripts_without_spaces_give_pairs_of_characters() -> None:
    assert terms("東京に行く") == ["東京", "京に", "に行", "行く", "く"]
    assert terms("猫。犬x") == ["猫", "犬", "x"]
    assert query_words("東京") == [("東京",)]
    assert query_words("猫") == [("猫",)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Zo\u00eb", "Zoe\u0308"),
        ("Zo\u00eb", "zoe"),
        ("\u0141\u00f3d\u017a", "lodz"),
        ("Smørrebrød", "smorrebrod"),
        ("cœur", "coeur"),
        ("Straße", "STRASSE"),
        ("Müller", "Mueller"),
        ("Ærø", "aero"),
        ("phở", "pho"),
        ("\u0130stanbul", "istanbul"),
        ("\u0131s\u0131k", "ISIK"),
        ("Пётр", "петр"),
        ("курицу", "КУРИЦА"),
        ("за́мок", "замок"),
        ("φάρος", "ΦΑΡΟ"),
        ("Ὀδυσσεύς", "οδυσσευς"),
        ("المكتبة", "مكتبة"),
        ("تُغلق", "تغلق"),
        ("الخــادم", "الخادم"),
        ("أحمد", "احمد"),
        ("كتاب", "کتاب"),
        ("می\u200cآید", "میاید"),
        ("הַסִּפְרִיָּה", "ספריה"),
        ("והבצק", "בצק"),
        ("हिन्दी", "हिंदी"),
        ("साफ़", "साफ"),
        ("न\u0939ीं", "नहीँ"),
        ("น้ำ", "น้ํา"),
        ("\uff76\uff9e\uff72\uff84\uff9e", "ガイド"),
        ("\u1112\u1161\u11ab", "한"),
        ("\u0967\u0968", "12"),
        ("٤٠١٧", "4017"),
        ("\u2615\ufe0f", "\u2615"),
        ("\U0001f64f\U0001f3fd", "\U0001f64f"),
        ("AUTH-4017", "auth4017"),
    ],
)
def test_a_word_is_found_however_it_is_spelt(first: str, second: str) -> None:
    assert meet(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("बिल", "बल"),
        ("दिन", "दीन"),
        ("ที่", "ทู่"),
        ("மீன்", "மான்"),
        ("\U0001f1e7\U0001f1f7", "\U0001f1e7\U0001f1ea"),
        ("猫", "犬"),
        ("C++", "C#"),
        ("שלום", "לום"),
    ],
)
def test_marks_that_make_another_word_are_kept(first: str, second: str) -> None:
    assert not meet(first, second)


def test_the_word_itself_is_the_first_of_its_forms() -> None:
    assert query_words("Пётр") == [("пётр", "петр")]
    assert terms("שלום வணக்கம்") == ["שלום", "வணக்கம்"]


def test_a_version_and_a_number_in_hexadecimal_are_found_without_their_mark() -> None:
    assert "2.14.1" in terms("v2.14.1")
    assert {"0xc0000005", "c0000005"} <= set(terms("0xC0000005"))


def test_punctuation_of_scripts_without_spaces_parts_their_words() -> None:
    assert terms("東京・大阪") == ["東京", "京", "大阪", "阪"]
    assert terms("\u1780\u1781\u17d4") == ["\u1780\u1781", "\u1781"]


def test_width_case_and_invisible_characters_do_not_matter() -> None:
    assert terms("\uff26\uff2f\uff2f") == terms("f\u200boo") == ["foo"]


def test_a_pictogram_is_a_word() -> None:
    assert terms("the 🐈!") == ["🐈"]


def test_punctuation_alone_is_nothing() -> None:
    assert terms("* ^ [[ \\ -- '' \" %% ___ …") == []


def test_a_day_is_found_as_it_is_written_and_as_it_is_said() -> None:
    assert set(asked("on 8 May 2023")) <= set(date_terms("2023-05-08T13:56:00Z"))
    assert date_terms("2023-05-08")[-1] == "2023-05-08"
    assert date_terms("2023-01") == ("2023", "januari")
    assert date_terms("") == date_terms("soon") == ()


def test_plain_words_keep_stop_words_and_endings() -> None:
    assert plain_words("Don\u2019t say the running") == ["don't", "say", "the", "running"]


@given(ANY_TEXT)
def test_any_text_gives_terms_that_can_be_looked_up(text: str) -> None:
    found = terms(text)

    assert all(found)
    assert not any(char.isspace() for term in found for char in term)


@given(ANY_TEXT)
def test_what_a_query_asks_for_is_what_the_same_text_holds(text: str) -> None:
    assert set(asked(text)) <= set(terms(text))


@given(ANY_TEXT, ANY_TEXT)
def test_texts_side_by_side_hold_the_terms_of_both(first: str, second: str) -> None:
    assert terms(f"{first} {second}") == terms(first) + terms(second)


def test_one_endless_word_gives_few_terms() -> None:
    assert len(terms("a-" * 100_000)) < 10
    assert len(terms("'" * 100_000 + "_" * 100_000)) == 0
    assert len(terms("x" * 1_000_000)) == 1

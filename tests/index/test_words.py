"""Text as terms: any script, code as people write it, and nothing that is slow."""

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.index.words import date_terms, plain_words, query_terms, terms

ANY_TEXT = st.text(max_size=200)


def test_stop_words_are_left_out_and_endings_are_cut() -> None:
    assert terms("The archives were running") == ["archiv", "run"]


def test_a_contraction_of_stop_words_is_a_stop_word_with_any_apostrophe() -> None:
    assert terms("don't don\u2019t") == []


def test_code_is_kept_whole_and_given_apart() -> None:
    assert terms("src/main.py") == ["src/main.py", "src", "main", "py"]
    assert terms("memory:safe") == ["memory:safe", "memori", "safe"]
    assert terms("snake_case") == ["snake_case", "snake", "case"]
    assert terms("a@b.io") == ["a@b.io", "io"]
    assert terms("v1.2.3") == ["v1.2.3", "v1", "2", "3"]
    assert terms("std::vector") == ["std::vector", "std", "vector"]


def test_camel_case_is_found_by_its_humps() -> None:
    assert terms("NeoVim HTTPServer") == ["neovim", "neo", "vim", "httpserver", "http", "server"]


def test_a_hash_is_not_taken_apart() -> None:
    assert terms("5f2c91ab03de") == ["5f2c91ab03de"]


def test_signs_that_make_the_word_stay_with_it() -> None:
    assert terms("C++ (C#) 100% GB/s") == ["c++", "c#", "100%", "100", "gb/s", "gb"]


def test_a_hyphen_more_or_less_makes_no_difference() -> None:
    assert set(query_terms("email")) <= set(terms("e-mail"))
    assert set(query_terms("reindex")) <= set(terms("re-index"))


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
    assert query_terms("東京") == ["東京"]
    assert query_terms("猫") == ["猫"]


def test_scripts_with_combining_marks_give_whole_words() -> None:
    assert terms("हिन्दी שלום") == ["हिन्दी", "שלום"]


def test_a_word_with_accents_is_found_without_them_and_in_either_form() -> None:
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"

    assert terms(composed) == terms(decomposed) == ["zo\u00eb", "zoe"]


def test_width_case_and_invisible_characters_do_not_matter() -> None:
    assert terms("\uff26\uff2f\uff2f") == terms("f\u200boo") == ["foo"]


def test_a_pictogram_is_a_word() -> None:
    assert terms("the 🐈!") == ["🐈"]


def test_punctuation_alone_is_nothing() -> None:
    assert terms("* ^ [[ \\ -- '' \" %% ___ …") == []


def test_a_day_is_found_as_it_is_written_and_as_it_is_said() -> None:
    assert set(query_terms("on 8 May 2023")) <= set(date_terms("2023-05-08T13:56:00Z"))
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
    assert set(query_terms(text)) <= set(terms(text))


@given(ANY_TEXT, ANY_TEXT)
def test_texts_side_by_side_hold_the_terms_of_both(first: str, second: str) -> None:
    assert terms(f"{first} {second}") == terms(first) + terms(second)


def test_one_endless_word_gives_few_terms() -> None:
    assert len(terms("a-" * 100_000)) < 10
    assert len(terms("'" * 100_000 + "_" * 100_000)) == 0
    assert len(terms("x" * 1_000_000)) == 1

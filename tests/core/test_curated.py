"""Curated facts that have to do with the work at hand come first, within a budget."""

import math

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.curated import Fact, chosen, estimated_tokens

FACTS = [
    Fact("- Answers should be short.", "Memory / Style", 3),
    Fact("- The ferry's holds are kept in Postgres.", "Memory / Ferryline", 6),
    Fact("- Deploys happen on Tuesdays.", "Memory / Ferryline", 7),
    Fact("- The bakery opens at six.", "Memory / Town", 10),
]


def lines(facts: list[Fact]) -> list[int]:
    return [fact.line for fact in facts]


def test_what_names_the_work_comes_before_what_does_not() -> None:
    bakery = estimated_tokens(FACTS[3].text)

    assert lines(chosen(FACTS, ["bakery"], bakery)) == [10]
    assert lines(chosen(FACTS, ["postgres"], 11)) == [6]


def test_a_heading_counts_less_than_the_fact_and_more_than_nothing() -> None:
    both = estimated_tokens(FACTS[1].text) + estimated_tokens(FACTS[2].text)

    assert lines(chosen(FACTS, ["ferryline"], both)) == [6, 7]
    assert lines(chosen(FACTS, ["ferryline", "tuesdays"], 8)) == [7]


def test_what_is_left_goes_to_the_first_facts_and_all_stay_in_order() -> None:
    assert lines(chosen(FACTS, ["bakery"], 14)) == [3, 10]
    assert lines(chosen(FACTS, [], 1000)) == [3, 6, 7, 10]


def test_words_that_every_folder_has_name_nothing() -> None:
    facts = [Fact("- Plain.", "", 1), Fact("- My home and the main work.", "", 2)]

    assert lines(chosen(facts, ["home", "main", "work", "the"], 2)) == [1]


def test_nothing_fits_into_no_budget() -> None:
    assert chosen(FACTS, ["bakery"], 0) == []
    assert chosen([], ["bakery"], 100) == []


@given(
    st.lists(st.text(min_size=1, max_size=60), max_size=12),
    st.lists(st.text(max_size=8), max_size=4),
    st.integers(0, 200),
)
def test_a_budget_is_held_and_order_kept(texts: list[str], words: list[str], budget: int) -> None:
    facts = [Fact(text, "", line) for line, text in enumerate(texts, 1)]

    taken = chosen(facts, words, budget)

    assert sum(estimated_tokens(fact.text) for fact in taken) <= budget
    assert lines(taken) == sorted(lines(taken))


def test_tokens_are_estimated_by_letters() -> None:
    assert estimated_tokens("") == 0
    assert estimated_tokens("a" * 400) == 100
    assert estimated_tokens("\u65e5\u672c\u8a9e") == 3
    assert estimated_tokens("abc") == math.ceil(3 / 4)

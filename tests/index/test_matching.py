"""Which words of a query a unit is found by."""

import pytest

from vault_memory.index.matching import Matched, matched_words


@pytest.mark.parametrize(
    ("query", "text", "held", "missing"),
    [
        ("who painted the boats?", "A boat, painted.", ("painted", "boats"), ()),
        ("blue boats", "A boat.", ("boats",), ("blue",)),
        ("boat boat", "A boat.", ("boat",), ()),
        ("parse_config fails", "def parse_config():", ("parse_config",), ("fails",)),
        ("灯 台風", "港の灯台", ("灯",), ("台風",)),
        ("the of and", "the of and", (), ()),
        ("", "A boat.", (), ()),
    ],
)
def test_words_are_told_as_the_query_has_them(
    query: str, text: str, held: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    assert matched_words(query, [(1, "note", "", text)]) == Matched(held, missing)


def test_a_turn_is_found_by_what_was_said_before_it_and_by_its_day() -> None:
    units = [(1, "turn", "", "Ana: which boat?"), (2, "turn", "2026-03-06", "Bo: the green one")]

    assert matched_words("boat March green", units).held == ("boat", "March", "green")

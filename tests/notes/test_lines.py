"""Lines are counted whatever ends them."""

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.notes.lines import LineCounter


@given(st.text(alphabet="a\r\n", max_size=30))
def test_each_position_has_the_line_it_stands_in(text: str) -> None:
    counter = LineCounter(text)
    for position in [index for index, character in enumerate(text) if character == "a"]:
        assert counter.at(position) == len((text[:position] + "a").splitlines())


def test_counting_may_begin_at_a_known_line() -> None:
    assert LineCounter("a\nb\nc", 2, 2).at(4) == 3

"""A search compares with every vector or asks the approximate index, as it is told."""

import pytest

from tests.command import Shell


@pytest.mark.parametrize("command", ["search", "query"])
def test_both_ways_find_the_same(inside: Shell, command: str) -> None:
    exact = inside.ask("graph", command, "boats and seats", "--exact")

    assert exact == inside.ask("graph", command, "boats and seats", "--ann")
    assert exact == inside.ask("graph", command, "boats and seats")


def test_asking_for_an_approximate_index_that_is_not_there_says_so(inside: Shell) -> None:
    inside.ask("rebuild")

    asked = inside.run("graph", "search", "boats", "--ann")

    assert "There is no approximate index; every vector is compared" in asked.err
    assert not inside.run("graph", "search", "boats", "--exact").err

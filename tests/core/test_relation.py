"""A relation's verb is lower snake case, and two relations are one where their times meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.relation import Relating, checked_rel, is_rel, same, snake
from vault_memory.errors import UsageError


@pytest.mark.parametrize("rel", ["uses", "prefers_editor", "v2_of", "использует"])
def test_lower_snake_case_is_a_verb(rel: str) -> None:
    assert checked_rel(rel) == rel


@pytest.mark.parametrize("rel", ["", "Uses", "prefers editor", "a-b", "_a", "a_", "a__b", "a/b"])
def test_anything_else_is_none(rel: str) -> None:
    assert not is_rel(rel)


def test_the_error_says_how_to_write_it() -> None:
    with pytest.raises(UsageError, match="Write it as: prefers_editor"):
        checked_rel("Prefers Editor")
    with pytest.raises(UsageError, match="with letters"):
        checked_rel("--")


@given(st.text())
def test_every_text_becomes_a_verb_or_nothing(text: str) -> None:
    assert snake(text) == "" or is_rel(snake(text))


def test_relations_with_other_ends_or_verb_are_others() -> None:
    uses = Relating("a", "uses", "b")

    assert same(uses, Relating("a", "uses", "b"))
    assert not same(uses, Relating("b", "uses", "a"))
    assert not same(uses, Relating("a", "likes", "b"))


def test_a_return_to_an_old_value_is_another_relation() -> None:
    old = Relating("a", "uses", "b", valid_until="2026-03-01")

    assert not same(old, Relating("a", "uses", "b", valid_from="2026-05-01"))
    assert not same(Relating("a", "uses", "b", valid_from="2026-05-01"), old)
    assert same(old, Relating("a", "uses", "b", valid_from="2026-03-01"))
    assert same(old, Relating("a", "uses", "b"))

"""There are seventeen types, and a word that is none of them is no entity."""

from vault_memory.core.entity import IMMUTABLE, TYPES, entity_type


def test_there_are_seventeen_types_of_which_six_never_change() -> None:
    assert len(set(TYPES)) == 17
    assert len(IMMUTABLE) == 6
    assert set(TYPES) > IMMUTABLE


def test_an_entity_without_a_closer_type_is_a_concept() -> None:
    assert entity_type("entity") == "concept"
    assert entity_type("tool") == "tool"


def test_other_words_are_no_entity() -> None:
    assert [entity_type(word) for word in ("", "relation", "note", "Tool")] == [None] * 4

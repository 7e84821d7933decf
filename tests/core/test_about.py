"""Whom a query asks for, beside whom the hits are about."""

import pytest

from vault_memory.core.about import Asked, about, closer_speaker, possible_names
from vault_memory.core.found import Hit


def hit(name: str = "talk", text: str = "", *, speaker: str | None = None) -> Hit:
    return Hit(
        id=None,
        name=name,
        kind="conversation" if speaker else "entity",
        type="person",
        path=f"{name}.md",
        line=1,
        text=text,
        abstract=None,
        date=None,
        speaker=speaker,
        score=1.0,
        probability=0.5,
        belief=None,
        found_by=[],
        via=[],
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("What did Dani say to Ana's sister?", ["Dani", "Ana"]),
        ("Where is Berlin", ["Berlin"]),
        ("Summarise the talk with (Zoë), Zoë again", ["Zoë"]),
        ("who is dani", []),
        ("plan B", []),
        ("港の灯りは誰が", []),
        ("", []),
    ],
)
def test_a_word_with_a_capital_that_does_not_begin_the_query_may_be_a_name(
    query: str, names: list[str]
) -> None:
    assert possible_names(query) == names


@pytest.mark.parametrize(
    "found",
    [
        hit("Dani"),
        hit(speaker="Dani", text="I paint boats"),
        hit("Boat", "A boat that Dani's sister painted."),
        hit("Boat", "ask dani."),
    ],
)
def test_a_hit_that_is_of_by_or_about_the_one_asked_for_leaves_nobody_missing(found: Hit) -> None:
    assert about(Asked(["Dani"]), [hit("Ana"), found])["missing"] == []


@pytest.mark.parametrize("found", [hit("Ana"), hit("Danish", "Danish pastry"), hit("Bordani")])
def test_who_is_asked_for_and_in_no_hit_is_missing(found: Hit) -> None:
    told = about(Asked(["Dani"], ["Zed"]), [found])

    assert told["asked"] == told["missing"] == ["Dani", "Zed"]
    assert told["found"] == [found["name"]]


def test_a_name_in_a_script_without_spaces_is_found_within_other_words() -> None:
    assert about(Asked(["田中"]), [hit("港", "灯台は田中さんが守る")])["missing"] == []


def test_those_without_a_name_are_nobody() -> None:
    said = [hit(speaker="User"), hit(speaker="Assistant"), hit(speaker="Ana")]

    assert about(Asked(), said)["found"] == ["Ana"]


@pytest.mark.parametrize(
    ("said", "closer"),
    [
        ([("Ana", 0.5), ("Bo", 0.6)], "Bo"),
        ([("Ana", 0.6), ("Bo", 0.5)], ""),
        ([("Ana", 0.5), ("Bo", 0.5)], ""),
        ([("Ana", 0.7), ("Ana", 0.1), ("Bo", 0.6), ("Bo", 0.5)], "Bo"),
        ([("Ana", 0.7), ("Ana", 0.6), ("Ana", 0.5), ("Ana", 0.1), ("Bo", 0.59)], ""),
        ([("Ana", 0.1), ("Cy", 0.6), ("Bo", 0.6)], "Bo"),
        ([("Ana", 0.1), ("User", 0.6), ("Assistant", 0.6)], ""),
        ([("Bo", 0.6)], ""),
        ([], ""),
    ],
)
def test_another_speaker_is_closer_whose_best_three_turns_are_more_alike(
    said: list[tuple[str, float]], closer: str
) -> None:
    assert closer_speaker("ana", said) == closer


def test_who_is_closer_than_the_one_asked_for_is_told() -> None:
    assert about(Asked(["Ana"], closer="Bo"), [hit("Ana")])["closer"] == "Bo"
    assert about(Asked(["Ana"]), [hit("Ana")])["closer"] is None

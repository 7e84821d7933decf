"""Turns are measured among turns and notes among notes; together they are in one order."""

import pytest

from vault_memory.core.note import Kind, UnitKind
from vault_memory.core.probability import lag, probabilities
from vault_memory.core.ranking import Ranked
from vault_memory.flows.likely import judged, notes_by_score, turns_by_score
from vault_memory.flows.retrieve import Found, Retrieved
from vault_memory.index.rows import NoteRow, UnitRow

KINDS: dict[UnitKind, Kind] = {"turn": "conversation", "note": "note", "source": "source"}


def found(number: int, kind: UnitKind, note: int, score: float, again: float = 0) -> Found:
    unit = UnitRow(number, note, number, kind, "", 1, "", "", "text", None)
    where = NoteRow(note, f"{note}.md", KINDS[kind], "", "", "", "", "", "", "", "", None, ())
    added = {"own": again} if again else {}
    return Found(unit, where, Ranked(number, score, {"dense": score}, again=added))


def chances(*units: Found) -> dict[int, float]:
    return {one.unit.id: one.probability for one in judged(Retrieved(units)).found}


def test_turns_are_measured_by_the_second_look_and_those_without_by_its_last() -> None:
    first, second, late = (
        found(1, "turn", 10, 0.9, 7.0),
        found(2, "turn", 10, 0.8, 3.0),
        found(3, "turn", 11, 0.1),
    )

    measured = turns_by_score([first, found(4, "note", 12, 0.85), second, late])

    assert measured == [(first, 7.0), (second, 3.0), (late, 3.0)]


def test_turns_without_a_second_look_are_measured_by_the_first() -> None:
    only = found(1, "turn", 10, 0.9)

    assert turns_by_score([only]) == [(only, 0.9)]


def test_a_note_counts_once_by_its_best_unit() -> None:
    best, other = found(4, "note", 12, 0.9), found(6, "source", 13, 0.3)

    assert notes_by_score([best, found(5, "note", 12, 0.8), other]) == [(best, 0.9), (other, 0.3)]


@pytest.mark.parametrize("kind", ["turn", "note"])
def test_of_one_kind_alone_the_order_and_the_scores_stay(kind: UnitKind) -> None:
    units = [found(number, kind, number, 1 / number) for number in (1, 2, 3)]

    told = judged(Retrieved(tuple(units))).found

    assert [one.ranked for one in told] == [one.ranked for one in units]
    assert [one.probability for one in told] == probabilities([1, 1 / 2, 1 / 3])


def test_a_kind_whose_best_lies_behind_is_less_probable_by_as_much() -> None:
    told = chances(
        found(1, "turn", 10, 0.9),
        found(4, "note", 12, 0.6),
        found(2, "turn", 10, 0.5),
        found(6, "source", 13, 0.2),
    )

    assert lag([0.6, 0.2], 0.9) == pytest.approx(0.5)
    behind = probabilities([0.6, 0.2], lag=lag([0.6, 0.2], 0.9))
    assert [told[4], told[6]] == behind
    assert behind[0] < probabilities([0.6, 0.2])[0]


def test_turns_and_notes_are_in_one_order_and_have_the_scores_of_their_places() -> None:
    crowd = [found(at, "turn", 10, 0.9 - at / 500) for at in range(60)]
    note = found(99, "note", 12, 0.85)
    units = (*crowd[:26], note, *crowd[26:])

    told = judged(Retrieved(units)).found

    said = [one.probability for one in told]
    assert said == sorted(said, reverse=True)
    assert [one.unit.id for one in told].index(99) < 10, "it is the best of its kind by far"
    assert [one.unit.id for one in told if one.unit.kind == "turn"] == list(range(60))
    assert [one.ranked.score for one in told] == [one.ranked.score for one in units]
    for one in told:
        assert sum(one.ranked.parts.values()) == pytest.approx(one.ranked.score)


def test_all_units_of_a_note_are_as_probable_as_its_best() -> None:
    told = chances(
        found(4, "note", 12, 0.9), found(6, "source", 13, 0.5), found(5, "note", 12, 0.2)
    )

    assert told[5] == told[4]


def test_nothing_found_is_nothing() -> None:
    assert judged(Retrieved()) == Retrieved()

"""The linked sets are whole, and a fault in one is named."""

import json
from pathlib import Path

import pytest

from vault_memory.errors import NoteError, NotFoundError
from vault_memory.evaluation.linked import LinkedSet, read_linked

SETS = Path(__file__).parent.parent / "data" / "linked"

WORLD = """=== note: places/Harbour
Stone quays, where [[Ada]] keeps a boat.

=== person: Ada | The Miller's daughter
A baker.
She was taught by an aunt.

=== person: Olga
A miller.
Grinds rye at dawn.

=== relation: Ada | taught_by | Olga | 0.7
In the winter of 1901.
"""


def question(**changes: object) -> dict[str, object]:
    return {
        "n": 1,
        "kind": "bridge",
        "hops": 3,
        "question": "What does the aunt of the boat's owner grind?",
        "notes": ["Harbour", "Ada", "Olga"],
        "answer": "Rye",
        **changes,
    }


def laid(folder: Path, *, world: str = WORLD, questions: str | None = None) -> Path:
    (folder / "world.md").write_text(world, "utf-8")
    lines = json.dumps(question()) if questions is None else questions
    (folder / "questions.jsonl").write_text(lines, "utf-8")
    return folder


@pytest.fixture(params=["bridge", "pairs"])
def whole(request: pytest.FixtureRequest) -> LinkedSet:
    return read_linked(SETS / str(request.param))


def test_each_set_asks_a_hundred_different_questions_over_more_than_150_notes(
    whole: LinkedSet,
) -> None:
    assert [one.number for one in whole.questions] == list(range(1, 101))
    assert len({one.text for one in whole.questions}) == 100
    assert len(whole.notes) > 150


def test_no_link_of_a_set_leads_nowhere(whole: LinkedSet) -> None:
    known = {name for note in whole.notes.values() for name in (note.name, *note.aliases)}
    assert [link for note in whole.notes.values() for link in note.links - known] == []


def test_a_world_becomes_notes_of_every_kind(tmp_path: Path) -> None:
    notes = read_linked(laid(tmp_path)).notes

    assert notes["Harbour"].path == "places/Harbour.md"
    assert notes["Ada"].path == "entities/person/Ada.md"
    assert 'aliases: ["The Miller\'s daughter"]' in notes["Ada"].text
    assert "confidence: 0.7" in notes["Ada taught_by Olga"].text
    assert notes["Ada taught_by Olga"].links == {"Ada", "Olga"}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (question(notes=["Harbour", "Ada", "Nobody"]), "no note called 'Nobody'"),
        (question(notes=["Harbour", "Olga", "Ada"]), "'Olga' is linked with no note before it"),
        (question(hops=2), "hops the number of notes"),
        (question(kind="riddle"), "kind is one of"),
        ({"n": 1}, "no question can be read"),
    ],
)
def test_a_question_that_does_not_fit_its_world_is_refused(
    tmp_path: Path, changed: dict[str, object], reason: str
) -> None:
    laid(tmp_path, questions=json.dumps(changed))

    with pytest.raises(NoteError, match=rf"questions\.jsonl:1: .*{reason}"):
        read_linked(tmp_path)


@pytest.mark.parametrize(
    ("world", "reason"),
    [
        (f"{WORLD}\n=== person: Ada\nAnother.\n", "two notes are called 'Ada'"),
        ("=== Ada\nA baker.\n", "Write === TYPE: NAME"),
    ],
)
def test_a_world_that_cannot_be_read_is_refused(tmp_path: Path, world: str, reason: str) -> None:
    laid(tmp_path, world=world)

    with pytest.raises(NoteError, match=reason):
        read_linked(tmp_path)


def test_two_notes_that_are_only_compared_need_no_link(tmp_path: Path) -> None:
    asked = question(kind="comparison", notes=["Harbour", "Olga"], hops=2)
    laid(tmp_path, questions=json.dumps(asked))

    assert read_linked(tmp_path).questions[0].notes == ("Harbour", "Olga")


def test_a_folder_without_a_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"world\.md: does not exist"):
        read_linked(tmp_path)

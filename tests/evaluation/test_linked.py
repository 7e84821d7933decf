"""The linked sets are whole, and a fault in one is named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vault_memory.errors import NoteError, NotFoundError
from vault_memory.evaluation.linked import LinkedQuestion, LinkedSet, read_linked
from vault_memory.evaluation.linked_bench import Answered, Line, missed, render, run, table

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


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    work = tmp_path_factory.mktemp("linked")
    return [
        line
        for name in ("bridge", "pairs")
        for line in table(name, run(read_linked(SETS / name), work, tell=lambda _: None))
    ]


def recall_5(lines: list[Line], name: str, questions: str, mode: str) -> float:
    (found,) = [
        line.measures.recall_5
        for line in lines
        if (line.set, line.questions, line.mode) == (name, questions, mode)
    ]
    return found


@pytest.mark.parametrize("half", ["odd", "even"])
def test_following_links_finds_at_least_a_twentieth_more(lines: list[Line], half: str) -> None:
    for name, gain in (("bridge", 0.10), ("pairs", 0.05)):
        plain, graph = (recall_5(lines, name, half, mode) for mode in ("plain", "graph"))
        assert graph >= plain + gain, name


def test_the_table_has_a_line_for_each_mode_and_group(lines: list[Line]) -> None:
    groups = {(line.set, line.questions) for line in lines}

    assert len(lines) == 2 * len(groups)
    assert {("bridge", "bridge, 4 notes"), ("pairs", "comparison, 2 notes")} <= groups
    assert len(list(render(lines))) == len(lines) + 2


def test_the_command_prints_and_writes_the_table(tmp_path: Path) -> None:
    (small := tmp_path / "small").mkdir()
    laid(small)
    written = tmp_path / "table.json"

    done = subprocess.run(
        [
            *(sys.executable, "-m", "vault_memory.evaluation", "linked", str(small)),
            *("--misses", "--json", str(written)),
        ],
        env={**os.environ, "PYTHONPATH": str(SETS.parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "| small | all | 1 | graph | 1.000 |" in done.stdout
    assert "small, plain:" in done.stderr
    assert json.loads(written.read_text("utf-8"))[0]["set"] == "small"


def test_what_is_not_whole_among_the_first_is_listed() -> None:
    asked = LinkedQuestion(7, "bridge", "Who?", ("A", "B", "C"), "D")
    ranked = {"plain": (), "graph": ("x", "A", "y", "z", "v", "w", "B")}

    assert list(missed([Answered(asked, ranked, {})])) == ["7: Who? | B at 7, C at -"]

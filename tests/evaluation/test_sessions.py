"""The sessions and their questions fit together, and what does not fit is named."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.evaluation.conftest import TRANSCRIPT, asked
from vault_memory.errors import ConflictError, NotFoundError
from vault_memory.evaluation.sessions import read_sessions
from vault_memory.evaluation.sessions_bench import missed, run, table

SESSIONS = Path(__file__).parents[1] / "data" / "sessions"


def test_a_hundred_questions_name_turns_of_thirteen_sessions() -> None:
    sessions = read_sessions(SESSIONS)

    kinds = Counter(question.category for question in sessions.questions)
    assert len(sessions.transcripts) == 13
    assert len(sessions.labels) == 430
    assert kinds == {
        "exact": 18,
        "paraphrase": 20,
        "why": 15,
        "time": 13,
        "change": 10,
        "multi": 14,
        "none": 10,
    }


@pytest.mark.parametrize(
    ("questions", "error", "problem"),
    [
        (asked("Which?", "exact", "boat-03"), NotFoundError, "no transcript has: boat-03"),
        (asked("Which?", "exact", "boat-02") * 2, ConflictError, "“Which.” is asked twice"),
        (asked("Which?", "exact", "boat-02", "boat-02"), ConflictError, "names a turn twice"),
        (asked("Which?", "none", "boat-02"), ConflictError, "has answers but"),
        (asked("Which?", "exact"), ConflictError, "“Which.” has none"),
    ],
)
def test_a_question_that_does_not_fit_is_named(
    questions: str, error: type[Exception], problem: str, tmp_path: Path
) -> None:
    (tmp_path / "boat.jsonl").write_text(TRANSCRIPT, "utf-8")
    (tmp_path / "questions.toml").write_text(questions, "utf-8")

    with pytest.raises(error, match=problem):
        read_sessions(tmp_path)


def test_a_folder_without_questions_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"questions\.toml: there is no such file"):
        read_sessions(tmp_path)


def test_sessions_are_archived_and_their_turns_found_the_same_every_time(
    boats: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    sessions = read_sessions(boats)

    first = run(sessions, tmp_path / "work", tell=told.append)
    second = run(sessions, tmp_path / "work", tell=told.append)

    assert [one.ranked[0] for one in first[:2]] == ["bread-01", "boat-01"]
    assert [one.ranked for one in first] == [one.ranked for one in second]
    assert told == ["sessions: 5 units, 5 embedded", "sessions: 5 units, 0 embedded"]


def test_questions_that_nothing_answers_are_not_counted(boats: Path, tmp_path: Path) -> None:
    answers = run(read_sessions(boats), tmp_path / "work", tell=lambda _: None)

    lines = [(line.level, line.questions, line.number) for line in table(answers)]

    assert lines == [
        (level, questions, number)
        for level in ("turn", "session")
        for questions, number in (("all", 2), ("exact", 1), ("why", 1))
    ]
    assert {line.measures.recall_10 for line in table(answers)} == {1}


def test_what_was_not_found_is_told_with_its_place(boats: Path, tmp_path: Path) -> None:
    answers = run(read_sessions(boats), tmp_path / "work", tell=lambda _: None)

    lines = list(missed(answers, first=1))

    place = answers[0].ranked.index("bread-02") + 1
    assert lines == [f"exact: What smells of rye? | bread-02 at {place} | first bread-01"]


def test_the_command_prints_the_table_and_writes_rankings(boats: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "vault_memory.evaluation", "sessions", str(boats)]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    out = tmp_path / "out"

    done = subprocess.run(
        [*words, "--misses", "--out", str(out)],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "| sessions | turn | all | 2 | 1.000 | 1.000 |" in done.stdout
    ranked = [json.loads(line) for line in (out / "ranked.jsonl").read_text("utf-8").splitlines()]
    assert [one["ranked"][0] for one in ranked[:2]] == ["bread-01", "boat-01"]
    assert len(json.loads((out / "table.json").read_text("utf-8"))) == 6

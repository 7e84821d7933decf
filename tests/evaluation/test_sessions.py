"""The sessions and their questions fit together, and what does not fit is named."""

from collections import Counter
from pathlib import Path

import pytest

from vault_memory.errors import ConflictError, NotFoundError
from vault_memory.evaluation.sessions import read_sessions

SESSIONS = Path(__file__).parents[1] / "data" / "sessions"

TRANSCRIPT = """\
{"type": "user", "sessionId": "boat", "uuid": "boat-01", "message": {"content": "Which boat?"}}
{"type": "assistant", "uuid": "boat-02", "message": {"content": "The red one."}}
"""


def asked(text: str, category: str, *turns: str) -> str:
    return f'[[question]]\ntext = "{text}"\ncategory = "{category}"\nturns = {list(turns)}\n'


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

"""Sessions of a person with an agent, and questions asked about them months later.

A folder holds transcripts as Claude Code writes them, whose turns have readable uuids such as
``dock-09``, and ``questions.toml`` with the turns that answer each question.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vault_memory.errors import ConflictError, NotFoundError
from vault_memory.transcripts.read import read_transcript

QUESTIONS_FILE = "questions.toml"

NONE = "none"
"""The category of the questions that nothing answers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about the sessions.

    Attributes:
        text: The question.
        category: What kind of question it is; ``NONE`` when nothing answers it.
        turns: The labels of the turns that answer it, such as ``dock-09``.
    """

    text: str
    category: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The set.

    Attributes:
        transcripts: The files, by date.
        labels: What a turn is called in the questions, by its id in a note.
        questions: In the order of the file.
    """

    transcripts: tuple[Path, ...]
    labels: Mapping[str, str]
    questions: tuple[Asked, ...]


def read_sessions(folder: Path) -> Sessions:
    """Read the transcripts of a folder and the questions beside them.

    Raises:
        NotFoundError: There is no such folder, or a question names a turn that no transcript has.
        ConflictError: A question is there twice, or has answers although nothing answers it, or
            none although something should.
        TranscriptError: A transcript cannot be read.
    """
    path = folder / QUESTIONS_FILE
    try:
        given = tomllib.loads(path.read_text("utf-8"))["question"]
    except FileNotFoundError:
        raise NotFoundError(
            "there is no such file", where=str(path), cure="Name the folder that holds the sessions"
        ) from None
    transcripts = tuple(sorted(folder.glob("*.jsonl")))
    labels = {
        turn.id: turn.uuids[0]
        for file in transcripts
        for turn in read_transcript(file, name=file.name).turns
    }
    questions = tuple(map(_question, given))
    _refuse_wrong(questions, set(labels.values()), str(path))
    return Sessions(transcripts, labels, questions)


def _question(given: Mapping[str, Any]) -> Asked:
    return Asked(given["text"], given["category"], tuple(given["turns"]))


def _refuse_wrong(questions: Sequence[Asked], known: set[str], where: str) -> None:
    times = Counter(question.text for question in questions)
    for question in questions:
        said = f"“{question.text}”"
        if unknown := sorted(set(question.turns) - known):
            raise NotFoundError(
                f"{said} names turns that no transcript has: {', '.join(unknown)}", where=where
            )
        if times[question.text] > 1:
            raise ConflictError(f"{said} is asked twice", where=where)
        if len(set(question.turns)) < len(question.turns):
            raise ConflictError(f"{said} names a turn twice", where=where)
        if (question.category == NONE) == bool(question.turns):
            has = "has answers but is of the kind that has none" if question.turns else "has none"
            raise ConflictError(f"{said} {has}", where=where, cure="Name its turns or its kind")

"""``scripts/bench sessions``: how well what was said to an agent is found months later."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vault_memory.evaluation.locomo_bench import Line
from vault_memory.evaluation.measures import Measures, mean, measure
from vault_memory.evaluation.opening import EPISODES, Tell, embed_all, opened
from vault_memory.evaluation.sessions import NONE, Asked, Sessions
from vault_memory.flows.archive import archive
from vault_memory.flows.init import init
from vault_memory.flows.likely import judged
from vault_memory.flows.retrieve import Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex

MOST = 100
"""Turns that are kept for each question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for one question.

    Attributes:
        question: What was asked.
        ranked: The labels of the turns found, best first.
        cpu_ms: CPU milliseconds that it took, the model loaded.
    """

    question: Asked
    ranked: tuple[str, ...]
    cpu_ms: float


def run(sessions: Sessions, work: Path, *, tell: Tell) -> list[Answer]:
    """Archive the sessions one after the other and ask every question of all of them.

    Args:
        sessions: The set.
        work: Where vault and cache lie; kept, they save the embedding next time.
        tell: Told in one line what is done.
    """
    answers = []
    with archived(sessions, work, tell=tell) as index:
        for question in sessions.questions:
            began = time.process_time()
            found = judged(retrieve(index, question.text, EPISODES))
            took = 1000 * (time.process_time() - began)
            answers.append(Answer(question, labels(found, sessions.labels), took))
    return answers


@contextmanager
def archived(sessions: Sessions, work: Path, *, tell: Tell) -> Iterator[VaultIndex]:
    """Open the index of a vault in which the sessions are archived.

    Args:
        sessions: The set.
        work: Where vault and cache lie.
        tell: Told in one line what is done.
    """
    vault = work / "sessions"
    init(vault, config_folder=work / "config", git=False)
    with opened(vault, cache=work / "cache", tell=tell) as index:
        for file in sessions.transcripts:
            archive(index, file.read_bytes(), name=file.name, dry_run=False)
        embed_all(index, tell=tell)
        yield index


def labels(retrieved: Retrieved, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return what was found, best first, as the questions name it.

    Args:
        retrieved: What was found.
        names: What a turn is called, by its id.
    """
    found = (one.unit.anchor.removeprefix("^") or one.note.path for one in retrieved.found[:MOST])
    return tuple(names.get(name, name) for name in found)


def table(answers: Sequence[Answer]) -> list[Line]:
    """Return the means over all questions that something answers, and by category."""
    known = [one for one in answers if one.question.category != NONE]
    groups = {"all": known}
    for one in known:
        groups.setdefault(one.question.category, []).append(one)
    return [
        Line("sessions", level, name, len(chosen), mean([_measured(one, level) for one in chosen]))
        for level in ("turn", "session")
        for name, chosen in groups.items()
    ]


def _measured(one: Answer, level: str) -> Measures:
    if level == "turn":
        return measure(one.ranked, one.question.turns)
    return measure(list(map(_session, one.ranked)), set(map(_session, one.question.turns)))


def _session(label: str) -> str:
    return label.rpartition("-")[0] or label


def missed(answers: Sequence[Answer], *, first: int = 10) -> Iterator[str]:
    """Yield a line for each question whose answer is not whole among the first so many turns."""
    for one in answers:
        top = tuple(dict.fromkeys(one.ranked))
        places = {label: top.index(label) + 1 for label in one.question.turns if label in top}
        lacking = [label for label in one.question.turns if places.get(label, MOST) > first]
        if lacking:
            said = ", ".join(f"{label} at {places.get(label, '-')}" for label in lacking)
            yield f"{one.question.category}: {one.question.text} | {said} | first {top[0]}"


def write_ranked(answers: Sequence[Answer], path: Path) -> None:
    """Write one line of JSON for each question."""
    with path.open("w", encoding="utf-8") as file:
        for one in answers:
            line = {
                "question": one.question.text,
                "category": one.question.category,
                "turns": one.question.turns,
                "ranked": one.ranked,
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

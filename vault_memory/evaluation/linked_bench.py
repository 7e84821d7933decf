"""``scripts/bench linked``: what following relations and links adds to plain retrieval."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from vault_memory.core.expansion import DEPTH
from vault_memory.evaluation.linked import LinkedQuestion, LinkedSet, lay_down
from vault_memory.evaluation.measures import Measures, mean, measure
from vault_memory.evaluation.opening import Tell, embed_all, opened
from vault_memory.flows.graph_query import BELIEFS, TEXTS
from vault_memory.flows.graph_search import each_note_once
from vault_memory.flows.graph_walk import GraphWalk
from vault_memory.flows.retrieve import Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted

MOST = 50
"""Notes that are kept for each question."""

TODAY = date(2026, 12, 1)
"""The day that the beliefs are judged at; those of the sets do not age."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What one question found.

    Attributes:
        question: What was asked.
        ranked: By mode, the names of the notes found, best first.
        cpu_ms: By mode, CPU milliseconds that it took, the model loaded.
    """

    question: LinkedQuestion
    ranked: dict[str, tuple[str, ...]]
    cpu_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: the mean over some questions of a set in one mode."""

    set: str
    questions: str
    number: int
    mode: str
    measures: Measures


def run(linked: LinkedSet, work: Path, *, depth: int = DEPTH, tell: Tell) -> list[Answered]:
    """Lay a set down as a vault and ask every question, by itself and along the graph.

    Args:
        linked: The set.
        work: Where vault and cache lie; kept, they save the embedding next time.
        depth: How many edges the graph mode follows.
        tell: Told in one line what is done.
    """
    vault = work / linked.name
    lay_down(linked, vault)
    with opened(vault, cache=work / "cache", tell=tell) as index:
        embed_all(index, tell=tell)
        return [_ask(index, question, depth) for question in linked.questions]


def _ask(index: VaultIndex, question: LinkedQuestion, depth: int) -> Answered:
    """Ask as ``graph query --episodes`` does, before it parts hits from episodes."""
    kinds = (*BELIEFS, *TEXTS)
    began = time.process_time()
    direct = retrieve(index, question.text, Wanted(kinds))
    found = time.process_time()
    with index.catalog.snapshot():
        walk = GraphWalk.of(index, direct, depth=depth, unsupported=False, today=TODAY)
        followed = walk.added_to(direct, kinds)
    ended = time.process_time()
    return Answered(
        question,
        {"plain": _names(direct), "graph": _names(followed)},
        {"plain": 1000 * (found - began), "graph": 1000 * (ended - began)},
    )


def _names(retrieved: Retrieved) -> tuple[str, ...]:
    return tuple(one.note.name for one in each_note_once(retrieved.found))[:MOST]


def table(name: str, answers: Sequence[Answered]) -> list[Line]:
    """Return the means over all questions, each half by number, and each kind or count of hops."""
    groups: dict[str, list[Answered]] = {"all": list(answers)}
    for one in answers:
        question = one.question
        groups.setdefault("odd" if question.number % 2 else "even", []).append(one)
    for one in answers:
        groups.setdefault(f"{one.question.kind}, {len(one.question.notes)} notes", []).append(one)
    return [
        Line(name, group, len(chosen), mode, mean([_measured(one, mode) for one in chosen]))
        for group, chosen in groups.items()
        for mode in ("plain", "graph")
    ]


def _measured(one: Answered, mode: str) -> Measures:
    return measure(one.ranked[mode], one.question.notes)


def render(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the table as markdown."""
    yield "| set | questions | n | mode | R@5 | R@10 | R@50 | MRR | nDCG@10 |"
    yield "|---|---|--:|---|--:|--:|--:|--:|--:|"
    for line in lines:
        numbers = " | ".join(f"{number:.3f}" for number in asdict(line.measures).values())
        yield f"| {line.set} | {line.questions} | {line.number} | {line.mode} | {numbers} |"


def missed(answers: Sequence[Answered], *, first: int = 5) -> Iterator[str]:
    """Yield a line for each question of which the graph mode lacks a note among the first."""
    for one in answers:
        top = one.ranked["graph"]
        places = {name: top.index(name) + 1 for name in one.question.notes if name in top}
        if lacking := [name for name in one.question.notes if places.get(name, MOST) > first]:
            said = ", ".join(f"{name} at {places.get(name, '-')}" for name in lacking)
            yield f"{one.question.number}: {one.question.text} | {said}"


def as_json(lines: Sequence[Line]) -> str:
    """Return the table as JSON."""
    return json.dumps([asdict(line) for line in lines], indent=2) + "\n"

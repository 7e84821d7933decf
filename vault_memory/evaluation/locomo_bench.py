"""``scripts/bench locomo``: how well turns are found, in each conversation and in all at once."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from vault_memory.evaluation.locomo import ANSWERABLE, CATEGORIES, Question, Sample
from vault_memory.evaluation.locomo_vault import ask, indexed, labels
from vault_memory.evaluation.measures import Measures, mean, measure
from vault_memory.evaluation.opening import Tell
from vault_memory.flows.vault_index import VaultIndex


@dataclass(frozen=True, slots=True)
class Answered:
    """What was found for one question.

    Attributes:
        sample: The id of its sample.
        question: What was asked.
        ranked: The turns found, best first; with the sample before each when pooled.
        cpu_ms: CPU milliseconds that it took, the model loaded.
    """

    sample: str
    question: Question
    ranked: tuple[str, ...]
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: the mean over some questions."""

    corpus: str
    level: str
    questions: str
    number: int
    measures: Measures


def run(samples: Sequence[Sample], work: Path, *, tell: Tell) -> dict[str, list[Answered]]:
    """Ask every question of its own conversation, and of all conversations in one vault.

    Args:
        samples: LoCoMo.
        work: Where vaults and caches lie; kept, they save the embedding next time.
        tell: Told in one line what is done.

    Returns:
        The answers by corpus: ``each`` and ``pooled``.
    """
    cache, pool = work / "cache", work / "pooled"
    answers: dict[str, list[Answered]] = {"each": [], "pooled": []}
    with indexed(samples, pool, cache=cache, tell=tell) as index:
        for sample in samples:
            answers["pooled"] += _answers(index, sample, pooled=True)
    for sample in samples:
        with indexed([sample], work / sample.id, cache=cache, known=pool, tell=tell) as index:
            answers["each"] += _answers(index, sample, pooled=False)
    return answers


def _answers(index: VaultIndex, sample: Sample, *, pooled: bool) -> Iterator[Answered]:
    for question in sample.questions:
        began = time.process_time()
        found = ask(index, question)
        took = 1000 * (time.process_time() - began)
        yield Answered(sample.id, question, tuple(labels(found, pooled=pooled)), took)


def table(answers: Mapping[str, Sequence[Answered]], samples: Sequence[Sample]) -> list[Line]:
    """Return the means by corpus, level and category, and by conversation.

    Args:
        answers: What ``run`` returned.
        samples: LoCoMo with the evidence to measure against.
    """
    evidence = {(one.id, q.place): q.evidence for one in samples for q in one.questions}
    lines = []
    for corpus, answered in answers.items():
        known = [one for one in answered if evidence[one.sample, one.question.place]]
        for level in ("turn", "session"):
            for name, chosen in _groups(known):
                measured = [
                    _measured(one, evidence[one.sample, one.question.place], level)
                    for one in chosen
                ]
                lines.append(Line(corpus, level, name, len(measured), mean(measured)))
    return lines


def _groups(answered: Sequence[Answered]) -> Iterator[tuple[str, list[Answered]]]:
    answerable = [one for one in answered if one.question.category in ANSWERABLE]
    groups = {"all": list(answered), "1-4": answerable}
    for category, name in CATEGORIES.items():
        groups[name] = [one for one in answered if one.question.category == category]
    for sample in dict.fromkeys(one.sample for one in answered):
        groups[f"1-4 of {sample}"] = [one for one in answerable if one.sample == sample]
    yield from ((name, chosen) for name, chosen in groups.items() if chosen)


def _measured(one: Answered, evidence: Sequence[str], level: str) -> Measures:
    pooled = bool(one.ranked) and "/" in one.ranked[0]
    relevant = [f"{one.sample}/{label}" if pooled else label for label in evidence]
    if level == "turn":
        return measure(one.ranked, relevant)
    return measure([_session(label) for label in one.ranked], {_session(r) for r in relevant})


def _session(label: str) -> str:
    return label.rpartition(":")[0]


def write_ranked(answered: Sequence[Answered], path: Path) -> None:
    """Write one line of JSON for each question, as LoCoMo's scoring reads it."""
    with path.open("w", encoding="utf-8") as file:
        for one in answered:
            line = {
                "sample_id": one.sample,
                "question_index": one.question.place,
                "ranked": one.ranked,
            }
            file.write(json.dumps(line) + "\n")


def render(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the table as markdown."""
    yield "| corpus | level | questions | n | R@5 | R@10 | R@50 | MRR | nDCG@10 |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|"
    for line in lines:
        numbers = " | ".join(f"{number:.3f}" for number in asdict(line.measures).values())
        yield f"| {line.corpus} | {line.level} | {line.questions} | {line.number} | {numbers} |"

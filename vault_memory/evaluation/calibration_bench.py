"""``scripts/bench calibration``: the weights of the probabilities, and how true these are."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from vault_memory.core.probability import FITTED, REACH, Weights
from vault_memory.evaluation.calibration import (
    SHOWN,
    Asked,
    Told,
    calibration,
    fit,
    reliability,
    told,
    told_left_out,
)
from vault_memory.evaluation.linked import LinkedSet, lay_down
from vault_memory.evaluation.locomo import ANSWERABLE, Sample, turn_label
from vault_memory.evaluation.locomo_bench import Line
from vault_memory.evaluation.locomo_vault import ask, indexed
from vault_memory.evaluation.measures import Measures, mean, measure
from vault_memory.evaluation.opening import EPISODES, Tell, embed_all, opened
from vault_memory.evaluation.sessions import Sessions
from vault_memory.evaluation.sessions_bench import archived
from vault_memory.flows.graph_search import each_note_once
from vault_memory.flows.likely import judged, notes_by_score, turns_by_score
from vault_memory.flows.retrieve import Found, Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted

_NOTES = Wanted(("entity", "relation", "source", "note"))


def of_locomo(samples: Sequence[Sample], work: Path, *, tell: Tell) -> dict[str, list[Asked]]:
    """Ask the questions of LoCoMo that have an answer, each conversation alone and all in one.

    Args:
        samples: LoCoMo.
        work: Where vaults and caches lie; those of ``scripts/bench locomo`` fit.
        tell: Told in one line what is done.
    """
    cache, pool = work / "cache", work / "pooled"
    asked: dict[str, list[Asked]] = {"each": [], "pooled": []}
    with indexed(samples, pool, cache=cache, tell=tell) as index:
        for sample in samples:
            asked["pooled"] += _of_sample(index, sample)
    for sample in samples:
        with indexed([sample], work / sample.id, cache=cache, known=pool, tell=tell) as index:
            asked["each"] += _of_sample(index, sample)
    return asked


def _of_sample(index: VaultIndex, sample: Sample) -> Iterator[Asked]:
    def label(found: Found) -> str:
        return f"{found.note.path.split('/')[-2]}/{turn_label(found.unit.anchor)}"

    for question in sample.questions:
        right = {f"{sample.id}/{one}" for one in question.evidence}
        if right and question.category in ANSWERABLE:
            yield _asked(sample.id, ask(index, question), label, right)


def of_sessions(sessions: Sessions, work: Path, *, tell: Tell) -> list[Asked]:
    """Ask the questions about sessions, those without an answer too.

    Args:
        sessions: The set.
        work: Where vault and cache lie; those of ``scripts/bench sessions`` fit.
        tell: Told in one line what is done.
    """

    def label(found: Found) -> str:
        return sessions.labels.get(found.unit.anchor.removeprefix("^"), "")

    with archived(sessions, work, tell=tell) as index:
        return [
            _asked(
                question.category, retrieve(index, question.text, EPISODES), label, question.turns
            )
            for question in sessions.questions
        ]


def of_linked(linked: Sequence[LinkedSet], work: Path, *, tell: Tell) -> dict[str, list[Asked]]:
    """Ask the questions about linked notes, each set by itself.

    Args:
        linked: The sets.
        work: Where vaults and cache lie.
        tell: Told in one line what is done.
    """
    asked = {}
    for one in linked:
        vault = work / one.name
        lay_down(one, vault)
        with opened(vault, cache=work / "cache", tell=tell) as index:
            embed_all(index, tell=tell)
            asked[one.name] = [
                _asked_of_notes(one.name, retrieve(index, question.text, _NOTES), question.notes)
                for question in one.questions
            ]
    return asked


def together(
    sessions: Sessions, linked: Sequence[LinkedSet], work: Path, *, tell: Tell
) -> list[Line]:
    """Ask all questions of one vault that holds the sessions and the notes.

    Returns:
        How well turns and notes are found when they are ordered by score, and by probability.
    """
    asked = [("sessions", one.text, one.turns) for one in sessions.questions if one.turns]
    for each in linked:
        lay_down(each, work / "sessions")
        asked += [(each.name, one.text, one.notes) for one in each.questions]
    measured: dict[tuple[str, str], list[Measures]] = {}
    with archived(sessions, work, tell=tell) as index:
        for name, text, right in asked:
            by_score = retrieve(index, text, Wanted())
            for order, found in (("score", by_score), ("probability", judged(by_score))):
                ranked = [
                    sessions.labels.get(one.unit.anchor.removeprefix("^"), one.note.name)
                    for one in each_note_once(found.found)
                ]
                measured.setdefault((name, order), []).append(measure(ranked, right))
    return [
        Line("together", f"by {order}", name, len(each), mean(each))
        for (name, order), each in measured.items()
    ]


def _asked_of_notes(group: str, retrieved: Retrieved, right: Collection[str]) -> Asked:
    said = {one.unit.id: one.probability for one in judged(retrieved).found}
    notes = notes_by_score(retrieved.found)
    return Asked(
        group,
        scores=[score for _, score in notes],
        right=[one.note.name in right for one, _ in notes],
        said=[said[one.unit.id] for one, _ in notes],
    )


def _asked(
    group: str, retrieved: Retrieved, label: Callable[[Found], str], right: Collection[str]
) -> Asked:
    said = {one.unit.id: one.probability for one in judged(retrieved).found}
    turns = turns_by_score(retrieved.found)
    return Asked(
        group,
        scores=[score for _, score in turns],
        right=[label(one) in right for one, _ in turns],
        said=[said[one.unit.id] for one, _ in turns],
    )


def report(
    locomo: Mapping[str, Sequence[Asked]],
    sessions: Sequence[Asked],
    linked: Mapping[str, Sequence[Asked]],
) -> Iterator[str]:
    """Yield the fitted weights, a line for each set, and how told and true agree.

    Args:
        locomo: What `of_locomo` returned; measured with one conversation left out at a time.
        sessions: What `of_sessions` returned; nothing is fitted to it.
        linked: What `of_linked` returned; nothing is fitted to it.
    """
    both = [one for asked in locomo.values() for one in asked]
    yield f"fitted: {_shown(fit(both))}"
    yield f"in use: {_shown(FITTED)}"
    yield ""
    yield "| set | first | hits | AUROC | ECE |"
    yield "|---|--:|--:|--:|--:|"
    for most in (REACH, SHOWN, 1):
        for corpus, asked in locomo.items():
            yield _line(f"LoCoMo, {corpus}, left out", most, told_left_out(asked, most=most))
            yield _line(f"LoCoMo, {corpus}", most, told(asked, most=most))
        for name, asked in {"sessions": sessions, **linked}.items():
            yield _line(name, most, told(asked, most=most))
    yield ""
    yield from reliability(calibration(told(both)))


def _shown(weights: Weights) -> str:
    return f"base {weights.base:.2f}, behind {weights.behind:.2f}, ahead {weights.ahead:.2f}"


def _line(name: str, most: int, pairs: Sequence[Told]) -> str:
    measured = calibration(pairs)
    return f"| {name} | {most} | {measured.hits} | {measured.auroc:.3f} | {measured.ece:.4f} |"

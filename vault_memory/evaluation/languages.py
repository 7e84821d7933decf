"""``scripts/bench languages``: whether words of any script, and of code, are found."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vault_memory.core.conversation import Conversation, Text, Turn
from vault_memory.core.summary import Summary
from vault_memory.core.tags import Tags
from vault_memory.errors import NotFoundError
from vault_memory.evaluation.opening import Tell, embed_all, opened
from vault_memory.flows.retrieve import Found, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted
from vault_memory.notes.conversation_note import note_stem, render
from vault_memory.vault.layout import CONVERSATIONS

ALL = "all"
_SAID_AT = "2026-01-05T09:00:00Z"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what answers it.

    Attributes:
        group: Its script or kind.
        text: What is asked.
        answer: The name of a note, or of a conversation and the number of its turn.
    """

    group: str
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Notes by name, the turns of conversations by name, and the questions about them."""

    notes: Mapping[str, str]
    talks: Mapping[str, Sequence[tuple[str, str]]]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Row:
    """How a group of questions fared.

    Attributes:
        group: The group; ``all`` for all of them.
        number: How many questions.
        first: The share of them whose answer came first.
        among_five: The share whose answer was among the first five.
    """

    group: str
    number: int
    first: float
    among_five: float


def read_set(path: Path) -> LabelledSet:
    """Read a labelled set.

    Args:
        path: TOML with ``note`` (name, text), ``talk`` (name, turns) and ``question`` (group,
            text, answer).

    Raises:
        NotFoundError: The file is not there.
    """
    try:
        given: dict[str, list[dict[str, Any]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFoundError(
            "there is no such file", where=str(path), cure="Name a labelled set"
        ) from None
    return LabelledSet(
        notes={one["name"]: one["text"] for one in given["note"]},
        talks={
            one["name"]: [(speaker, text) for speaker, text in one["turns"]]
            for one in given["talk"]
        },
        questions=[Question(**one) for one in given["question"]],
    )


def run(labelled: LabelledSet, folder: Path, *, model: str, tell: Tell) -> list[tuple[str, int]]:
    """Ask every question of a vault that holds the set; return its group and the answer's place.

    The place is 0 when the answer was not found.

    Args:
        labelled: The set.
        folder: Where vault and cache lie; kept, they save the embedding next time.
        model: The folder of the model; empty for the one that comes with the package.
        tell: Told in one line what is done.
    """
    path = folder / "memory"
    lay_down(labelled, path)
    with opened(path, cache=folder / "cache", tell=tell, model=model) as index:
        embed_all(index, tell=tell)
        return [(one.group, _place(index, labelled, one)) for one in labelled.questions]


def lay_down(labelled: LabelledSet, vault: Path) -> None:
    """Write the set as plain notes and conversation notes."""
    (vault / CONVERSATIONS).mkdir(parents=True, exist_ok=True)
    for name, text in labelled.notes.items():
        (vault / f"{name}.md").write_text(f"{text}\n", encoding="utf-8", newline="")
    for number, (name, said) in enumerate(labelled.talks.items(), 1):
        turns = tuple(
            Turn(f"t-{at:012d}", speaker, _SAID_AT, (Text(text),))
            for at, (speaker, text) in enumerate(said, 1)
        )
        talk = Conversation(name, turns, started=_SAID_AT, ended=_SAID_AT)
        note = render(talk, log=number, summary=Summary(""), tags=Tags())
        path = vault / CONVERSATIONS / f"{note_stem(number)}.md"
        path.write_text(note, encoding="utf-8", newline="")


def table(places: Sequence[tuple[str, int]]) -> list[Row]:
    """Return the shares by group, and over all questions first."""
    groups: dict[str, list[int]] = {ALL: [place for _, place in places]}
    for group, place in places:
        groups.setdefault(group, []).append(place)
    return [
        Row(group, len(found), _share(found, 1), _share(found, 5))
        for group, found in groups.items()
    ]


def show(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table as markdown."""
    yield "| group | n | R@1 | R@5 |"
    yield "|---|--:|--:|--:|"
    for row in rows:
        yield f"| {row.group} | {row.number} | {row.first:.3f} | {row.among_five:.3f} |"


def _share(places: Sequence[int], most: int) -> float:
    return sum(1 <= place <= most for place in places) / len(places)


def _place(index: VaultIndex, labelled: LabelledSet, question: Question) -> int:
    found = retrieve(index, question.text, Wanted()).found
    names = [_label(one, list(labelled.talks)) for one in found]
    return names.index(question.answer) + 1 if question.answer in names else 0


def _label(found: Found, talks: Sequence[str]) -> str:
    if found.unit.kind == "turn":
        number = int(found.note.path.rpartition("-")[2].removesuffix(".md"))
        return f"{talks[number - 1]} {found.unit.ordinal + 1}"
    return found.note.path.removesuffix(".md")

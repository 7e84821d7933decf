"""LoCoMo (Maharana et al., 2024): long conversations, and questions with the turns that answer.

The data is CC BY-NC 4.0: it is read from a folder of the user's and never comes with the package.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from vault_memory.core.conversation import Conversation, Text, Turn
from vault_memory.errors import NotFoundError

DATA_FILE = "locomo-open.json"
CORRECTIONS_FILE = "evidence-corrections.json"

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ANSWERABLE = frozenset({1, 2, 3, 4})

_SESSION = re.compile(r"session_([0-9]+)")
_EVIDENCE = re.compile(r"D:?([0-9]+):([0-9]+)")
_CORRECTED = re.compile(r"locomo_([0-9]+)_qa([0-9]+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a conversation.

    Attributes:
        place: Its 0-based place in the sample's list.
        text: The question.
        category: A key of ``CATEGORIES``.
        evidence: The turns that answer it, such as ``D1:3``; empty when none are known.
    """

    place: int
    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One long conversation of two people.

    Attributes:
        id: Such as ``conv-26``.
        sessions: In order; turn ``D1:3`` has the id that ``turn_id`` gives.
        questions: In the order of the file.
    """

    id: str
    sessions: tuple[Conversation, ...]
    questions: tuple[Question, ...]


def read_locomo(folder: Path, *, corrected: bool = False) -> list[Sample]:
    """Read the samples of a folder.

    Args:
        folder: Holds ``locomo-open.json`` and, for ``corrected``, ``evidence-corrections.json``.
        corrected: Whether to take the evidence that a public audit corrected.

    Raises:
        NotFoundError: A file is not there.
    """
    corrections = _corrections(_read(folder / CORRECTIONS_FILE)) if corrected else {}
    return [
        _sample(given, number, corrections)
        for number, given in enumerate(_read(folder / DATA_FILE))
    ]


def turn_id(label: str) -> str:
    """Return the id in a note of the turn that LoCoMo calls ``D1:3``."""
    session, turn = label[1:].split(":")
    return f"t-{int(session):04d}{int(turn):08d}"


def turn_label(anchor: str) -> str:
    """Return what LoCoMo calls the turn with this id or anchor."""
    digits = anchor.removeprefix("^").removeprefix("t-")
    return f"D{int(digits[:4])}:{int(digits[4:])}"


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise NotFoundError(
            "there is no such file", where=str(path), cure="Name the folder that holds LoCoMo"
        ) from None
    return found


def _corrections(given: Iterable[Mapping[str, Any]]) -> dict[tuple[int, int], list[str]]:
    found = {}
    for one in given:
        match = _CORRECTED.fullmatch(one["question_id"])
        labels = list(_labels(one.get("correct_evidence")))
        if match and labels:
            found[int(match[1]), int(match[2])] = labels
    return found


def _sample(
    given: Mapping[str, Any], number: int, corrections: Mapping[tuple[int, int], list[str]]
) -> Sample:
    talk = given["conversation"]
    numbers = sorted(int(m[1]) for m in map(_SESSION.fullmatch, talk) if m)
    known = {turn["dia_id"] for session in numbers for turn in talk[f"session_{session}"]}
    questions = [
        Question(
            place,
            str(one["question"]),
            int(one["category"]),
            tuple(
                label
                for label in corrections.get((number, place)) or _labels(one.get("evidence"))
                if label in known
            ),
        )
        for place, one in enumerate(given["qa"])
    ]
    sessions = [_session(given["sample_id"], talk, session) for session in numbers]
    return Sample(given["sample_id"], tuple(sessions), tuple(questions))


def _labels(evidence: Iterable[object] | None) -> Iterator[str]:
    """Yield the turns that evidence names, each once, however it is written."""
    matches = (match for one in evidence or () for match in _EVIDENCE.finditer(str(one)))
    yield from dict.fromkeys(f"D{int(match[1])}:{int(match[2])}" for match in matches)


def _session(sample: str, talk: Mapping[str, Any], number: int) -> Conversation:
    said = datetime.strptime(  # noqa: DTZ007 - the data tells no time zone
        talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y"
    )
    time = f"{said:%Y-%m-%dT%H:%M:00Z}"
    turns = tuple(
        Turn(turn_id(turn["dia_id"]), turn["speaker"], time, (Text(_said(turn)),))
        for turn in talk[f"session_{number}"]
    )
    return Conversation(f"{sample}-{number}", turns, started=time, ended=time)


def _said(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn.get('text', '')} [{caption}]" if caption else str(turn.get("text", ""))

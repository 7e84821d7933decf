"""Small labelled sets, written as the large ones are."""

import json
from pathlib import Path
from typing import Any

import pytest

TRANSCRIPT = """\
{"type": "user", "sessionId": "boat", "uuid": "boat-01", "message": {"content": "Which boat?"}}
{"type": "assistant", "uuid": "boat-02", "message": {"content": "The red one."}}
"""


def asked(text: str, category: str, *turns: str) -> str:
    return f'[[question]]\ntext = "{text}"\ncategory = "{category}"\nturns = {list(turns)}\n'


def turn(label: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": label, "speaker": speaker, "text": text, **more}


def sample(name: str, said: list[dict[str, str]], qa: list[dict[str, Any]]) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ines",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": said[:2],
        "session_2_date_time": "9:05 am on 1 June, 2023",
        "session_2": said[2:],
    }
    return {"sample_id": name, "conversation": conversation, "qa": qa}


BOAT = sample(
    "conv-1",
    [
        turn("D1:1", "Ines", "# I bought a sailing boat at the harbour!"),
        turn("D1:2", "Tom", "Nice.", blip_caption="a red boat"),
        turn("D2:1", "Ines", "My cat hates the water."),
    ],
    [
        {"question": "What did Ines buy?", "evidence": ["D1:1"], "category": 4},
        {"question": "What does the cat hate?", "evidence": ["D:2:01; D9:9"], "category": 1},
        {"question": "Who sings?", "evidence": [], "category": 5},
    ],
)
BREAD = sample(
    "conv-2",
    [
        turn("D1:1", "Ola", "The bakery smells of bread."),
        turn("D1:2", "Per", "Rye is best."),
        turn("D2:1", "Ola", "A cat slept by the oven."),
    ],
    [{"question": "Which bread is best?", "evidence": ["D1:2"], "category": 4}],
)


@pytest.fixture
def locomo_folder(tmp_path: Path) -> Path:
    """A folder with two conversations as LoCoMo is published."""
    folder = tmp_path / "locomo"
    folder.mkdir()
    (folder / "locomo-open.json").write_text(json.dumps([BOAT, BREAD]), "utf-8")
    corrected = [{"question_id": "locomo_0_qa0", "correct_evidence": ["D1:2"]}]
    (folder / "evidence-corrections.json").write_text(json.dumps(corrected), "utf-8")
    return folder


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    """Two sessions, and questions of which one has an answer that no word leads to."""
    folder = tmp_path / "boats"
    folder.mkdir()
    bread = TRANSCRIPT.replace("boat-", "bread-").replace('"boat"', '"bread"')
    bread = bread.replace("Which boat?", "What smells of rye?").replace("red one", "bakery")
    (folder / "1-boat.jsonl").write_text(TRANSCRIPT, "utf-8")
    (folder / "2-bread.jsonl").write_text(bread, "utf-8")
    questions = (
        asked("What smells of rye?", "exact", "bread-01", "bread-02")
        + asked("Which boat was it?", "why", "boat-01")
        + asked("Who sang?", "none")
    )
    (folder / "questions.toml").write_text(questions, "utf-8")
    return folder

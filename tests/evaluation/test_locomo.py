"""LoCoMo is read as published, laid down as notes, and asked through the code people use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vault_memory.errors import NotFoundError
from vault_memory.evaluation.locomo import Sample, read_locomo, turn_id, turn_label
from vault_memory.evaluation.locomo_bench import render, run, table, write_ranked


@pytest.fixture
def samples(locomo_folder: Path) -> list[Sample]:
    return read_locomo(locomo_folder)


def test_turns_captions_times_and_evidence_are_read(samples: list[Sample]) -> None:
    boat = samples[0]

    assert [session.started for session in boat.sessions] == [
        "2023-05-08T13:56:00Z",
        "2023-06-01T09:05:00Z",
    ]
    assert boat.sessions[0].turns[1].text == "Nice. [a red boat]"
    assert [question.evidence for question in boat.questions] == [("D1:1",), ("D2:1",), ()]


def test_corrections_replace_the_evidence_they_name(locomo_folder: Path) -> None:
    corrected = read_locomo(locomo_folder, corrected=True)[0]

    assert [question.evidence for question in corrected.questions] == [("D1:2",), ("D2:1",), ()]


def test_a_folder_without_the_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"locomo-open\.json: there is no such file"):
        read_locomo(tmp_path)


def test_a_turn_keeps_its_label_in_its_id() -> None:
    assert turn_id("D12:345") == "t-001200000345"
    assert turn_label("^t-001200000345") == "D12:345"


def test_the_turns_that_answer_are_found_alone_and_pooled(
    samples: list[Sample], tmp_path: Path
) -> None:
    told: list[str] = []

    answers = run(samples, tmp_path / "work", tell=told.append)

    assert [one.ranked[0] for one in answers["each"][:2]] == ["D1:1", "D2:1"]
    assert [one.ranked[0] for one in answers["pooled"]][::3] == ["conv-1/D1:1", "conv-2/D1:2"]
    assert told == [
        "pooled: 6 units, 6 embedded",
        "conv-1: 3 units, 0 embedded",
        "conv-2: 3 units, 0 embedded",
    ], "no text is embedded twice"


def test_the_table_counts_questions_with_evidence_and_the_ranking_can_be_scored_elsewhere(
    samples: list[Sample], tmp_path: Path
) -> None:
    answers = run(samples, tmp_path / "work", tell=lambda _: None)

    lines = table(answers, samples)
    write_ranked(answers["pooled"], tmp_path / "pooled.jsonl")

    first = lines[0]
    assert (first.corpus, first.level, first.questions, first.number) == ("each", "turn", "all", 3)
    assert first.measures.recall_5 == 1
    assert {line.measures.recall_10 for line in lines if line.level == "session"} == {1}
    assert len(list(render(lines))) == len(lines) + 2
    written = [json.loads(one) for one in (tmp_path / "pooled.jsonl").read_text().splitlines()]
    assert [(one["sample_id"], one["question_index"]) for one in written] == [
        ("conv-1", 0),
        ("conv-1", 1),
        ("conv-1", 2),
        ("conv-2", 0),
    ]


def test_the_command_prints_the_table_and_names_what_is_missing(locomo_folder: Path) -> None:
    words = [sys.executable, "-m", "vault_memory.evaluation", "locomo"]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    asked = [*words, str(locomo_folder), "--out", str(locomo_folder / "out")]
    done = subprocess.run(asked, env=environ, capture_output=True, text=True, check=True)
    failed = subprocess.run(
        [*words, str(locomo_folder / "none")],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "| each | turn | 1-4 | 3 | 1.000 |" in done.stdout
    assert sorted(path.name for path in (locomo_folder / "out").iterdir()) == [
        "each.jsonl",
        "pooled.jsonl",
        "table.json",
    ]
    assert failed.returncode == 1
    assert "there is no such file" in failed.stderr
    assert "Traceback" not in failed.stderr

"""Weights are found again in what they produced, and calibration is measured as it is defined."""

import json
import random
from pathlib import Path

import pytest

from vault_memory.core.probability import REACH, Weights, probability, standings
from vault_memory.evaluation.__main__ import main
from vault_memory.evaluation.calibration import (
    Asked,
    Bin,
    calibration,
    fit,
    reliability,
    told,
    told_by,
    told_left_out,
)

TRUE = Weights(base=-1.0, behind=-4.0, ahead=5.0)


def drawn(questions: int) -> list[Asked]:
    """Questions whose hits answer as often as the true weights say."""
    dice = random.Random(7)  # noqa: S311 - numbers for a test, no secret
    asked = []
    for number in range(questions):
        scores = sorted((dice.random() ** 3 for _ in range(REACH + 20)), reverse=True)
        chances = [probability(one, TRUE) for one in standings(scores)]
        right = [dice.random() < chance for chance in chances]
        asked.append(Asked(f"group {number % 3}", scores, right))
    return asked


def test_the_weights_that_were_drawn_with_are_found_again() -> None:
    found = fit(drawn(1500))

    assert found.base == pytest.approx(TRUE.base, abs=0.2)
    assert found.behind == pytest.approx(TRUE.behind, abs=0.3)
    assert found.ahead == pytest.approx(TRUE.ahead, abs=0.5)


def test_what_was_drawn_is_calibrated_under_the_weights_of_the_other_groups() -> None:
    asked = drawn(600)

    left_out = calibration(told_left_out(asked))

    assert left_out.hits == 600 * REACH
    assert left_out.ece < 0.01
    assert calibration(told_by(asked, Weights(1.0, -4.0, 5.0))).ece > 0.1


def test_only_the_first_hits_are_measured_when_so_many_are_asked_for() -> None:
    asked = drawn(4)

    assert len(told_by(asked, TRUE, most=10)) == len(told_left_out(asked, most=10)) == 40


def test_what_was_said_of_the_hits_is_told_with_what_is_right() -> None:
    asked = [Asked("", [2.0, 1.0], [True, False], said=[0.7, 0.2])]

    assert told(asked) == [(0.7, True), (0.2, False)]
    assert told(asked, most=1) == [(0.7, True)]


def test_auroc_and_error_are_as_defined() -> None:
    measured = calibration([(0.05, False), (0.15, False), (0.15, True), (0.95, True)])

    assert measured.auroc == pytest.approx(3.5 / 4)
    assert measured.ece == pytest.approx((0.05 + 2 * 0.35 + 0.05) / 4)
    assert measured.bins[1] == Bin(2, 0.15, 0.5)
    assert measured.bins[2] is None
    assert calibration([(0.5, True)]).auroc == 0.5


def test_a_certain_hit_falls_in_the_last_bin_and_empty_bins_are_left_out() -> None:
    lines = list(reliability(calibration([(1.0, True), (0.0, False)])))

    assert lines[2:] == ["| 0.0 to 0.1 | 1 | 0.000 | 0.000 |", "| 0.9 to 1.0 | 1 | 1.000 | 1.000 |"]


WORLD = """\
=== person: Ines
Ines keeps the [[Red boat]] at the harbour.

=== thing: Red boat
A sailing boat that smells of tar.
"""
LINKED = {"n": 1, "kind": "bridge", "hops": 2, "question": "What does the boat of Ines smell of?"}


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A set of two linked notes."""
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "world.md").write_text(WORLD, "utf-8")
    question = json.dumps({**LINKED, "notes": ["Ines", "Red boat"], "answer": "tar"})
    (folder / "questions.jsonl").write_text(question, "utf-8")
    return folder


def test_the_command_fits_and_measures(
    locomo_folder: Path, boats: Path, linked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["calibration", str(locomo_folder), str(boats), str(linked)])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("fitted: base ")
    for name in ("LoCoMo, pooled, left out", "LoCoMo, each", "sessions", "harbour"):
        assert sum(line.startswith(f"| {name} | ") for line in lines) == 3
    assert "| probability | hits | told | answer |" in lines
    assert [line.split(" | ")[1:4] for line in lines if line.startswith("| together | ")] == [
        ["by score", "sessions", "2"],
        ["by probability", "sessions", "2"],
        ["by score", "harbour", "1"],
        ["by probability", "harbour", "1"],
    ]

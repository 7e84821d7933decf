"""Words of any script and of code are found, by labels older than the search."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vault_memory.errors import NotFoundError
from vault_memory.evaluation.languages import Row, read_set, run, show, table

DATA = Path(__file__).parents[1] / "data" / "languages.toml"

BARS = {"all": 0.96, "english": 0.8, "code": 0.92}
"""The share of questions whose answer comes first; 1 for every group that is not named."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int]]:
    return run(read_set(DATA), tmp_path_factory.mktemp("languages"), model="", tell=lambda _: None)


def test_what_answers_comes_first_in_every_script(places: list[tuple[str, int]]) -> None:
    short = [row for row in table(places) if row.first < BARS.get(row.group, 1.0)]

    assert short == []


def test_what_answers_is_among_the_first_five(places: list[tuple[str, int]]) -> None:
    assert [group for group, place in places if not 1 <= place <= 5] == []


def test_shares_are_taken_by_group() -> None:
    rows = table([("code", 1), ("code", 6), ("greek", 0)])

    assert rows == [Row("all", 3, 1 / 3, 1 / 3), Row("code", 2, 0.5, 0.5), Row("greek", 1, 0, 0)]
    assert list(show(rows))[-1] == "| greek | 1 | 0.000 | 0.000 |"


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="labelled set"):
        read_set(tmp_path / "none.toml")


def test_the_command_prints_the_table_and_what_did_not_come_first(tmp_path: Path) -> None:
    labelled = tmp_path / "set.toml"
    labelled.write_text(
        '[[note]]\nname = "Порт"\ntext = "Паром ходит летом."\n'
        '[[note]]\nname = "Rain"\ntext = "It rains in May."\n'
        '[[talk]]\nname = "t"\nturns = [["Ана", "Где паром?"]]\n'
        '[[question]]\ngroup = "cyrillic"\ntext = "паром летом"\nanswer = "Порт"\n'
        '[[question]]\ngroup = "english"\ntext = "rain"\nanswer = "t 1"\n',
        "utf-8",
    )

    done = subprocess.run(
        [sys.executable, "-m", "vault_memory.evaluation", "languages", str(labelled), "--misses"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "| cyrillic | 1 | 1.000 | 1.000 |" in done.stdout
    assert "\train\tt 1" in done.stderr

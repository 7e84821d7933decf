"""The benchmark of commands runs each of them on a vault, and says what it may cost."""

import json
from pathlib import Path

import pytest

from vault_memory.errors import StorageError
from vault_memory.evaluation import speed_bench
from vault_memory.evaluation.__main__ import main


def test_a_small_vault_is_measured_and_told_as_table_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"

    main(["speed", "--notes", "20", "--runs", "1", "--work", str(tmp_path), "--json", str(report)])

    costs = json.loads(report.read_text())["20"]
    barred = [cost["what"] for cost in costs if cost["bar"]]
    assert "`status`" in barred
    assert "`graph search`, cold" in barred
    assert all(cost["measured"] > 0 for cost in costs)
    assert all(cost["holds"] in {True, False} for cost in costs if cost["bar"])
    shown = capsys.readouterr().out
    assert all(f"| {cost['what']} |" in shown for cost in costs)


def test_a_command_that_fails_ends_the_benchmark() -> None:
    with pytest.raises(StorageError, match="exit 3"):
        speed_bench.run_process(["python3", "-c", "raise SystemExit(3)"], {})

"""What the benchmarks of the index measure, on vaults that take no time."""

import json
import math
from dataclasses import asdict
from pathlib import Path

import pytest

from vault_memory.evaluation import index_bench, scale_bench
from vault_memory.evaluation.__main__ import main
from vault_memory.evaluation.costs import Cost, memory_mb, render, rows, walk
from vault_memory.evaluation.prepared import age, give_vectors, opened, stand_ins
from vault_memory.flows.embed import embed
from vault_memory.flows.refresh import refresh


def test_a_cost_is_told_beside_its_floor() -> None:
    costs = [Cost("search", 30.0, 20.0, 1.25), Cost("walk", 1234.5)]

    assert list(render(costs))[2:] == [
        "| search | 30.0 ms | 20.0 | 1.50 | 1.25 | **no** |",
        "| walk | 1,234.5 ms |  |  |  |  |",
    ]
    assert [row["ratio"] for row in rows(costs)] == [1.5, None]


def test_a_walk_sees_every_file(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for path in ("x.md", "a/y.md", "a/b/z.txt"):
        (tmp_path / path).write_text("one")

    assert sorted(walk(tmp_path)) == sorted(
        str(tmp_path / path) for path in ("x.md", "a/y.md", "a/b/z.txt")
    )


def test_memory_is_read_where_the_system_tells_it() -> None:
    assert memory_mb("RssAnon") >= 0
    assert memory_mb("NoSuchLine") == 0


def test_stand_ins_are_unit_vectors_that_a_text_always_gets() -> None:
    one, other = stand_ins(["one", "other"])

    assert math.isclose(float(one @ one), 1.0, rel_tol=1e-5)
    assert (stand_ins(["one"])[0] == one).all()
    assert float(one @ other) < 0.9


def test_a_vault_with_stand_ins_needs_no_model(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "one.md").write_text("# Mooring\n\nTie it.\n")
    age(tmp_path / "vault", 2 * 10**18)

    with opened(tmp_path / "vault", cache) as index:
        refresh(index)
        given = give_vectors(index)
        done = embed(index)

    assert given == done.cached > 0
    assert done.embedded == 0
    assert give_vectors_again(tmp_path / "vault", cache) == 0


def give_vectors_again(vault: Path, cache: Path) -> int:
    with opened(vault, cache) as index:
        return give_vectors(index)


def test_the_cost_of_an_index_is_measured_beside_its_floors(tmp_path: Path) -> None:
    costs = index_bench.measure(30, tmp_path, seed=1, runs=1, exact_below=50)

    assert [cost.what.partition(",")[0].partition(" over")[0] for cost in costs] == [
        "rebuild from nothing",
        "rebuild",
        "rebuild",
        "HNSW",
        *[cost.what.partition(",")[0] for cost in costs[4:]],
    ]
    assert len(costs) == 6
    assert all(cost.measured > 0 and cost.ratio and cost.bar for cost in costs)


def test_a_point_of_growth_is_measured(tmp_path: Path) -> None:
    point = scale_bench.measure(30, tmp_path, seed=1, runs=1, exact_below=50)
    again = scale_bench.measure(30, tmp_path, seed=1, runs=1, exact_below=10_000)

    assert point.notes == 30
    assert point.units == again.units > 100
    assert point.ann_mb > again.ann_mb == 0
    assert point.vectors_mb > 0.1
    assert len(list(scale_bench.render([point, again]))) == 9
    assert json.loads(scale_bench.as_json([point]))[0]["units"] == point.units


def test_what_is_over_its_bar_is_told() -> None:
    held = scale_bench.Point(*([1] * 2), *([1.0] * 17))

    assert list(scale_bench.bars([held])) == []
    slow = scale_bench.Point(**{**asdict(held), "query_ms": 99.0, "nothing_ms": 3.0})
    assert list(scale_bench.bars([slow])) == [
        "1 notes, nothing changed: 3.0 ms, where 2.0 may be",
        "1 notes, query: 99.0 ms, where 60.0 may be",
    ]


@pytest.mark.parametrize("command", ["index", "scale"])
def test_the_command_writes_a_table_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    out = tmp_path / "out.json"

    main([command, "--notes", "10", "--runs", "1", "--json", str(out)])

    assert "|--:|" in capsys.readouterr().out
    assert json.loads(out.read_text())

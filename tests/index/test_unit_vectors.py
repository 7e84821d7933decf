"""Rows and catalogue go together: what is found is what was put there, whatever happened since."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vault_memory.core.note import Note, Unit, UnitKind
from vault_memory.index import vector_upkeep
from vault_memory.index.catalog import Catalog, open_catalog
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.manifest import Stamp
from vault_memory.index.rows import Wanted
from vault_memory.index.unit_vectors import ANN_FILE, ROWS_FILE, UnitVectors

MODEL = "a-model"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with open_catalog(tmp_path, mode="write") as opened:
        yield opened


@pytest.fixture
def told() -> list[str]:
    return []


def vectors_of(catalog: Catalog, folder: Path, told: list[str], **settings: object) -> UnitVectors:
    model = str(settings.pop("model", MODEL))
    return UnitVectors(catalog, folder, model, notify=told.append, **settings)  # type: ignore[arg-type]


def write_notes(catalog: Catalog, names: range) -> list[int]:
    """One note a name, each with one unit; return the numbers of their units in order."""
    stamp = Stamp(1, 1, 1, b"x")
    catalog.apply(
        (Note(f"{name}.md", "note", "note", "", str(name), units=(unit_of(name),)), stamp)
        for name in names
    )
    placed = by_path(catalog)
    return [placed[f"{name}.md"] for name in names]


def unit_of(name: int) -> Unit:
    return Unit("note", "", 1, f"text {name}")


def by_path(catalog: Catalog) -> dict[str, int]:
    notes = catalog.notes()
    paths = {note.key: note.path for note in notes}
    return {paths[unit.note]: unit.id for unit in catalog.units_of(paths)}


def spread(count: int, *, seed: int = 7) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, 16)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def nearest(vectors: UnitVectors, query: NDArray[np.float32]) -> int:
    found, _ = vectors.search(query, 1, Wanted())
    return found[0][0]


def test_each_unit_is_found_by_its_own_vector(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(20)), spread(20)
    vectors = vectors_of(catalog, tmp_path, told)

    vectors.add(dict(zip(units[:12], rows[:12], strict=True)))
    vectors.add(dict(zip(units[12:], rows[12:], strict=True)))

    assert [nearest(vectors, row) for row in rows] == units
    assert told == []


def test_others_are_measured_too_when_asked_for(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(3)), spread(3)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units[:2], rows[:2], strict=True)))

    _, others = vectors.search(rows[0], 1, Wanted(), also=units)

    assert others == pytest.approx({units[0]: 1.0, units[1]: float(rows[0] @ rows[1])})


def test_a_unit_that_is_gone_takes_no_place_among_the_nearest(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(5)), spread(5)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))

    catalog.apply(removed=["2.md"])

    found, _ = vectors.search(rows[2], 5, Wanted())
    assert sorted(unit for unit, _ in found) == sorted(set(units) - {units[2]})


def test_rows_of_units_that_are_gone_are_cleared_away(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    count = vector_upkeep.LEAST_DEAD + 100
    units, rows = write_notes(catalog, range(count)), spread(count)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))
    catalog.apply(removed=[f"{name}.md" for name in range(count - 50)])

    vectors.tidy(nullcontext)

    assert len(vectors.matrix()) == 50
    assert [nearest(vectors, row) for row in rows[-50:]] == units[-50:]


def test_rows_that_come_while_others_are_cleared_away_put_it_off(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    count = vector_upkeep.LEAST_DEAD + 100
    units, rows = write_notes(catalog, range(count)), spread(count)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units[:-1], rows[:-1], strict=True)))
    catalog.apply(removed=[f"{name}.md" for name in range(count - 50)])

    @contextmanager
    def after_another_writer() -> Iterator[None]:
        vectors.add({units[-1]: rows[-1]})
        yield

    vectors.tidy(after_another_writer)

    assert len(vectors.matrix()) == count
    assert [nearest(vectors, row) for row in rows[-50:]] == units[-50:]
    assert {path.name for path in tmp_path.glob("*.new")} == set()
    assert told == []


def test_rows_added_one_by_one_lie_in_few_pieces(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(100)), spread(100)
    vectors = vectors_of(catalog, tmp_path, told)

    for unit, row in zip(units, rows, strict=True):
        vectors.add({unit: row})

    segments = json.loads(catalog.facts()["rows"])["segments"]
    assert [one["rows"] for one in segments] == [64, 32, 4]
    catalog.set_rows({}, facts={"verified_rows": ""})
    assert [nearest(vectors_of(catalog, tmp_path, told), row) for row in rows] == units
    assert told == []


def test_rows_are_written_anew_while_the_old_ones_serve(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(12)), spread(12)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))
    reader = vectors_of(catalog, tmp_path, told)

    def pieces() -> Iterator[dict[int, NDArray[np.float32]]]:
        for at in range(0, 10, 5):
            yield dict(zip(units[at : at + 5], rows[at : at + 5], strict=True))
            assert [nearest(reader, row) for row in rows] == units

    vectors.renew(pieces(), nullcontext)

    assert [nearest(reader, row) for row in rows[:10]] == units[:10]
    assert catalog.counts().pending == 2
    assert told == []


def test_when_nothing_is_known_to_write_anew_all_units_wait(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(3)), spread(3)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))

    vectors.renew([{}], nullcontext)

    assert catalog.pending_count() == 3
    assert len(vectors.matrix()) == 0


def test_when_all_units_are_gone_their_rows_are_cleared_away(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    count = vector_upkeep.LEAST_DEAD + 1
    units, rows = write_notes(catalog, range(count)), spread(count)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))
    catalog.apply(removed=[f"{name}.md" for name in range(count)])

    vectors.tidy(nullcontext)

    assert len(vectors.matrix()) == 0
    assert told == []


def test_an_interruption_while_rows_are_written_anew_changes_nothing(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(3)), spread(3)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict(zip(units, rows, strict=True)))

    def pieces() -> Iterator[dict[int, NDArray[np.float32]]]:
        yield {units[0]: rows[0]}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vectors.renew(pieces(), nullcontext)

    assert [nearest(vectors, row) for row in rows] == units
    assert {path.name for path in tmp_path.glob("vectors*")} == {ROWS_FILE}


@pytest.mark.parametrize("damage", ["cut", "zeroed", "gone", "flipped", "foreign"])
def test_damaged_rows_are_given_up_and_all_units_wait_again(
    catalog: Catalog, tmp_path: Path, told: list[str], damage: str
) -> None:
    units, rows = write_notes(catalog, range(8)), spread(8)
    vectors_of(catalog, tmp_path, told).add(dict(zip(units, rows, strict=True)))
    path = tmp_path / ROWS_FILE
    data = path.read_bytes()
    spoilt = {
        "cut": data[:-40],
        "zeroed": b"",
        "flipped": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "foreign": b"not ours" + data[8:],
    }
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(spoilt[damage])

    found, _ = vectors_of(catalog, tmp_path, told).search(rows[0], 3, Wanted())

    assert found == []
    assert len(told) == 1
    assert catalog.counts().pending == 8


def test_vectors_of_another_model_are_not_searched(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(3)), spread(3)
    vectors_of(catalog, tmp_path, told).add(dict(zip(units, rows, strict=True)))
    other = vectors_of(catalog, tmp_path, told, model="another")

    assert other.search(rows[0], 3, Wanted()) == ([], {})
    assert told == [
        "The index is made again from the notes: the vectors were made with another model"
    ]

    other.add(dict(zip(units, rows[::-1], strict=True)))
    assert nearest(other, rows[0]) == units[2]


def test_what_was_verified_is_not_read_through_again(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(3)), spread(3)
    vectors_of(catalog, tmp_path, told).add(dict(zip(units, rows, strict=True)))
    (tmp_path / ROWS_FILE).touch()

    nearest(vectors_of(catalog, tmp_path, told), rows[0])
    generation = catalog.generation
    nearest(vectors_of(catalog, tmp_path, told), rows[0])

    assert catalog.generation == generation


def test_a_large_index_is_covered_by_hnsw_and_still_exact_behind_it(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(300)), spread(300)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units[:250], rows[:250], strict=True)))
    vectors.cover(nullcontext)
    vectors.add(dict(zip(units[250:], rows[250:], strict=True)))

    assert (tmp_path / ANN_FILE).exists()
    assert [nearest(vectors, row) for row in rows] == units
    assert told == []


def test_hnsw_is_made_in_pieces_and_goes_on_where_it_was_interrupted(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(650)), spread(650)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units, rows, strict=True)))
    asked = iter([False, True])

    @contextmanager
    def interrupted() -> Iterator[None]:
        if next(asked):
            raise KeyboardInterrupt
        yield

    assert vectors.is_cover_due
    with pytest.raises(KeyboardInterrupt):
        vectors.cover(interrupted, at_once=300)
    kept = json.loads(catalog.facts()["ann"])["rows"]

    assert kept == 300
    assert vectors.is_cover_due
    vectors.cover(nullcontext, at_once=300)
    assert not vectors.is_cover_due
    assert json.loads(catalog.facts()["ann"])["rows"] == 600
    assert [nearest(vectors, row) for row in rows[-5:]] == units[-5:]
    assert {path.name for path in tmp_path.glob("*.new")} == set()


def test_rows_that_come_while_hnsw_is_made_are_found(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(300)), spread(300)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units[:250], rows[:250], strict=True)))

    @contextmanager
    def after_another_writer() -> Iterator[None]:
        vectors.add(dict(zip(units[250:], rows[250:], strict=True)))
        yield

    vectors.cover(after_another_writer)

    assert (tmp_path / ANN_FILE).exists()
    assert [nearest(vectors, row) for row in rows] == units
    assert told == []


def test_hnsw_of_rows_that_were_written_anew_meanwhile_is_thrown_away(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    count = vector_upkeep.LEAST_DEAD + 300
    units, rows = write_notes(catalog, range(count)), spread(count)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units, rows, strict=True)))

    @contextmanager
    def after_another_writer() -> Iterator[None]:
        catalog.apply(removed=[f"{name}.md" for name in range(count - 250)])
        vectors.tidy(nullcontext)
        yield

    vectors.cover(after_another_writer)

    assert {path.name for path in tmp_path.glob("hnsw*")} == set()
    assert [nearest(vectors, row) for row in rows[-250:]] == units[-250:]
    assert told == []


def test_a_damaged_approximate_index_costs_only_speed(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(250)), spread(250)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units, rows, strict=True)))
    vectors.cover(nullcontext)
    (tmp_path / ANN_FILE).write_bytes(b"garbage")

    assert [nearest(vectors, row) for row in rows] == units
    assert len(told) == 1

    vectors.cover(nullcontext)
    assert [nearest(vectors, row) for row in rows] == units
    assert len(told) == 1


def test_an_approximate_index_that_is_open_stays_so_until_there_is_another(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(600)), spread(600)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=200)
    vectors.add(dict(zip(units[:250], rows[:250], strict=True)))
    vectors.cover(nullcontext)
    reader = vectors_of(catalog, tmp_path, told, exact_below=200)
    reader.exact = False

    first = [nearest(reader, row) for row in rows[:250]]
    vectors.add(dict(zip(units[250:], rows[250:], strict=True)))
    vectors.cover(nullcontext)
    grown = [nearest(reader, row) for row in rows]
    (tmp_path / ANN_FILE).unlink()
    without = [nearest(reader, row) for row in rows]

    assert (first, grown, without) == (units[:250], units, units)
    assert any("the approximate index is missing" in line for line in told)


@pytest.mark.parametrize("key", ["rows", "ann", "verified_rows"])
@pytest.mark.parametrize("text", ["{", "[]", "{}", "7", '{"header": {}, "segments": [1]}'])
def test_a_damaged_record_of_the_vectors_is_damage_of_the_catalogue(
    catalog: Catalog, tmp_path: Path, told: list[str], key: str, text: str
) -> None:
    units, rows = write_notes(catalog, range(8)), spread(8)
    vectors = vectors_of(catalog, tmp_path, told, exact=False)
    vectors.add(dict(zip(units, rows, strict=True)))
    catalog.set_rows({}, facts={key: text})

    with pytest.raises(DamagedIndexError, match="record of the vectors") as caught:
        nearest(vectors, rows[0])

    assert caught.value.where == str(tmp_path / "index.db")


KINDS: tuple[UnitKind, ...] = ("entity", "turn", "note", "note")


@pytest.fixture
def mixed(catalog: Catalog, tmp_path: Path, told: list[str]) -> UnitVectors:
    """Three hundred units of several kinds, covered by an approximate index, some rows dead."""
    stamp = Stamp(1, 1, 1, b"x")
    notes = [
        Note(
            f"{number:03}.md",
            "entity" if number % 50 == 0 else "note",
            "tool" if number % 50 == 0 else "note",
            "",
            str(number),
            units=(Unit(KINDS[number % 4], "", 1, f"text {number}"),),
        )
        for number in range(300)
    ]
    catalog.apply((note, stamp) for note in notes)
    vectors = vectors_of(catalog, tmp_path, told, exact_below=100)
    vectors.add(dict(zip(sorted(by_path(catalog).values()), spread(300), strict=True)))
    vectors.cover(nullcontext)
    catalog.apply(removed=[f"{number:03}.md" for number in range(0, 300, 7)])
    return vectors


WANTED = [
    Wanted(),
    Wanted(unsupported=True),
    Wanted(kinds=("note",)),
    Wanted(kinds=("entity",)),
    Wanted(kinds=("source",)),
    Wanted(types=("tool",)),
    Wanted(types=("policy",)),
]


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("k", [1, 20, 1_000])
@pytest.mark.parametrize("exact", [True, False, None])
def test_the_nearest_of_those_that_are_wanted_are_found(
    mixed: UnitVectors,
    catalog: Catalog,
    k: int,
    wanted: Wanted,
    exact: bool | None,
) -> None:
    mixed.exact = exact
    query, matrix = spread(1, seed=3)[0], mixed.matrix()

    found, _ = mixed.search(query, k, wanted)

    units = catalog.units_by_row(catalog.rows_wanted(wanted))
    cosines = {unit.id: float(matrix[row] @ query) for row, unit in units.items()}
    assert [unit for unit, _ in found] == sorted(cosines, key=lambda u: -cosines[u])[:k]
    assert dict(found) == pytest.approx({unit: cosines[unit] for unit, _ in found}, abs=1e-6)


def test_of_equally_near_units_the_first_by_path_are_found_however_their_rows_lie(
    catalog: Catalog, tmp_path: Path, told: list[str]
) -> None:
    units, rows = write_notes(catalog, range(9)), spread(9)
    vectors = vectors_of(catalog, tmp_path, told)
    vectors.add(dict.fromkeys(units[::-1], rows[0]))

    found, _ = vectors.search(rows[0], 4, Wanted())

    names = {unit: path for path, unit in by_path(catalog).items()}
    assert sorted(names[unit] for unit, _ in found) == ["0.md", "1.md", "2.md", "3.md"]

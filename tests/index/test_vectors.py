"""Rows come back as they were written, or the reason why they cannot."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vault_memory.errors import StorageError
from vault_memory.index.vectors import (
    Appended,
    Damaged,
    Header,
    OpenRows,
    append_rows,
    create_rows,
    mix_context,
    open_rows,
)

_HEADER = Header("model", "first", 8)
_BYTES_BEFORE_ROWS = 128


def _rows(count: int, seed: int = 0, dimension: int = 8) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _append(path: Path, rows: NDArray[np.float32], before: Appended) -> Appended:
    committed = before.segment.first + before.segment.rows
    done = append_rows(path, _HEADER, rows, committed=committed, verified=before.stamp)
    assert isinstance(done, Appended)
    return done


@settings(deadline=None)
@given(sizes=st.lists(st.integers(0, 5), max_size=5))
def test_what_was_appended_is_read(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "vectors.f32"
    blocks = [_rows(size, seed) for seed, size in enumerate(sizes)]
    steps = [create_rows(path, _HEADER)]
    for block in blocks:
        steps.append(_append(path, block, steps[-1]))

    segments = [step.segment for step in steps]
    for stamp in (None, steps[-1].stamp):
        opened = open_rows(path, _HEADER, segments=segments, verified=stamp)
        assert isinstance(opened, OpenRows)
        assert opened.stamp == steps[-1].stamp
        assert opened.matrix.shape == (sum(sizes), 8)
        assert opened.matrix.tobytes() == b"".join(block.tobytes() for block in blocks)


def test_rows_are_mapped_read_only(tmp_path: Path) -> None:
    made = create_rows(tmp_path / "v", _HEADER, [_rows(2)])
    opened = open_rows(tmp_path / "v", _HEADER, segments=[made.segment], verified=None)

    assert isinstance(opened, OpenRows)
    with pytest.raises(ValueError, match="read-only"):
        opened.matrix[0, 0] = 1


def test_rows_of_an_append_that_was_never_committed_are_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "v"
    made = create_rows(path, _HEADER, [_rows(3, 1)])
    _append(path, _rows(9, 2), made)

    before = open_rows(path, _HEADER, segments=[made.segment], verified=None)
    assert isinstance(before, OpenRows)
    again = append_rows(path, _HEADER, _rows(2, 3), committed=3, verified=before.stamp)
    assert isinstance(again, Appended)
    after = open_rows(path, _HEADER, segments=[made.segment, again.segment], verified=None)

    assert isinstance(after, OpenRows)
    assert after.stamp == again.stamp
    assert (after.matrix == np.concatenate([_rows(3, 1), _rows(2, 3)])).all()
    assert (before.matrix == _rows(3, 1)).all()


def test_a_new_file_leaves_readers_of_the_old_one_alone(tmp_path: Path) -> None:
    path = tmp_path / "v"
    old = create_rows(path, _HEADER, [_rows(3, 1)])
    reader = open_rows(path, _HEADER, segments=[old.segment], verified=None)
    assert isinstance(reader, OpenRows)
    new = create_rows(path, Header("model", "second", 8), [_rows(1, 2), _rows(1, 3)])

    assert (reader.matrix == _rows(3, 1)).all()
    assert new.segment.rows == 2
    assert [found.name for found in tmp_path.iterdir()] == ["v"]
    stale = open_rows(path, _HEADER, segments=[new.segment], verified=None)
    assert stale == Damaged("the vectors are of another generation")


def test_an_append_to_a_file_that_was_not_verified_leaves_it_so(tmp_path: Path) -> None:
    made = create_rows(tmp_path / "v", _HEADER, [_rows(3)])
    os.utime(tmp_path / "v", ns=(0, 0))
    done = append_rows(tmp_path / "v", _HEADER, _rows(1), committed=3, verified=made.stamp)

    assert isinstance(done, Appended)
    assert done.stamp is None


def _flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


_DAMAGES: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.unlink(), "missing"),
    (lambda path: path.write_bytes(b""), "cut off"),
    (lambda path: path.write_bytes(path.read_bytes()[:-1]), "cut off"),
    (lambda path: path.write_bytes(bytes(path.stat().st_size)), "format"),
    (lambda path: _flip(path, 0), "format"),
    (lambda path: _flip(path, 8), "format"),
    (lambda path: _flip(path, 12), "dimensions"),
    (lambda path: _flip(path, 16), "another model"),
    (lambda path: _flip(path, 64), "another generation"),
    (lambda path: _flip(path, _BYTES_BEFORE_ROWS), "row 0 on"),
    (lambda path: _flip(path, path.stat().st_size - 1), "row 3 on"),
    (_make_folder, "cannot be read"),
]


@pytest.mark.parametrize(("damage", "reason"), _DAMAGES)
def test_damage_is_a_value_that_says_what_is_wrong(
    tmp_path: Path, damage: Callable[[Path], object], reason: str
) -> None:
    path = tmp_path / "v"
    made = create_rows(path, _HEADER, [_rows(3, 1)])
    more = _append(path, _rows(2, 2), made)
    damage(path)

    segments = [made.segment, more.segment]
    found = open_rows(path, _HEADER, segments=segments, verified=more.stamp)

    assert isinstance(found, Damaged)
    assert reason in found.reason


@pytest.mark.parametrize("header", [Header("other", "first", 8), Header("model", "first", 4)])
def test_nothing_is_appended_to_a_file_of_another_sort(tmp_path: Path, header: Header) -> None:
    made = create_rows(tmp_path / "v", _HEADER, [_rows(3)])
    before = hashlib.sha256((tmp_path / "v").read_bytes())
    rows = _rows(1, dimension=header.dimension)

    done = append_rows(tmp_path / "v", header, rows, committed=3, verified=made.stamp)

    assert isinstance(done, Damaged)
    assert hashlib.sha256((tmp_path / "v").read_bytes()).digest() == before.digest()


def test_nothing_is_appended_behind_a_hole(tmp_path: Path) -> None:
    made = create_rows(tmp_path / "v", _HEADER, [_rows(3)])

    done = append_rows(tmp_path / "v", _HEADER, _rows(1), committed=4, verified=made.stamp)

    assert done == Damaged("the vectors are cut off")


def test_nothing_is_appended_to_a_file_that_is_gone(tmp_path: Path) -> None:
    done = append_rows(tmp_path / "v", _HEADER, _rows(1), committed=0, verified=None)

    assert done == Damaged("the vectors are missing")


def test_a_gap_in_the_record_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "v"
    made = create_rows(path, _HEADER, [_rows(3, 1)])
    more = _append(path, _rows(2, 2), made)

    found = open_rows(path, _HEADER, segments=[more.segment, made.segment], verified=None)

    assert found == Damaged("the record of the vectors has a gap")


@pytest.mark.parametrize("rows", [np.zeros((2, 7)), np.zeros(8), np.full((1, 8), np.nan)])
def test_rows_that_are_no_vectors_are_refused(tmp_path: Path, rows: NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match=r"numbers are needed|not finite"):
        create_rows(tmp_path / "v", _HEADER, [rows])

    assert list(tmp_path.iterdir()) == []


def test_names_too_long_for_the_header_are_refused() -> None:
    with pytest.raises(ValueError, match="48"):
        Header("m" * 49, "first").pack()


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    with pytest.raises(StorageError) as caught:
        create_rows(blocked / "v", _HEADER)
    assert str(blocked / "v") in caught.value.message

    with pytest.raises(StorageError):
        append_rows(tmp_path, _HEADER, _rows(1), committed=0, verified=None)


def test_context_is_half_of_what_came_before_and_a_tenth_of_what_follows() -> None:
    axes = np.eye(3, dtype=np.float32)

    mixed = mix_context(axes)

    expected = np.array([[1, 0.1, 0], [0.5, 1, 0.1], [0, 0.5, 1]])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert mixed.dtype == np.float32
    assert np.allclose(mixed, expected, atol=1e-7)


def test_a_unit_without_neighbours_keeps_its_vector() -> None:
    alone = _rows(1, dimension=384)

    assert np.allclose(mix_context(alone), alone, atol=1e-7)
    assert mix_context(np.empty((0, 384), np.float32)).shape == (0, 384)


@settings(deadline=None)
@given(count=st.integers(1, 40), seed=st.integers(0, 99))
def test_context_reaches_one_step_and_not_a_bit_further(count: int, seed: int) -> None:
    rows = _rows(count, seed, 384)
    place = seed % count
    low = max(place - 1, 0)
    near = rows[low : place + 2]

    assert (mix_context(rows)[place] == mix_context(near)[place - low]).all()

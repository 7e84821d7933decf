"""The approximate index of the first rows of a row file: usearch's HNSW in half precision.

usearch ends the process on a damaged file, so a file is opened only after Python has made sure,
by its checksum, that it is the one that was written, and that it belongs to these rows.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.index.checksums import Stamp, sha256_of, stamp_of
from vault_memory.index.durable import put_in_place
from vault_memory.index.session import load_runtime
from vault_memory.index.vectors import Damaged, refused

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from usearch.index import Index

    from vault_memory.index.vectors import Header

EXACT_BELOW = 20_000
"""Below so many rows no approximate index is made: exact search costs about 0.2 ms a thousand."""

TAIL_LIMIT = 10_000
"""So many rows may lie behind the covered ones, searched exactly, before the index is grown."""

_BLOCK = 4_096
"""Rows that usearch is given at once; it hears of no Ctrl-C until they are in."""

CONNECTIVITY = 16
EXPANSION_ADD = 128
EXPANSION_SEARCH = 1_024
"""Rows kept in sight while searching: of 49,000 vectors of short texts that are much alike, 0.967
of the ten nearest are found with 256, and 0.990 with this, in 2.5 ms of CPU."""


class AnnRecord(NamedTuple):
    """What the caller keeps about an HNSW file; the file alone proves nothing.

    Attributes:
        size: In bytes.
        sha256: Of the whole file, in hex.
        rows: It covers the first so many rows.
        dimension: Components of a row.
        model: The identity of the model.
        file_id: The id of the row file.
        dtype: How components are stored.
    """

    size: int
    sha256: str
    rows: int
    dimension: int
    model: str
    file_id: str
    dtype: str = "f16"


class BuiltAnn(NamedTuple):
    """An HNSW file that is safely on disk; both values are for the caller to commit."""

    record: AnnRecord
    stamp: Stamp


class AnnIndex:
    """A verified HNSW file, mapped into memory.

    Attributes:
        rows: It covers the first so many rows.
        stamp: To be stored and handed to the next ``open_ann``, which then need not verify.
    """

    def __init__(self, rows: int, stamp: Stamp, index: Index) -> None:
        self.rows = rows
        self.stamp = stamp
        self._index = index

    def candidates(self, query: NDArray[np.float32], k: int, ef: int) -> NDArray[np.int64]:
        """About the k nearest of the rows it covers, in no particular order.

        Args:
            query: A unit vector, shape (dimension,).
            k: How many.
            ef: How many are kept in sight while searching: more is slower and finds more.
        """
        import numpy as np

        self._index.expansion_search = max(ef, k)  # type: ignore[misc]  # it has a setter
        found: NDArray[np.int64] = self._index.search(query, k, threads=1).keys.astype(np.int64)
        return found


def ann_due(rows: int, covered: int, *, exact_below: int = EXACT_BELOW) -> bool:
    """Whether a row file of so many rows wants an approximate index that covers more of them.

    Args:
        rows: Rows that count.
        covered: How many the present index covers, 0 for none.
        exact_below: Rows below which none is wanted.
    """
    return rows >= exact_below and rows - covered > min(TAIL_LIMIT, exact_below // 2)


def build_ann(
    path: Path,
    matrix: NDArray[np.float32],
    header: Header,
    *,
    known: AnnRecord | None = None,
    grown_from: Path | None = None,
    threads: int = 2,
) -> BuiltAnn:
    """Indexes all rows of the matrix and replaces the file in one step.

    The caller makes sure that nobody else writes this file.

    Args:
        path: The file.
        matrix: All rows that count, shape (n, dimension).
        header: That of the row file.
        known: The record of the file that is there: when it proves sound and covers the first
            rows of the same row file, only the rows behind are added.
        grown_from: Where the known file lies, if not at the path.
        threads: How many threads add rows; with one, the same rows give the same file.

    Raises:
        StorageError: The disk refused; the old file is as it was.
    """
    import numpy as np

    index = _loaded(grown_from or path, header, known, len(matrix)) if known else None
    covered = known.rows if known and index is not None else 0
    if index is None:
        index = _new_index(header)
    for first in range(covered, len(matrix), _BLOCK):
        block = matrix[first : first + _BLOCK]
        index.add(np.arange(first, first + len(block), dtype=np.uint64), block, threads=threads)
    digest, stamp = _save(index, path)
    record = AnnRecord(
        size=stamp.size,
        sha256=digest,
        rows=len(matrix),
        dimension=header.dimension,
        model=header.model,
        file_id=header.file_id,
    )
    return BuiltAnn(record, stamp)


def open_ann(
    path: Path, header: Header, record: AnnRecord, *, verified: Stamp | None
) -> AnnIndex | Damaged:
    """Maps an HNSW file after making sure that it is the recorded one and of these rows.

    Args:
        path: The file.
        header: That of the row file.
        record: What was committed about it.
        verified: The stored stamp; when the file still has it, no checksum is computed.
    """
    wrong = _wrong_record(record, header)
    if wrong:
        return Damaged(wrong)
    try:
        stamp = stamp_of(path.stat())
        if stamp.size != record.size:
            return Damaged("the approximate index has another size than was written")
        if stamp != verified and sha256_of(path) != record.sha256:
            return Damaged("the approximate index is damaged")
    except FileNotFoundError:
        return Damaged("the approximate index is missing")
    except OSError as error:
        return Damaged(f"the approximate index cannot be read ({error.strerror})")
    return _view(path, header, record, stamp)


def _view(path: Path, header: Header, record: AnnRecord, stamp: Stamp) -> AnnIndex | Damaged:
    index = _index_class()(ndim=header.dimension, metric="ip", dtype=record.dtype)
    try:
        index.view(str(path))
    except (RuntimeError, ValueError) as error:
        return Damaged(f"the approximate index cannot be opened ({error})")
    if (index.ndim, len(index)) != (header.dimension, record.rows):
        return Damaged("the approximate index does not hold what was recorded")
    return AnnIndex(record.rows, stamp, index)


def _index_class() -> type[Index]:
    load_runtime()
    from usearch.index import Index

    return Index


def _new_index(header: Header) -> Index:
    return _index_class()(
        ndim=header.dimension,
        metric="ip",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
    )


def _loaded(path: Path, header: Header, known: AnnRecord, rows: int) -> Index | None:
    opened = open_ann(path, header, known, verified=None)
    if isinstance(opened, Damaged) or opened.rows > rows:
        return None
    index = _new_index(header)
    index.load(str(path))
    index.expansion_add = EXPANSION_ADD  # type: ignore[misc]  # it has a setter
    return index


def _save(index: Index, path: Path) -> tuple[str, Stamp]:
    """Saves durably; usearch says nothing when the disk is full before the last bytes."""
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        index.save(str(temporary))
        whole = temporary.stat().st_size == index.serialized_length
        digest = sha256_of(temporary)
        if whole:
            put_in_place(temporary, path)
            return digest, stamp_of(path.stat())
    except (OSError, RuntimeError) as error:
        raise refused(path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    raise refused(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _wrong_record(record: AnnRecord, header: Header) -> str:
    if record.dimension != header.dimension:
        return f"the approximate index has {record.dimension} dimensions, not {header.dimension}"
    if record.dtype != "f16":
        return f"the approximate index stores {record.dtype}, not f16"
    if record.model != header.model:
        return "the approximate index was made with another model"
    if record.file_id != header.file_id:
        return "the approximate index is of another generation"
    return ""

"""Rows of vectors on disk, appended and mapped into memory, and exact search in them.

A row file is a header of 128 bytes (magic, version of the format, dimension, identity of the model,
id of the file), then float32 rows, little-endian. How many rows count, and their checksums, is
known only to the caller, who commits them after the rows are on disk: what lies beyond is the
remnant of a crash, ignored by readers and overwritten by the next append.
"""

from __future__ import annotations

import mmap
import os
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.errors import StorageError
from vault_memory.index.checksums import Stamp, stamp_of
from vault_memory.index.durable import put_in_place
from vault_memory.index.regular import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

DIMENSION = 384
_HEADER = struct.Struct("<8sII48s48s16x")
_MAGIC = b"vaultvec"
_VERSION = 1


class Header(NamedTuple):
    """What a row file says about itself.

    Attributes:
        model: The identity of the model whose vectors these are, at most 48 bytes.
        file_id: A name of the caller's choice, new for every new file, at most 48 bytes.
        dimension: Components of a row.
    """

    model: str
    file_id: str
    dimension: int = DIMENSION

    @property
    def row_bytes(self) -> int:
        """The size of one row."""
        return 4 * self.dimension

    def pack(self) -> bytes:
        """The header as it stands in the file."""
        model, file_id = self.model.encode(), self.file_id.encode()
        if max(len(model), len(file_id)) > 48:
            raise ValueError("model and file id have at most 48 bytes")
        return _HEADER.pack(_MAGIC, _VERSION, self.dimension, model, file_id)


class Segment(NamedTuple):
    """Rows that were appended together.

    Attributes:
        first: Number of the first row.
        rows: How many rows.
        sha256: Of their bytes, in hex.
    """

    first: int
    rows: int
    sha256: str


class Damaged(NamedTuple):
    """A derived file that must not be used and has to be made again; the reason is for people."""

    reason: str


class Appended(NamedTuple):
    """Rows that are safely on disk, for the caller to commit.

    Attributes:
        segment: Which rows.
        stamp: To be stored as the file's verified stamp; None when the file as it was before had
            not been verified, so that the next reader has to.
    """

    segment: Segment
    stamp: Stamp | None


class OpenRows(NamedTuple):
    """A verified row file.

    Attributes:
        matrix: The rows, float32, shape (rows, dimension), mapped and read-only.
        stamp: To be stored and handed to the next ``open_rows``, which then need not verify.
    """

    matrix: NDArray[np.float32]
    stamp: Stamp


def create_rows(path: Path, header: Header, blocks: Iterable[NDArray[np.float32]] = ()) -> Appended:
    """Makes a row file, or replaces the one that is there, in one step.

    The caller must hold the lock of the index: there is one writer at a time.

    Args:
        path: Where. Readers that have the old file open keep it.
        header: What it is; its ``file_id`` must be new.
        blocks: Its first rows, each block of shape (n, dimension).

    Returns:
        All rows as one segment.

    Raises:
        StorageError: The disk refused; the old file is as it was.
        ValueError: A block has another shape or holds numbers that are not finite.
    """
    temporary = path.with_name(f"{path.name}.tmp")
    from hashlib import sha256

    digest, count = sha256(), 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(header.pack())
            for block in blocks:
                data = _row_bytes(block, header)
                file.write(data)
                digest.update(data)
                count += len(block)
        put_in_place(temporary, path)
        return Appended(Segment(0, count, digest.hexdigest()), stamp_of(path.stat()))
    except OSError as error:
        raise refused(path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def append_rows(
    path: Path,
    header: Header,
    rows: NDArray[np.float32],
    *,
    committed: int,
    verified: Stamp | None,
) -> Appended | Damaged:
    """Writes rows behind the committed ones and waits until they are on disk.

    The caller must hold the lock of the index: there is one writer at a time.

    Args:
        path: The row file.
        header: What it must be.
        rows: Shape (n, dimension).
        committed: How many rows count; what lies behind them is overwritten.
        verified: The stored stamp, if any.

    Raises:
        StorageError: The disk refused; the committed rows are as they were.
        ValueError: The rows have another shape or hold numbers that are not finite.
    """
    data = _row_bytes(rows, header)
    start = _HEADER.size + committed * header.row_bytes
    try:
        with path.open("r+b") as file:
            before = stamp_of(os.fstat(file.fileno()))
            wrong = _wrong_header(file.read(_HEADER.size), before.size, start, header)
            if wrong:
                return Damaged(wrong)
            file.seek(start)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            after = stamp_of(os.fstat(file.fileno()))
    except FileNotFoundError:
        return Damaged("the vectors are missing")
    except OSError as error:
        raise refused(path, error) from error
    from hashlib import sha256

    segment = Segment(committed, len(rows), sha256(data).hexdigest())
    return Appended(segment, after if before == verified else None)


def open_rows(
    path: Path, header: Header, *, segments: Sequence[Segment], verified: Stamp | None
) -> OpenRows | Damaged:
    """Maps the committed rows, after making sure that they are what was written.

    Args:
        path: The row file.
        header: What it must be.
        segments: The committed segments in order, without gaps.
        verified: The stored stamp; when the file still has it, checksums are not computed.
    """
    import numpy as np

    rows = sum(segment.rows for segment in segments)
    end = _HEADER.size + rows * header.row_bytes
    try:
        with open_regular(path) as file:
            stamp = stamp_of(os.fstat(file.fileno()))
            wrong = _wrong_header(file.read(_HEADER.size), stamp.size, end, header)
            if wrong:
                return Damaged(wrong)
            view = memoryview(mmap.mmap(file.fileno(), end, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        return Damaged("the vectors are missing")
    except OSError as error:
        return Damaged(f"the vectors cannot be read ({error.strerror})")
    body = view[_HEADER.size : end]
    if stamp != verified:
        wrong = _wrong_segments(body, segments, header)
        if wrong:
            return Damaged(wrong)
    matrix = np.frombuffer(body, dtype="<f4").reshape(rows, header.dimension)
    return OpenRows(matrix, stamp)


def join_segments(
    segments: Sequence[Segment],
    added: Segment,
    matrix: NDArray[np.float32],
    block: NDArray[np.float32],
) -> list[Segment]:
    """Join what was appended to the segments before it as long as these are no larger.

    So there are about as many segments as the number of rows has binary digits, and each row is
    hashed again no more often than that.

    Args:
        segments: The committed segments.
        added: What was appended.
        matrix: The committed rows, verified.
        block: The rows that were appended.
    """
    from hashlib import sha256

    import numpy as np

    kept = list(segments)
    first, count = added.first, added.rows
    while kept and kept[-1].rows <= count:
        first = kept.pop().first
        count = added.first + added.rows - first
    if first == added.first:
        return [*kept, added]
    digest = sha256(np.ascontiguousarray(matrix[first:], "<f4").data.cast("B"))
    digest.update(np.ascontiguousarray(block, dtype="<f4").tobytes())
    return [*kept, Segment(first, count, digest.hexdigest())]


def mix_context(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gives each unit vector of one note some of its neighbours' meaning, without embedding again.

    ``v = norm(e + 0.5 * previous + 0.1 * next)``, where a neighbour that is not there adds
    nothing. Each row depends on itself and its two neighbours alone, to the last bit.

    Args:
        vectors: Unit vectors of the units of one note in order, shape (n, dimension).

    Returns:
        Float32 of the same shape, each row of length 1.
    """
    import numpy as np

    mixed = vectors.astype(np.float64)
    mixed[1:] += 0.5 * vectors[:-1].astype(np.float64)
    mixed[:-1] += 0.1 * vectors[1:].astype(np.float64)
    lengths = np.sqrt(np.sum(mixed * mixed, axis=1, keepdims=True))
    unit: NDArray[np.float32] = (mixed / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit


def _row_bytes(rows: NDArray[np.float32], header: Header) -> bytes:
    import numpy as np

    if rows.ndim != 2 or rows.shape[1] != header.dimension:
        raise ValueError(f"rows of {header.dimension} numbers are needed, not {rows.shape}")
    if not np.isfinite(rows).all():
        raise ValueError("a vector holds a number that is not finite")
    return np.ascontiguousarray(rows, dtype="<f4").tobytes()


def _wrong_header(found: bytes, size: int, end: int, header: Header) -> str:
    if size < end:
        return "the vectors are cut off"
    if found == header.pack():
        return ""
    magic, version, dimension, model, _ = _HEADER.unpack(found)
    if (magic, version) != (_MAGIC, _VERSION):
        return "the vectors are not in a format that this version knows"
    if dimension != header.dimension:
        return f"the vectors have {dimension} dimensions, not {header.dimension}"
    if model.rstrip(b"\0") != header.model.encode():
        return "the vectors were made with another model"
    return "the vectors are of another generation"


def _wrong_segments(body: memoryview, segments: Sequence[Segment], header: Header) -> str:
    from hashlib import sha256

    expected = 0
    for segment in segments:
        if segment.first != expected:
            return "the record of the vectors has a gap"
        expected += segment.rows
        data = body[segment.first * header.row_bytes : expected * header.row_bytes]
        if sha256(data).hexdigest() != segment.sha256:
            return f"the vectors from row {segment.first} on are damaged"
    return ""


def refused(path: Path, error: OSError | RuntimeError) -> StorageError:
    """The error for a derived file that could not be written."""
    reason = getattr(error, "strerror", None) or error
    return StorageError(
        f"the disk refused the vectors ({reason})",
        where=str(path),
        cure="Free some space or make the folder writable, then run: vaultmem rebuild",
    )

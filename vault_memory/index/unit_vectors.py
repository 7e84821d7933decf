"""The vectors of the units: rows on disk and what the catalogue knows of them, kept in step.

The catalogue is the key map: rows count only once it says so, in the same transaction that tells
which unit lies at which row. So a crash at any point leaves the old state or the new one, and rows
of another file, model or generation are recognised before anything is searched.
"""

from __future__ import annotations

import json
import secrets
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from vault_memory.index.ann import EXACT_BELOW, AnnRecord, ann_due, build_ann, open_ann
from vault_memory.index.checksums import Stamp, stamp_of
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.nearest import measured, nearest
from vault_memory.index.vectors import (
    Appended,
    Damaged,
    Header,
    Segment,
    append_rows,
    create_rows,
    open_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.ann import AnnIndex
    from vault_memory.index.catalog import Catalog
    from vault_memory.index.rows import Wanted

ROWS_FILE = "vectors.f32"
ANN_FILE = "hnsw.usearch"

MOST_SEGMENTS = 256
"""Appends after which the rows are written anew as one segment."""

LEAST_DEAD = 1_000
"""Rows of units that are gone, below which it does not pay to write the others anew."""

_BLOCK = 8_192

_TRIES = 3
"""How often to look again when another process replaced the rows in between."""


class UnitVectors:
    """The vectors of one vault's units.

    Args:
        catalog: The open catalogue.
        folder: The derived folder.
        model: The identity of the model whose vectors these are.
        notify: Told in one line when something damaged has to be made again.
        writable: Whether the folder may be written to.
        exact_below: Rows below which an approximate index does not pay.
    """

    def __init__(
        self,
        catalog: Catalog,
        folder: Path,
        model: str,
        *,
        notify: Callable[[str], None],
        writable: bool = True,
        exact_below: int = EXACT_BELOW,
    ) -> None:
        self._exact_below = exact_below
        self._catalog = catalog
        self._rows_path = folder / ROWS_FILE
        self._ann_path = folder / ANN_FILE
        self._model = model
        self._notify = notify
        self._writable = writable

    def matrix(self) -> NDArray[np.float32]:
        """All committed rows, float32, shape (rows, dimension), verified; dead ones among them.

        Rows that are damaged or of another model are given up: their units are pending again.
        """
        return self._opened()[0]

    def _opened(self) -> tuple[NDArray[np.float32], str]:
        """The rows, and the id of the file they are in; an empty id when there are none."""
        import numpy as np

        for _ in range(_TRIES):
            facts = self._catalog.facts()
            if not facts.get("rows"):
                break
            header, segments = self._read_rows(facts["rows"])
            if header.model != self._model:
                self._give_up("the vectors were made with another model")
                break
            verified = self._read_stamp(facts.get("verified_rows"))
            opened = open_rows(self._rows_path, header, segments=segments, verified=verified)
            if not isinstance(opened, Damaged):
                if opened.stamp != verified:
                    self._remember("verified_rows", opened.stamp)
                return opened.matrix, header.file_id
            if self._catalog.facts().get("rows") == facts["rows"]:
                self._give_up(opened.reason)
                break
        return np.empty((0, 0), np.float32), ""

    def check(self) -> None:
        """Give up rows that are gone, damaged or of another model, so that they are pending.

        Rows that were verified and not touched since cost one ``stat``.
        """
        facts = self._catalog.facts()
        if facts.get("rows"):
            header = self._read_rows(facts["rows"])[0]
            verified = self._read_stamp(facts.get("verified_rows"))
            try:
                same = stamp_of(self._rows_path.stat()) == verified
            except FileNotFoundError:
                same = False
            if not same or header.model != self._model:
                self.matrix()

    def search(
        self,
        query: NDArray[np.float32],
        k: int,
        wanted: Wanted,
        *,
        also: Collection[int] = (),
    ) -> tuple[list[tuple[int, float]], dict[int, float]]:
        """The units nearest to a query, and how near some others are.

        Args:
            query: A unit vector, shape (dimension,).
            k: How many at most.
            wanted: Which units.
            also: Numbers of units to measure wherever they lie.

        Returns:
            Number and cosine of the nearest, best first, ties by row; cosine by number of those of
            ``also`` that have a vector.
        """
        for _ in range(_TRIES):
            matrix, file_id = self._opened()
            ann = self._ann()
            with self._catalog.snapshot():
                facts = self._catalog.facts()
                now = self._read_rows(facts["rows"])[0].file_id if facts.get("rows") else ""
                if now == file_id:
                    best = self._nearest(matrix, ann, query, k, wanted)
                    return best, self._cosines(matrix, query, also)
        return [], {}

    def _nearest(
        self,
        matrix: NDArray[np.float32],
        ann: AnnIndex | None,
        query: NDArray[np.float32],
        k: int,
        wanted: Wanted,
    ) -> list[tuple[int, float]]:
        """Search rows that are known to be those of the state that the catalogue shows."""
        import numpy as np

        chosen = np.array(self._catalog.rows_wanted(wanted), dtype=np.int64)
        chosen = chosen[chosen < len(matrix)]
        if not len(chosen):
            return []
        alive = np.zeros(len(matrix), dtype=np.bool_)
        alive[chosen] = True
        rows = nearest(matrix, query, k, ann=ann, alive=alive)[0].tolist()
        units = self._catalog.units_by_row(rows)
        scores = measured(matrix, query, rows)
        return [
            (units[row].id, score) for row, score in zip(rows, scores, strict=True) if row in units
        ]

    def _cosines(
        self, matrix: NDArray[np.float32], query: NDArray[np.float32], units: Collection[int]
    ) -> dict[int, float]:
        found = self._catalog.units_by_id(units).values() if units else ()
        rows = {unit.id: unit.row for unit in found if unit.row is not None}
        rows = {unit: row for unit, row in rows.items() if row < len(matrix)}
        cosines = measured(matrix, query, list(rows.values())) if rows else []
        return dict(zip(rows, cosines, strict=True))

    def add(self, vectors: Mapping[int, NDArray[np.float32]]) -> None:
        """Write the vectors of units and say in the catalogue where they lie, in one step.

        The caller holds the lock of the index.

        Args:
            vectors: Unit vector of shape (dimension,) by number of unit.
        """
        import numpy as np

        if not vectors:
            return
        block = np.stack(list(vectors.values()))
        committed = len(self.matrix())
        facts = self._catalog.facts()
        if facts.get("rows"):
            header, segments = self._read_rows(facts["rows"])
            verified = self._read_stamp(facts.get("verified_rows"))
            appended = append_rows(
                self._rows_path, header, block, committed=committed, verified=verified
            )
            if isinstance(appended, Appended):
                self._commit(header, [*segments, appended.segment], appended.stamp, vectors)
                return
            self._give_up(appended.reason)
        header = Header(self._model, secrets.token_hex(16), block.shape[1])
        made = create_rows(self._rows_path, header, [block])
        self._commit(header, [made.segment], made.stamp, vectors)

    def tidy(self) -> None:
        """Write the rows anew when too many are dead, or lie in too many pieces.

        The caller holds the lock of the index.
        """
        matrix = self.matrix()
        facts = self._catalog.facts()
        if not facts.get("rows"):
            return
        living = self._catalog.embedded()
        dead = len(matrix) - len(living)
        segments = self._read_rows(facts["rows"])[1]
        if (dead > LEAST_DEAD and dead * 4 > len(matrix)) or len(segments) > MOST_SEGMENTS:
            self._compact(matrix, living)

    def cover(self, locked: Callable[[], AbstractContextManager[object]]) -> None:
        """Cover the rows with HNSW when it is due, while others read and write the index.

        Nobody else does so meanwhile. What is committed in between is searched exactly; when the
        rows are written anew in between, what was made is thrown away.

        Args:
            locked: Holds the lock of the index, for the moment in which the file gets its name.
        """
        matrix, file_id = self._opened()
        facts = self._catalog.facts()
        known = self._read_ann(facts["ann"]) if facts.get("ann") else None
        covered = known.rows if known and known.file_id == file_id else 0
        if not file_id or not ann_due(len(matrix), covered, exact_below=self._exact_below):
            return
        header = Header(self._model, file_id, matrix.shape[1])
        draft = self._ann_path.with_name(f"{ANN_FILE}.new")
        try:
            built = build_ann(draft, matrix, header, known=known, grown_from=self._ann_path)
            with locked():
                rows = self._catalog.facts().get("rows")
                if rows and self._read_rows(rows)[0].file_id == file_id:
                    draft.replace(self._ann_path)
                    record, stamp = json.dumps(asdict(built.record)), _write_stamp(built.stamp)
                    self._catalog.set_rows({}, facts={"ann": record, "verified_ann": stamp})
        finally:
            draft.unlink(missing_ok=True)

    def blocks_in_order(self) -> Iterator[tuple[str, int, bytes]]:
        """Path, ordinal and vector of every embedded unit, by path, then ordinal."""
        matrix = self.matrix()
        for path, ordinal, _, row in self._catalog.ordered_units():
            if row is not None and row < len(matrix):
                yield path, ordinal, matrix[row].tobytes()

    def _compact(self, matrix: NDArray[np.float32], living: Sequence[tuple[int, int]]) -> None:
        import numpy as np

        rows = np.array([row for row, _ in living], dtype=np.int64)
        header = Header(self._model, secrets.token_hex(16), matrix.shape[1])
        blocks = (matrix[rows[at : at + _BLOCK]] for at in range(0, len(rows), _BLOCK))
        made = create_rows(self._rows_path, header, blocks)
        moved = {unit: at for at, (_, unit) in enumerate(living)}
        self._commit(header, [made.segment], made.stamp, moved)

    def _commit(
        self,
        header: Header,
        segments: Sequence[Segment],
        stamp: Stamp | None,
        units: Mapping[int, object],
    ) -> None:
        """Let rows count; the units lie in the last segment in the order given."""
        first = segments[-1].first
        self._catalog.set_rows(
            {unit: first + at for at, unit in enumerate(units)},
            facts={
                "rows": json.dumps(
                    {"header": asdict(header), "segments": [asdict(s) for s in segments]}
                ),
                "verified_rows": _write_stamp(stamp) if stamp else "",
            },
        )

    def _ann(self) -> AnnIndex | None:
        facts = self._catalog.facts()
        if not facts.get("ann") or not facts.get("rows"):
            return None
        header = self._read_rows(facts["rows"])[0]
        record = self._read_ann(facts["ann"])
        verified = self._read_stamp(facts.get("verified_ann"))
        opened = open_ann(self._ann_path, header, record, verified=verified)
        if isinstance(opened, Damaged):
            if record.file_id == header.file_id:
                self._notify(f"{opened.reason}; searching exactly until: vaultmem rebuild")
            if self._writable:
                self._catalog.set_rows({}, facts={"ann": ""})
            return None
        if opened.stamp != verified:
            self._remember("verified_ann", opened.stamp)
        return opened

    def _give_up(self, reason: str) -> None:
        self._notify(f"The index is made again from the notes: {reason}")
        if self._writable:
            self._catalog.clear_rows(facts={"rows": "", "ann": ""})

    def _remember(self, key: str, stamp: Stamp) -> None:
        if self._writable:
            self._catalog.set_rows({}, facts={key: _write_stamp(stamp)})

    def _read_rows(self, text: str) -> tuple[Header, list[Segment]]:
        with self._sound():
            read = json.loads(text)
            segments = [Segment(**segment) for segment in read["segments"]]
            return Header(**read["header"]), segments

    def _read_ann(self, text: str) -> AnnRecord:
        with self._sound():
            return AnnRecord(**json.loads(text))

    def _read_stamp(self, text: str | None) -> Stamp | None:
        with self._sound():
            return Stamp(**json.loads(text)) if text else None

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Tell a record that is not what was written as damage of the catalogue."""
        try:
            yield
        except (ValueError, TypeError, KeyError) as error:
            path = self._catalog.database.path
            raise DamagedIndexError(path, "its record of the vectors is damaged") from error


def _write_stamp(stamp: Stamp) -> str:
    return json.dumps(asdict(stamp))

"""The files that hold the vectors of the units, opened only as what the catalogue says they are.

The catalogue is the key map: rows count only once it says so, in the same transaction that tells
which unit lies at which row. So a crash at any point leaves the old state or the new one, and rows
of another file, model or generation are recognised before anything is searched.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vault_memory.index.ann import EXACT_BELOW, AnnRecord, open_ann
from vault_memory.index.checksums import Stamp, stamp_of
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.vectors import Damaged, Header, Segment, open_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.index.ann import AnnIndex
    from vault_memory.index.catalog import Catalog

ROWS_FILE = "vectors.f32"
ANN_FILE = "hnsw.usearch"

TRIES = 3
"""How often to look again when another process replaced a file in between."""


class VectorFiles:
    """The vector files of one vault.

    Args:
        catalog: The open catalogue.
        folder: The derived folder.
        model: The identity of the model whose vectors these are.
        notify: Told in one line when something damaged has to be made again.
        writable: Whether the folder may be written to.
        exact_below: Rows below which an approximate index does not pay.
        exact: Whether searches compare with every row; None for what costs less.
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
        exact: bool | None = None,
    ) -> None:
        self.exact = exact
        self._exact_below = exact_below
        self._catalog = catalog
        self._rows_path = folder / ROWS_FILE
        self._ann_path = folder / ANN_FILE
        self._model = model
        self._notify = notify
        self._writable = writable
        self._kept_ann: tuple[tuple[str, str], AnnIndex] | None = None

    def matrix(self) -> NDArray[np.float32]:
        """All committed rows, float32, shape (rows, dimension), verified; dead ones among them.

        Rows that are damaged or of another model are given up: their units are pending again.
        """
        return self._opened()[0]

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

    def _opened(self) -> tuple[NDArray[np.float32], str]:
        """The rows, and the id of the file they are in; an empty id when there are none."""
        import numpy as np

        for _ in range(TRIES):
            facts = self._catalog.facts()
            record = facts.get("rows")
            if not record:
                break
            header, segments = self._read_rows(record)
            verified = self._read_stamp(facts.get("verified_rows"))
            if header.model == self._model:
                opened = open_rows(self._rows_path, header, segments=segments, verified=verified)
                if not isinstance(opened, Damaged):
                    if opened.stamp != verified:
                        self._remember("verified_rows", opened.stamp)
                    return opened.matrix, header.file_id
                reason = opened.reason
            else:
                reason = "the vectors were made with another model"
            if self._give_up(record, reason):
                break
        return np.empty((0, 0), np.float32), ""

    def _ann(self) -> AnnIndex | None:
        for _ in range(TRIES):
            facts = self._catalog.facts()
            if not facts.get("ann") or not facts.get("rows"):
                break
            header = self._read_rows(facts["rows"])[0]
            record = self._read_ann(facts["ann"])
            if self._kept_ann and self._kept_ann[0] == (facts["ann"], header.file_id):
                kept = self._kept_ann[1]
                if self._stamp_of_ann() == kept.stamp:
                    return kept
            verified = self._read_stamp(facts.get("verified_ann"))
            opened = open_ann(self._ann_path, header, record, verified=verified)
            if not isinstance(opened, Damaged):
                if opened.stamp != verified:
                    self._remember("verified_ann", opened.stamp)
                self._kept_ann = (facts["ann"], header.file_id), opened
                return opened
            if self._forget({"ann": facts["ann"]}):
                if record.file_id == header.file_id:
                    self._notify(f"{opened.reason}; searching exactly until: vaultmem rebuild")
                break
        return None

    def _stamp_of_ann(self) -> Stamp | None:
        try:
            return stamp_of(self._ann_path.stat())
        except OSError:
            return None

    def _give_up(self, record: str, reason: str) -> bool:
        """Forget the rows unless another process has put others in their place meanwhile."""
        forgotten = self._forget({"rows": record})
        if forgotten:
            does = "The index is made again from the notes"
            self._notify(f"{does if self._writable else 'Searching by words alone'}: {reason}")
        return forgotten

    def _forget(self, seen: dict[str, str]) -> bool:
        if self._writable:
            return self._catalog.forget_vectors(seen)
        facts = self._catalog.facts()
        return all(facts.get(name) == record for name, record in seen.items())

    def _commit(
        self,
        header: Header,
        segments: Sequence[Segment],
        stamp: Stamp | None,
        units: Sequence[int],
    ) -> None:
        """Let rows count; the units lie in the last segment in the order given."""
        first = segments[-1].first + segments[-1].rows - len(units)
        self._catalog.set_rows(
            {unit: first + at for at, unit in enumerate(units)},
            facts=rows_facts(header, segments, stamp),
        )

    def _remember(self, key: str, stamp: Stamp) -> None:
        if self._writable:
            self._catalog.set_rows({}, facts={key: write_stamp(stamp)})

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


def rows_facts(header: Header, segments: Sequence[Segment], stamp: Stamp | None) -> dict[str, str]:
    """What the catalogue notes of a row file."""
    record = {"header": header._asdict(), "segments": [segment._asdict() for segment in segments]}
    return {"rows": json.dumps(record), "verified_rows": write_stamp(stamp) if stamp else ""}


def write_stamp(stamp: Stamp) -> str:
    """A stamp as the catalogue notes it."""
    return json.dumps(stamp._asdict())

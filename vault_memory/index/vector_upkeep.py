"""Writing the vectors of the units: rows are added, tidied, written anew, and covered by HNSW.

What takes long is made under another name while others read and write the index, and gets its name
within the transaction that lets it count.
"""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING

from vault_memory.index.ann import ann_due, build_ann
from vault_memory.index.checksums import stamp_of
from vault_memory.index.vector_files import (
    ANN_FILE,
    ROWS_FILE,
    VectorFiles,
    rows_facts,
    write_stamp,
)
from vault_memory.index.vectors import (
    Appended,
    Header,
    append_rows,
    create_rows,
    join_segments,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    Locked = Callable[[], AbstractContextManager[object]]

LEAST_DEAD = 1_000
"""Rows of units that are gone, below which it does not pay to write the others anew."""

COVERED_AT_ONCE = 50_000
"""Rows that are added to the approximate index before it is kept, at least."""

_BLOCK = 8_192


class VectorUpkeep(VectorFiles):
    """Writes the vector files of one vault."""

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
        matrix = self.matrix()
        facts = self._catalog.facts()
        if facts.get("rows"):
            header, segments = self._read_rows(facts["rows"])
            verified = self._read_stamp(facts.get("verified_rows"))
            appended = append_rows(
                self._rows_path, header, block, committed=len(matrix), verified=verified
            )
            if isinstance(appended, Appended):
                segments = join_segments(segments, appended.segment, matrix, block)
                self._commit(header, segments, appended.stamp, list(vectors))
                return
            self._give_up(facts["rows"], appended.reason)
        header = Header(self._model, _new_id(), block.shape[1])
        made = create_rows(self._rows_path, header, [block])
        self._commit(header, [made.segment], made.stamp, list(vectors))

    def tidy(self, locked: Locked) -> None:
        """Write the rows anew without those of units that are gone, when these are too many.

        Nobody else does so meanwhile. When rows come in between, all stays as it was.

        Args:
            locked: Holds the lock of the index, for the moment in which the file gets its name.
        """
        record = self._catalog.facts().get("rows")
        if not record:
            return
        rows = sum(segment.rows for segment in self._read_rows(record)[1])
        dead = rows - (self._catalog.unit_count() - self._catalog.pending_count())
        if dead > LEAST_DEAD and dead * 4 > rows:
            matrix = self.matrix()
            living = self._catalog.embedded()
            blocks = (living[at : at + _BLOCK] for at in range(0, len(living), _BLOCK))
            self._replace(
                (([unit for _, unit in some], matrix[[row for row, _ in some]]) for some in blocks),
                locked,
                instead_of=record,
            )

    def renew(self, vectors: Iterable[Mapping[int, NDArray[np.float32]]], locked: Locked) -> None:
        """Write all rows anew, while the old ones serve; units without one are pending then.

        Args:
            vectors: Unit vectors by number of unit, a piece at a time.
            locked: Holds the lock of the index, for the moment in which the file gets its name.
        """
        import numpy as np

        pieces = ((list(some), np.stack(list(some.values()))) for some in vectors if some)
        self._replace(pieces, locked)

    def _replace(
        self,
        pieces: Iterable[tuple[list[int], NDArray[np.float32]]],
        locked: Locked,
        *,
        instead_of: str | None = None,
    ) -> None:
        """Put a new row file in the place of the old one, if that is still the one it was."""
        draft = self._rows_path.with_name(f"{ROWS_FILE}.new")
        units = array("q")

        def blocks() -> Iterator[NDArray[np.float32]]:
            for some, block in pieces:
                units.extend(some)
                yield block

        waiting = blocks()
        first = next(waiting, None)
        if first is None:
            with locked():
                self._forget({"rows": instead_of or self._catalog.facts().get("rows", "")})
            return
        header = Header(self._model, _new_id(), first.shape[1])
        try:
            made = create_rows(draft, header, _behind(first, waiting))
            with locked():
                if instead_of in {None, self._catalog.facts().get("rows")}:

                    def place() -> dict[str, str]:
                        draft.replace(self._rows_path)
                        stamp = stamp_of(self._rows_path.stat())
                        return rows_facts(header, [made.segment], stamp) | {"ann": ""}

                    self._catalog.renew_rows(units, place)
        except OSError as error:
            raise refused(self._rows_path, error) from error
        finally:
            draft.unlink(missing_ok=True)

    def cover(self, locked: Locked, *, at_once: int = COVERED_AT_ONCE) -> None:
        """Cover the rows with HNSW when it is due, while others read and write the index.

        Nobody else does so meanwhile. It is kept piece by piece, and so goes on where it was
        interrupted. What is committed in between is searched exactly; when the rows are written
        anew in between, what was made is thrown away.

        Args:
            locked: Holds the lock of the index, for the moment in which the file gets its name.
            at_once: Rows to add before they are kept, at least.
        """
        while self._cover_more(locked, at_once):
            pass

    @property
    def is_cover_due(self) -> bool:
        """Whether ``cover`` has something to do, as far as the catalogue knows."""
        facts = self._catalog.facts()
        if not facts.get("rows"):
            return False
        header, segments = self._read_rows(facts["rows"])
        known = self._read_ann(facts["ann"]) if facts.get("ann") else None
        covered = known.rows if known and known.file_id == header.file_id else 0
        rows = sum(segment.rows for segment in segments)
        return ann_due(rows, covered, exact_below=self._exact_below)

    def _cover_more(self, locked: Locked, at_once: int) -> bool:
        """Cover more rows, and tell whether that was kept and yet more are due."""
        matrix, file_id = self._opened()
        facts = self._catalog.facts()
        known = self._read_ann(facts["ann"]) if facts.get("ann") else None
        covered = known.rows if known and known.file_id == file_id else 0
        if not file_id or not ann_due(len(matrix), covered, exact_below=self._exact_below):
            return False
        header = Header(self._model, file_id, matrix.shape[1])
        draft = self._ann_path.with_name(f"{ANN_FILE}.new")
        most = covered + max(at_once, covered // 2)
        try:
            built = build_ann(draft, matrix[:most], header, known=known, grown_from=self._ann_path)
            with locked():
                rows = self._catalog.facts().get("rows")
                if not rows or self._read_rows(rows)[0].file_id != file_id:
                    return False

                def place() -> dict[str, str]:
                    draft.replace(self._ann_path)
                    stamp = stamp_of(self._ann_path.stat())
                    record = json.dumps(built.record._asdict())
                    return {"ann": record, "verified_ann": write_stamp(stamp)}

                self._catalog.place_file(place)
        except OSError as error:
            raise refused(self._ann_path, error) from error
        finally:
            draft.unlink(missing_ok=True)
        return True


def _behind(
    first: NDArray[np.float32], others: Iterator[NDArray[np.float32]]
) -> Iterator[NDArray[np.float32]]:
    yield first
    yield from others


def _new_id() -> str:
    import secrets

    return secrets.token_hex(16)

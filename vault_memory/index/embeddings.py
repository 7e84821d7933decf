"""Every text that was ever embedded, with its vector, so that none is embedded twice.

``embeddings.db`` outlives the catalogue: a note that moved, came back or was checked out again, and
an index that was thrown away, cost no model. It only grows; ``prune`` is there to be called.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from vault_memory.index.database import Database, discard, open_database, open_for_reading

FILE_NAME = "embeddings.db"

_SCHEMA_VERSION = 1
_APPLICATION_ID = 0x564C5445
_PAGE_BYTES = 16384
_BATCH = 500
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL
);
"""


def open_embeddings(
    folder: Path, *, identity: str, dimension: int, mode: Literal["read", "write"] = "read"
) -> "Embeddings":
    """Open the embeddings of a derived folder; for writing, make the file when it is not there.

    Args:
        folder: The derived folder.
        identity: What the vectors depend on besides the text: the model and the pipeline's version.
        dimension: Numbers in a vector.
        mode: ``read`` changes nothing and works on a read-only disk too.

    Raises:
        DamagedIndexError: It is damaged, foreign or of another version, or for reading, not there.
        StorageError: The disk refuses.
    """
    path = folder / FILE_NAME
    if mode == "read":
        database = open_for_reading(path, application=_APPLICATION_ID, version=_SCHEMA_VERSION)
    else:
        database = open_database(
            path,
            tables=_TABLES,
            application=_APPLICATION_ID,
            version=_SCHEMA_VERSION,
            page_bytes=_PAGE_BYTES,
        )
    return Embeddings(database, identity, dimension)


def discard_embeddings(folder: Path) -> None:
    """Remove the embeddings of a derived folder; the caller holds the lock of the index."""
    discard(folder / FILE_NAME)


class Embeddings:
    """An open store of vectors by text; a context manager that closes it at the end.

    A vector is the bytes of its float32 numbers, little-endian. Each is stored with a checksum, and
    one that does not fit it is as if it were not there.
    """

    def __init__(self, database: Database, identity: str, dimension: int) -> None:
        self.database = database
        self._identity = hashlib.sha256(identity.encode())
        self._size = 4 * dimension

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def key(self, text: str) -> bytes:
        """Return the 16 bytes a text is stored under: of sha256 over identity and text."""
        hashed = self._identity.copy()
        hashed.update(b"\n" + text.encode("utf-8", "surrogatepass"))
        return hashed.digest()[:16]

    def get(self, texts: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of those texts that have one."""
        wanted = {self.key(text): text for text in texts}
        found: dict[str, bytes] = {}
        for keys in _batches(list(wanted)):
            rows = self.database.all(
                f"SELECT key, vector FROM embeddings WHERE key IN ({','.join('?' * len(keys))})",
                keys,
            )
            for key, stored in rows:
                vector, check = stored[:-4], stored[-4:]
                if len(vector) == self._size and _checksum(vector) == check:
                    found[wanted[key]] = vector
        return found

    def put(self, vectors: Mapping[str, bytes]) -> None:
        """Store vectors by text, in one transaction.

        Raises:
            ValueError: A vector has another dimension.
        """
        if any(len(vector) != self._size for vector in vectors.values()):
            raise ValueError(f"a vector here has {self._size} bytes")
        with self.database.writing():
            self.database.many(
                "INSERT INTO embeddings (key, vector) VALUES (?1, ?2)"
                " ON CONFLICT (key) DO UPDATE SET vector = ?2",
                [(self.key(text), vector + _checksum(vector)) for text, vector in vectors.items()],
            )

    def count(self) -> int:
        """Return how many vectors there are, of whatever model."""
        return int(self.database.all("SELECT count(*) FROM embeddings")[0][0])

    def prune(self, keep: Iterable[str]) -> int:
        """Remove every vector that is not of one of these texts, and return how many went."""
        kept = {self.key(text) for text in keep}
        with self.database.writing():
            gone = [
                row for row in self.database.all("SELECT key FROM embeddings") if row[0] not in kept
            ]
            self.database.many("DELETE FROM embeddings WHERE key = ?", gone)
        if gone:
            self.database.run("VACUUM")
        return len(gone)


def _checksum(vector: bytes) -> bytes:
    return zlib.crc32(vector).to_bytes(4, "little")


def _batches(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for at in range(0, len(keys), _BATCH):
        yield keys[at : at + _BATCH]

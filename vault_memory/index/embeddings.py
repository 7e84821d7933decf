"""Every text that was ever embedded, with its vector, so that none is embedded twice.

A turn of a conversation has the vectors of its tokens too, packed, under a key of their own.

``embeddings.db`` outlives the catalogue: a note that moved, came back or was checked out again, and
an index that was thrown away, cost no model. It only grows; ``prune`` is there to be called.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Self

from vault_memory.index.database import DamagedIndexError, Database, Row
from vault_memory.index.database_check import Kind, Mending
from vault_memory.index.database_open import open_database, open_for_reading

FILE_NAME = "embeddings.db"

_SCHEMA_VERSION = 1
_APPLICATION_ID = 0x564C5445
_BATCH = 500
_LAST_NUMBER = (1 << 63) - 1
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL
);
"""
_KIND = Kind(_APPLICATION_ID, _SCHEMA_VERSION, _TABLES, page_bytes=16384, sealed=False)


class TokenKind(NamedTuple):
    """Which token vectors are kept.

    Attributes:
        identity: What they depend on besides the text: model, pipeline and projection.
        token_bytes: How many bytes a token takes.
    """

    identity: str
    token_bytes: int


def open_embeddings(
    folder: Path,
    *,
    identity: str,
    dimension: int,
    tokens: TokenKind | None = None,
    mode: Literal["read", "write"] = "read",
    mend: Callable[[str], None] | None = None,
) -> "Embeddings":
    """Open the embeddings of a derived folder; for writing, make the file when it is not there.

    Args:
        folder: The derived folder.
        identity: What the vectors depend on besides the text: the model and the pipeline's version.
        dimension: Numbers in a vector.
        tokens: What token vectors are kept; None for none.
        mode: ``read`` changes nothing and works on a read-only disk too.
        mend: Have a damaged file made anew with what is sound in it, and told what was wrong.

    Raises:
        DamagedIndexError: It is damaged, foreign or of another version, or for reading, not there.
            Methods raise it too when they meet damage; when it leaves the context, the next to
            open the file makes it anew.
        StorageError: The disk refuses.
    """
    path = folder / FILE_NAME
    if mode == "read":
        database = open_for_reading(path, _KIND)
    else:
        mending = Mending(mend, _rescue) if mend else None
        database = open_database(path, _KIND, mending=mending)
    return Embeddings(database, identity, dimension, tokens)


class Embeddings:
    """An open store of vectors by text; a context manager that closes it at the end.

    A vector is the bytes of its float32 numbers, little-endian. Each is stored with a checksum, and
    one that does not fit it is as if it were not there.
    """

    def __init__(
        self, database: Database, identity: str, dimension: int, tokens: TokenKind | None = None
    ) -> None:
        self.database = database
        self._identity = hashlib.sha256(identity.encode())
        self._size = 4 * dimension
        self._tokens = tokens
        named = f"tokens {tokens.identity}" if tokens else ""
        self._token_identity = hashlib.sha256(named.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, DamagedIndexError) and error.where == str(self.database.path):
            self.database.condemn(error.reason)
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def key(self, text: str) -> bytes:
        """Return the 16 bytes a text is stored under: of sha256 over identity and text."""
        return _key(self._identity, text)

    def get(self, texts: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of those texts that have one."""
        return self._get({self.key(text): text for text in texts}, lambda size: size == self._size)

    def get_tokens(self, texts: Iterable[str]) -> dict[str, bytes]:
        """Return the packed token vectors of those texts that have them."""
        if self._tokens is None:
            return {}
        one = self._tokens.token_bytes
        wanted = {_key(self._token_identity, text): text for text in texts}
        return self._get(wanted, lambda size: size % one == 0)

    def put(self, vectors: Mapping[str, bytes], tokens: Mapping[str, bytes] | None = None) -> None:
        """Store vectors and packed token vectors by text, in one transaction.

        Raises:
            ValueError: A vector has another dimension, or tokens another size.
        """
        packed = tokens or {}
        if any(len(vector) != self._size for vector in vectors.values()):
            raise ValueError(f"a vector here has {self._size} bytes")
        one = self._tokens.token_bytes if self._tokens else 0
        if packed and not (one and all(len(bits) % one == 0 for bits in packed.values())):
            raise ValueError(f"a token here has {one} bytes")
        rows = [_row(self.key(text), vector) for text, vector in vectors.items()]
        rows += [_row(_key(self._token_identity, text), bits) for text, bits in packed.items()]
        with self.database.writing():
            self.database.many(
                "INSERT INTO embeddings (key, vector) VALUES (?1, ?2)"
                " ON CONFLICT (key) DO UPDATE SET vector = ?2",
                rows,
            )

    def count(self) -> int:
        """Return how many rows there are, of whatever model, of texts and of their tokens."""
        return int(self.database.all("SELECT count(*) FROM embeddings")[0][0])

    def prune(self, keep: Iterable[str]) -> int:
        """Remove every row that is not of one of these texts, and return how many went."""
        kept = {
            _key(identity, text)
            for text in keep
            for identity in (self._identity, self._token_identity)
        }
        with self.database.writing():
            gone = [
                row for row in self.database.all("SELECT key FROM embeddings") if row[0] not in kept
            ]
            self.database.many("DELETE FROM embeddings WHERE key = ?", gone)
        if gone:
            self.database.run("VACUUM")
        return len(gone)

    def _get(self, wanted: Mapping[bytes, str], fits: Callable[[int], bool]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for keys in _batches(list(wanted)):
            rows = self.database.all(
                f"SELECT key, vector FROM embeddings WHERE key IN ({','.join('?' * len(keys))})",
                keys,
            )
            for key, stored in rows:
                if _is_sound(key, stored) and fits(len(stored) - 4):
                    found[wanted[key]] = stored[:-4]
        return found


def _key(identity: "hashlib._Hash", text: str) -> bytes:
    hashed = identity.copy()
    hashed.update(b"\n" + text.encode("utf-8", "surrogatepass"))
    return hashed.digest()[:16]


def _row(key: bytes, vector: bytes) -> tuple[bytes, bytes]:
    """Key and vector, with a checksum of both: a key that leads elsewhere is damage too."""
    return key, vector + _checksum(key, vector)


def _is_sound(key: object, stored: object) -> bool:
    if not (isinstance(key, bytes) and isinstance(stored, bytes)):
        return False
    return _checksum(key, stored[:-4]) == stored[-4:]


def _checksum(key: bytes, vector: bytes) -> bytes:
    return zlib.crc32(vector, zlib.crc32(key)).to_bytes(4, "little")


def _batches(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for at in range(0, len(keys), _BATCH):
        yield keys[at : at + _BATCH]


def _rescue(damaged: Path, new: Database) -> None:
    """Bring what is sound in a damaged file into a new one, since embedding is what costs."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(damaged)) as old:
        reached, step = 0, 1
        while reached < _LAST_NUMBER:
            rows, reached, broken = _rows_after(old, reached)
            with new.writing():
                new.many(
                    "INSERT OR IGNORE INTO embeddings (key, vector) VALUES (?, ?)",
                    [row for row in rows if _is_sound(*row)],
                )
            if broken and not rows:
                reached, step = reached + step, step * 2
            elif broken or len(rows) == _BATCH:
                step = 1
            else:
                break


def _rows_after(old: sqlite3.Connection, number: int) -> tuple[list[Row], int, bool]:
    """Key and stored vector of the next rows, the number of the last, and whether damage came."""
    rows: list[Row] = []
    try:
        for at, key, stored in old.execute(
            "SELECT number, key, vector FROM embeddings WHERE number > ? ORDER BY number LIMIT ?",
            (number, _BATCH),
        ):
            rows.append((key, stored))
            number = max(number, at)
    except sqlite3.Error:
        return rows, number, True
    return rows, number, False

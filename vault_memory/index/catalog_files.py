"""Which files the index knows, and what tells whether one changed since it was read."""

import marshal
from _blake2 import blake2b  # hashlib loads OpenSSL, which costs 3 ms at every start
from collections.abc import Sequence
from typing import Any

from vault_memory.index.database import Database
from vault_memory.index.manifest import FileRow, Stamp
from vault_memory.index.stored import read_number, read_path, stored_path

LISTING = "listing"
"""The fact under which the digest of the whole listing is kept."""

_DOUBTED = -1
"""The size of a file that has to be read again; no file has it."""


class FileReader:
    """Reads what is known of files from an open index."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def files(self) -> list[FileRow]:
        """Return path, size, mtime_ns and inode of every file, sorted by path.

        It is as quick as it can be, since every command compares it with what is on the disk.
        """
        rows: list[FileRow] = self.database.all(
            "SELECT path, size, mtime_ns, inode FROM files ORDER BY path"
        )
        if self.database.one("SELECT 1 FROM meta WHERE key = 'odd_stamps'"):
            return sorted(
                (read_path(path), size, mtime_ns, read_number(inode))
                for path, size, mtime_ns, inode in rows
            )
        return rows

    def file(self, path: str) -> Stamp | None:
        """Return what the file at a path was when it was read; None when it is not known."""
        found = self.database.one(
            "SELECT size, mtime_ns, inode, sha256 FROM files WHERE path = ?", (stored_path(path),)
        )
        if found is None:
            return None
        size, mtime_ns, inode, sha256 = found
        return Stamp(size, mtime_ns, read_number(inode), sha256)

    def doubt(self, decoder: str) -> None:
        """Have every file read again, whether it changed or not; until then it is as it was.

        Args:
            decoder: What reads them, kept as a fact.
        """
        with self.database.writing():
            self.database.run("UPDATE files SET size = ?, sha256 = x''", (_DOUBTED,))
            self.database.many(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                [("decoder", decoder), (LISTING, "")],
            )

    def remember_listing(self, files: Sequence[FileRow]) -> None:
        """Note the digest of a listing, if what is known of the files is exactly that.

        Any change of what is known of files forgets it.
        """
        with self.database.writing():
            if self.files() == files:
                self.database.run(
                    "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                    (LISTING, listing_digest(files)),
                )


def listing_digest(files: Sequence[FileRow]) -> str:
    """Return what tells a listing, sorted by path, from any other, for a tenth of reading it."""
    plain: Any = files
    return blake2b(marshal.dumps(plain, 2), digest_size=32).hexdigest()

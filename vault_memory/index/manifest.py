"""What the catalogue knows of files, how much it holds, and what a change of it came to."""

from typing import NamedTuple

FileRow = tuple[str, int, int, int]
"""Path, size, mtime_ns and inode of one file, as a plain tuple because there are many."""


class Stamp(NamedTuple):
    """What a file was when it was indexed.

    Attributes:
        size: In bytes.
        mtime_ns: Time of the last change, in nanoseconds.
        inode: Its number in the file system.
        sha256: The 32 bytes of the hash of its content.
    """

    size: int
    mtime_ns: int
    inode: int
    sha256: bytes


class Applied(NamedTuple):
    """What one call of ``apply`` did.

    Attributes:
        added: How many notes are new.
        changed: How many notes replace what stood at their path.
        removed: How many notes went.
        generation: The index's generation afterwards.
    """

    added: int
    changed: int
    removed: int
    generation: int


class Counts(NamedTuple):
    """How much the index holds.

    Attributes:
        notes: Notes by kind.
        types: Entities by type.
        units: Units of text.
        pending: Units that have no row in the vectors yet.
        links: Links in prose and frontmatter.
    """

    notes: dict[str, int]
    types: dict[str, int]
    units: int
    pending: int
    links: int

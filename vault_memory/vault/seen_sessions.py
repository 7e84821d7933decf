"""Which session files were archived, and as what they were found: derived, and safe to lose."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import StorageError
from vault_memory.vault.layout import make_derived
from vault_memory.vault.replace import temporary_name

SEEN_FILE = "sessions.json"


class Seen(NamedTuple):
    """A session's file as it was when it was archived.

    Attributes:
        size: In bytes.
        mtime_ns: Time of its last change, in nanoseconds.
        source: ``session``, ``checkpoint``, or ``none`` for a file that holds no session.
    """

    size: int
    mtime_ns: int
    source: str


def read_seen(derived: Path) -> dict[str, Seen]:
    """Return what is known of each file by its path; nothing when it cannot be read."""
    try:
        known = json.loads((derived / SEEN_FILE).read_bytes())
        return {path: _seen(*row) for path, row in known.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def add_seen(derived: Path, more: Mapping[str, Seen]) -> None:
    """Add to what is known, as far as the disk allows; what another process adds just now may go.

    Nothing depends on it but time: a file of which nothing is known is looked at again.
    """
    if not more:
        return
    with suppress(OSError, StorageError):
        make_derived(derived)
        every = {path: seen for path, seen in read_seen(derived).items() if Path(path).exists()}
        temporary = derived / temporary_name()
        temporary.write_text(json.dumps({**every, **more}), encoding="ascii")
        temporary.replace(derived / SEEN_FILE)


def _seen(size: object, mtime_ns: object, source: object) -> Seen:
    if not (isinstance(size, int) and isinstance(mtime_ns, int) and isinstance(source, str)):
        raise TypeError
    return Seen(size, mtime_ns, source)

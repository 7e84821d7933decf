"""What an agent's program gives a hook on standard input, however it gives it."""

import json
import os
import time
from typing import Any, TextIO

Payload = dict[str, Any]

PATIENCE = 0.6
"""Seconds that a hook waits for its input to begin, or to go on; some clients never close it."""

_PIECE = 1 << 16
_MOST_SECONDS = 5.0
"""What is dripping for longer than this is no input."""


def read_hook_input(stream: TextIO, *, patience: float = PATIENCE) -> bytes:
    """Return what stands on a stream, until it ends, holds one whole object, or falls silent.

    Args:
        stream: Standard input.
        patience: Seconds without a byte after which it is taken to be silent.
    """
    try:
        handle = stream.fileno()
    except OSError:
        return stream.buffer.read()
    import select

    data = bytearray()
    over_at = time.monotonic() + _MOST_SECONDS
    silent_at = time.monotonic() + patience
    while (left := min(silent_at, over_at) - time.monotonic()) > 0:
        if not select.select([handle], [], [], left)[0]:
            break
        piece = os.read(handle, _PIECE)
        data += piece
        if not piece or (data.rstrip().endswith(b"}") and payload_of(bytes(data)) is not None):
            break
        silent_at = time.monotonic() + patience
    return bytes(data)


def payload_of(data: bytes) -> Payload | None:
    """Return the JSON object that a hook was given; None when it was given anything else."""
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None

"""This program started again in a session of its own, which outlives whoever started it."""

import os
import sys
import time
from collections.abc import Mapping, Sequence


def start_detached(
    words: Sequence[str], environ: Mapping[str, str], *, patience: float = 0.0
) -> str | None:
    """Start the program and return without it; with patience, hear first what it has to say.

    It has no terminal, no stream of its parent's and no process group with it, so that neither the
    end of an agent's session nor a kill of its group reaches it.

    Args:
        words: Its arguments; paths in them are absolute.
        environ: Its environment.
        patience: Seconds to wait for it to end; it goes on when they are over.

    Returns:
        What it said, when it ended in time; None when it still works.

    Raises:
        OSError: The system starts no more processes.
    """
    reader, writer = os.pipe()
    try:
        _spawn(words, environ, writer)
        os.close(writer)
        writer = -1
        return _said(reader, patience)
    finally:
        os.close(reader)
        if writer >= 0:
            os.close(writer)


def _spawn(words: Sequence[str], environ: Mapping[str, str], output: int) -> None:
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output, 1),
        (os.POSIX_SPAWN_DUP2, output, 2),
    ]
    command = [sys.executable, "-P", "-m", "vault_memory", *words]
    try:
        os.posix_spawn(sys.executable, command, environ, file_actions=streams, setsid=True)
    except NotImplementedError:
        import subprocess

        subprocess.Popen(  # noqa: S603 - this program
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _said(reader: int, patience: float) -> str | None:
    import select

    ends_at = time.monotonic() + patience
    data = b""
    while (left := ends_at - time.monotonic()) > 0 and select.select([reader], [], [], left)[0]:
        piece = os.read(reader, 1 << 16)
        data += piece
        if not piece:
            return data.decode("utf-8", "replace").strip()
    return None

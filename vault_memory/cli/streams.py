"""The standard streams: each there, in UTF-8, and never steering a terminal by what notes hold."""

import os
import re
import sys
from contextlib import suppress
from typing import NoReturn, TextIO

_CONTROL = re.compile(r"\x1b(?!\[(?:0|3[123])m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")


def prepare() -> None:
    """Make the process fit to read and write.

    A stream that was closed is opened on nothing: else the next file that is opened would take its
    place, and get what others print. Where the locale is of another encoding, the interpreter
    starts again in UTF-8, which the names of notes are in. numpy is told to compute on one thread:
    others would wait busily for the little there is to do, and starting them takes long.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - stays open
            setattr(sys, name, stream)
    if sys.getfilesystemencoding() != "utf-8":
        interpreter, *words = sys.orig_argv
        os.execv(sys.executable, [interpreter, "-X", "utf8", *words])  # noqa: S606 - itself again


def end(code: int) -> NoReturn:
    """End the process at once, when all it had to say is said and all it opened is closed.

    The interpreter would first take apart whatever it loaded: 8 ms and more of every command.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def write_out(text: str) -> None:
    """Print to standard output, whatever its encoding makes of the characters."""
    if text:
        _write(sys.stdout, text)


def write_error(text: str) -> None:
    """Print to standard error; who does not listen there misses it, and nothing else fails."""
    with suppress(OSError):
        _write(sys.stderr, text)


def leave_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(stream: TextIO, text: str) -> None:
    if stream.isatty():
        text = _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", text)
    stream.flush()
    stream.buffer.write((text + "\n").encode("utf-8", "backslashreplace"))
    stream.buffer.flush()

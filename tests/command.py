"""The command line as tests call it: in this process, or as a program of its own."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from vault_memory.cli.app import App
from vault_memory.cli.main import run

NOW = "2026-03-12T08:00:00Z"
PROGRAM = (sys.executable, "-c", "from vault_memory.cli.main import main; main()")


@dataclass(frozen=True, slots=True)
class Answer:
    """How one command ended, and what it said."""

    exit_code: int
    out: str
    err: str

    @property
    def data(self) -> Any:  # noqa: ANN401 - whatever the command answers
        """The data of its JSON form."""
        answer = json.loads(self.out)
        assert answer["schema_version"] == 1
        assert answer.keys() == {"schema_version", "data"}
        return answer["data"]

    @property
    def error(self) -> dict[str, str]:
        """The error of its JSON form: what is wrong, and the word for it."""
        assert self.out == ""
        error: dict[str, str] = json.loads(self.err)
        assert error.keys() == {"error", "code"}
        return error


@dataclass(frozen=True, slots=True)
class Shell:
    """Somebody who runs the command in a folder, away from the settings of who runs the tests."""

    folder: Path
    home: Path
    cache: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, str]:
        """The whole environment of the command."""
        own = {
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.cache),
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_NOSYSTEM": "1",
            "USER": "dani",
            "VAULTMEM_NOW": NOW,
        }
        return own | dict(self.environ)

    def run(self, *words: str, stdin: bytes = b"") -> Answer:
        """Run one command in this process."""
        out, err = _Captured(), _Captured()
        app = App(environ=self.variables, cwd=self.folder)
        with (
            _standard_input(stdin),
            contextlib.redirect_stdout(out.stream),
            contextlib.redirect_stderr(err.stream),
        ):
            code = run(words, app)
        return Answer(code, out.text, err.text)

    def ask(self, *words: str, stdin: bytes = b"") -> Any:  # noqa: ANN401 - whatever it answers
        """Run one command that must succeed, and give the data of its JSON form."""
        answer = self.run("--json", *words, stdin=stdin)
        assert answer.exit_code == 0, answer.err
        return answer.data

    def program(
        self,
        *words: str,
        stdin: bytes = b"",
        stdout: int | IO[bytes] = subprocess.PIPE,
        command: tuple[str, ...] = PROGRAM,
    ) -> Answer:
        """Run one command as a program of its own."""
        done = subprocess.run(
            [*command, *words],
            cwd=self.folder,
            env=self.variables | _coverage(),
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
        return Answer(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


class _Captured:
    """A stream like the one a pipe gives, which ends up in memory."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        self.stream = io.TextIOWrapper(self._bytes, "utf-8", "backslashreplace", newline="")

    @property
    def text(self) -> str:
        self.stream.flush()
        return self._bytes.getvalue().decode()


@contextlib.contextmanager
def _standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def _coverage() -> dict[str, str]:
    """What a measured process hands on, so that the program is measured too."""
    return {name: value for name, value in os.environ.items() if name.startswith("COV")}

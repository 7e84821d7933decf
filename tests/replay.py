"""Command transcripts in markdown: parsed, run again and compared, so that pages cannot lie.

A fenced block whose language is ``console`` holds commands and what they print::

    $ vaultmem graph search "who feeds the cat"
    Mina  person  [91%]  …
    $ vaultmem graph show Nobody
    No entity is named Nobody.
    [exit 3]

- A line that begins with ``$ `` is a command; ``> `` at the start of the next lines continues it.
  It runs under bash in a temporary folder, one folder a page, blocks in order.
- What follows is all that it prints, both streams, blanks at line ends aside. ``…`` inside a line
  stands for anything within that line (a time, an id, a path); a line of ``…`` alone is refused.
- ``[exit N]`` comes last where the exit code is not 0.

Comments on a line of their own direct the run: ``<!-- replay: vault NAME -->`` copies the notes
``tests/data/NAME`` to ``memory/`` as a vault, ``<!-- replay: now TIME -->`` sets the clock,
``<!-- replay: off -->`` leaves out the next block.

``python tests/replay.py PAGE…`` writes into the pages what the commands print now.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CHECKOUT = Path(__file__).resolve().parent.parent
WILDCARD = "…"
FIRST_DAY = "2026-03-09T08:00:00Z"
SECONDS = 120

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_DIRECTIVE = re.compile(r"<!-- replay: (vault|now|off)(?: (\S+))? -->")
_EXIT = re.compile(r"\[exit (\d+)\]")


class PageError(Exception):
    """A page whose transcript cannot be read."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page.

    Attributes:
        line: 1-based line of its ``$``.
        end: 1-based line after its expected output.
        words: What bash is given.
        expected: The lines that it prints.
        exit_code: Its exit code.
    """

    line: int
    end: int
    words: str
    expected: tuple[str, ...]
    exit_code: int


@dataclass(frozen=True, slots=True)
class Directive:
    """An instruction between the blocks."""

    kind: Literal["vault", "now"]
    value: str


Step = Command | Directive


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed, and how it ended."""

    command: Command
    printed: tuple[str, ...]
    exit_code: int

    @property
    def agrees(self) -> bool:
        """Whether it printed and ended as the page says."""
        return self.exit_code == self.command.exit_code and agree(
            self.command.expected, self.printed
        )

    @property
    def difference(self) -> str:
        """The page against the run, as a unified diff."""
        wanted = _with_exit(self.command.expected, self.command.exit_code)
        seen = _with_exit(merge(self.command.expected, self.printed), self.exit_code)
        body = "\n".join(difflib.unified_diff(wanted, seen, "page", "run", lineterm=""))
        return f"line {self.command.line}: $ {self.command.words}\n{body}"


def parse(text: str) -> list[Step]:
    """Read the steps of a page.

    Raises:
        PageError: A block or directive that makes no sense, with its line.
    """
    steps: list[Step] = []
    lines = text.split("\n")
    fence, language, start, off = "", "", 0, False
    for number, line in enumerate(lines):
        opening = _FENCE.fullmatch(line)
        if fence:
            if line.rstrip() == fence:
                if language == "console" and not off:
                    steps += _commands(lines, start, number)
                fence, off = "", off and language != "console"
        elif opening:
            fence, language, start = opening[1], opening[2].strip(), number + 1
        elif line.startswith("<!-- replay:"):
            directive = _DIRECTIVE.fullmatch(line)
            if directive is None or (directive[1] == "off") != (directive[2] is None):
                raise PageError(f"line {number + 1}: no such directive: {line}")
            off = off or directive[1] == "off"
            if directive[1] == "vault":
                steps.append(Directive("vault", directive[2]))
            elif directive[1] == "now":
                steps.append(Directive("now", directive[2]))
    if fence:
        raise PageError(f"line {start}: the fence is never closed")
    return steps


def _commands(lines: Sequence[str], start: int, end: int) -> list[Command]:
    commands: list[Command] = []
    position = start
    while position < end:
        if not lines[position].startswith("$ "):
            raise PageError(f"line {position + 1}: output before any command")
        first = position
        words = [lines[position][2:]]
        position += 1
        while position < end and lines[position].startswith("> "):
            words.append(lines[position][2:])
            position += 1
        printed: list[str] = []
        while position < end and not lines[position].startswith("$ "):
            if lines[position].strip() == WILDCARD:
                raise PageError(f"line {position + 1}: a wildcard alone proves nothing")
            printed.append(lines[position])
            position += 1
        mark = _EXIT.fullmatch(printed[-1]) if printed else None
        if mark:
            printed.pop()
        code = int(mark[1]) if mark else 0
        commands.append(Command(first + 1, position + 1, "\n".join(words), tuple(printed), code))
    return commands


def line_agrees(expected: str, printed: str) -> bool:
    """Whether a printed line is what the page shows, wildcards standing for anything."""
    parts = expected.split(WILDCARD)
    if len(parts) == 1:
        return expected == printed
    head, *middle, tail = parts
    if not printed.startswith(head) or not printed[len(head) :].endswith(tail):
        return False
    rest = printed[len(head) : len(printed) - len(tail)]
    for part in middle:
        _, found, rest = rest.partition(part) if part else ("", "found", rest)
        if not found:
            return False
    return True


def agree(expected: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether all printed lines are what the page shows."""
    return len(expected) == len(printed) and all(map(line_agrees, expected, printed))


def merge(expected: Sequence[str], printed: Sequence[str]) -> list[str]:
    """The printed lines, with the page's own wildcards where these still fit."""
    kept: list[str] = []
    waiting = [line for line in expected if WILDCARD in line]
    for line in printed:
        fitting = next((old for old in waiting if line_agrees(old, line)), None)
        if fitting is not None:
            waiting.remove(fitting)
        kept.append(line if fitting is None else fitting)
    return kept


def _with_exit(lines: Sequence[str], exit_code: int) -> list[str]:
    return [*lines, f"[exit {exit_code}]"] if exit_code else list(lines)


def environment(folder: Path, *, now: str = FIRST_DAY) -> dict[str, str]:
    """A clean environment: a home of its own, git without settings, a clock that stands still."""
    commands = Path(sys.executable).parent
    return {
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PATH": os.pathsep.join([str(commands), "/usr/local/bin", "/usr/bin", "/bin"]),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "COLUMNS": "80",
        "VAULTMEM_NOW": now,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "GIT_AUTHOR_DATE": now,
        "GIT_COMMITTER_DATE": now,
        **{name: os.environ[name] for name in ("COVERAGE_PROCESS_CONFIG",) if name in os.environ},
    }


def prepare(folder: Path) -> Path:
    """Lay out a folder to run in: a git identity, and the demo's session where a clone has it."""
    home = folder / "home"
    home.mkdir(parents=True)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ines Okafor\n\temail = ines@ferryline.example\n"
        "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
        encoding="utf-8",
    )
    root = folder / "root"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(CHECKOUT / "scripts" / "demo_session.jsonl", root / "scripts")
    return root


def run(steps: Sequence[Step], folder: Path) -> list[Outcome]:
    """Run the steps of one page in a new folder.

    Raises:
        PageError: A vault that is asked for does not exist.
    """
    root = prepare(folder)
    now = FIRST_DAY
    outcomes: list[Outcome] = []
    for step in steps:
        if isinstance(step, Command):
            outcomes.append(_run(step, root, environment(folder, now=now)))
        elif step.kind == "now":
            now = step.value
        else:
            source = CHECKOUT / "tests" / "data" / step.value
            if not source.is_dir():
                raise PageError(f"no such folder of notes: tests/data/{step.value}")
            shutil.copytree(source, root / "memory", dirs_exist_ok=True)
            (root / "memory" / ".vaultmem.toml").write_text("vault_format = 1\n", encoding="utf-8")
    return outcomes


def _run(command: Command, root: Path, environ: dict[str, str]) -> Outcome:
    done = subprocess.run(
        ["bash", "-c", command.words],
        cwd=root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
        timeout=SECONDS,
        check=False,
    )
    printed = done.stdout.replace(str(root.resolve()), WILDCARD).removesuffix("\n")
    lines = tuple(line.rstrip() for line in printed.split("\n")) if printed else ()
    return Outcome(command, lines, done.returncode)


def rewrite(text: str, outcomes: Sequence[Outcome]) -> str:
    """The page with what the commands printed in place of what it said."""
    lines = text.split("\n")
    for outcome in reversed(outcomes):
        command = outcome.command
        body = command.line + command.words.count("\n")
        printed = merge(command.expected, outcome.printed)
        lines[body : command.end - 1] = _with_exit(printed, outcome.exit_code)
    return "\n".join(lines)


def pages(checkout: Path = CHECKOUT) -> list[Path]:
    """All pages that may hold transcripts, sorted."""
    found = [*checkout.glob("docs/**/*.md"), *checkout.glob("tests/transcripts/*.md")]
    return sorted([checkout / "README.md", *found])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the commands print now into the pages named, or into all."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("page", nargs="*", type=Path, help="default: all pages")
    for page in parser.parse_args(arguments).page or pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as name:
            outcomes = run(parse(text), Path(name))
        if not all(outcome.agrees for outcome in outcomes):
            page.write_text(rewrite(text, outcomes), encoding="utf-8")
            print(f"rewrote {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

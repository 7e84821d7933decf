"""Frontmatter as it is on disk: its keys, where each is written, and its values as source text.

Nothing here types a value: ``2026-03-01``, ``NO``, ``1.10`` and ``01234`` are what a person sees.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from vault_memory.core.findings import Finding
from vault_memory.notes.frontmatter_keys import Key, Problem, place
from vault_memory.notes.frontmatter_lines import read_lines
from vault_memory.notes.frontmatter_yaml import read_yaml
from vault_memory.notes.scalars import number_in
from vault_memory.notes.text import MAX_FRONTMATTER_BYTES, encode_text, newline_of

_OPEN = re.compile(r"\ufeff?---[ \t]*(\r\n|\n|\r)")
_CLOSE = re.compile(r"\n---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSE_CR = re.compile(r"\r---[ \t]*(?:\r|\Z)")
_KEY_LINE = re.compile(r"[^\s#:][^:\r\n]{0,99}:(?:[ \t\r\n]|\Z)")
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?=[ \r\n])", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_NOT_NEWLINE = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The frontmatter of a note and where the body begins.

    Attributes:
        text: The whole note.
        present: Whether there is a block between fences.
        start: Where the YAML begins; without a block, where one would go (after a BOM).
        end: Where the closing fence begins.
        body: Where the body begins.
        newline: The line end of the opening fence; of the note when there is none.
        keys: The top-level keys in order; none when the block does not parse.
        problems: What is wrong or odd, in order of place.
    """

    text: str
    present: bool
    start: int
    end: int
    body: int
    newline: str
    keys: tuple[Key, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the frontmatter may be edited; else only a person can resolve it."""
        return not any(problem.blocks for problem in self.problems)

    def key(self, name: str) -> Key | None:
        """The first key of that name, or None."""
        for key in self.keys:
            if key.name == name:
                return key
        return None

    def get(self, name: str) -> str | None:
        """A scalar as a person sees it.

        Returns:
            The text without quotes, never typed; an empty string for a key without a value or with
            ``~``; None when the key is missing or holds a list or nested keys.
        """
        key = self.key(name)
        return None if key is None else key.text

    def get_list(self, name: str) -> list[str]:
        """The scalars of a list as a person sees them; one scalar is a list of one.

        Empty items are left out. Where a key occurs twice, the lists follow each other, so that no
        value is lost.
        """
        found: list[str] = []
        for key in self.keys:
            if key.name == name:
                found += [item.text for item in key.items or ()] if key.text is None else [key.text]
        return [text for text in found if text]

    def number(self, name: str) -> Decimal | None:
        """A finite number of 0 or more; None when there is none, or ``bad_number`` says why."""
        return number_in(self.get(name) or "")

    def bad_number(self, name: str) -> Problem | None:
        """What is wrong with a key that should hold a number; None when it does or has no value."""
        key = self.key(name)
        if key is None or key.text == "" or self.number(name) is not None:
            return None
        line, column = place(self.text, key.value.start)
        shown = "a list or nested keys" if key.text is None else key.text[:40]
        message = f"{name} is not a number of 0 or more but {shown!r}; write one such as 0.8"
        return Problem("frontmatter-number", line, column, message, blocks=False)

    def findings(self, path: str) -> tuple[Finding, ...]:
        """The problems as findings about the note at a path."""
        return tuple(problem.finding(path) for problem in self.problems)


def parse(text: str) -> Frontmatter:
    """Read the frontmatter of a note; what is wrong with it is in ``problems``, never raised."""
    opened = _OPEN.match(text)
    if opened is None:
        return _without(text)
    start, newline = opened.end(), opened[1]
    closing = _CLOSE_CR if newline == "\r" else _CLOSE
    closed = closing.search(text, start - 1)
    if closed is None:
        return _without(text, first_line=start)
    end = max(closed.start() + 1, start)
    if _too_large(text, start, end):
        message = (
            f"frontmatter is over {MAX_FRONTMATTER_BYTES // 1024} KiB and is not read; shorten it"
        )
        problems: tuple[Problem, ...] = (Problem("frontmatter-too-large", 1, 1, message),)
        return Frontmatter(text, True, start, end, closed.end(), newline, (), problems)
    keys = read_lines(text, start, end)
    problems = ()
    if keys is None:
        keys, problems = _read_slowly(text, start, end)
    problems += _duplicates(keys)
    return Frontmatter(text, True, start, end, closed.end(), newline, keys, problems)


def _without(text: str, *, first_line: int = 0) -> Frontmatter:
    """A note without a block: all of it is body."""
    at = 1 if text.startswith("\ufeff") else 0
    problems: tuple[Problem, ...] = ()
    if first_line and _KEY_LINE.match(text, first_line):
        message = "frontmatter has no closing fence; add a line of --- after its last key"
        problems = (Problem("frontmatter-unclosed", 1, 1, message),)
    elif _CONFLICT.match(text, at):
        problems = (_conflict(1),)
    return Frontmatter(text, False, at, at, at, newline_of(text), (), problems)


def _too_large(text: str, start: int, end: int) -> bool:
    if (end - start) * 4 <= MAX_FRONTMATTER_BYTES:
        return False
    return len(encode_text(text[start : min(end, start + MAX_FRONTMATTER_BYTES + 1)])) > (
        MAX_FRONTMATTER_BYTES
    )


def _read_slowly(text: str, start: int, end: int) -> tuple[tuple[Key, ...], tuple[Problem, ...]]:
    """Read what is no simple lines; both sides of a git conflict are left out, the rest is read."""
    marker = _CONFLICT.search(text, start, end)
    if marker is None:
        return read_yaml(text, start, end)
    line, _ = place(text, marker.start())
    rest = f"{text[:start]}{_blank_conflicts(text[start:end])}{text[end:]}"
    keys, problems = read_yaml(rest, start, end)
    return keys, (_conflict(line), *problems)


def _blank_conflicts(block: str) -> str:
    """The block with blanks for every character of a conflict, so that offsets stay."""
    kept: list[str] = []
    inside = False
    for line in _LINE.findall(block):
        closes = line.startswith(">" * 7)
        inside = inside or line.startswith("<" * 7)
        kept.append(_NOT_NEWLINE.sub(" ", line) if inside or closes else line)
        inside = inside and not closes
    return "".join(kept)


def _conflict(line: int) -> Problem:
    message = (
        "an unresolved git conflict in the frontmatter; resolve it, for example by vaultmem resolve"
    )
    return Problem("frontmatter-conflict", line, 1, message)


def _duplicates(keys: tuple[Key, ...]) -> tuple[Problem, ...]:
    if len({key.name for key in keys}) == len(keys):
        return ()
    first: dict[str, Key] = {}
    twice: dict[str, Key] = {}
    for key in keys:
        if first.setdefault(key.name, key) is not key:
            twice.setdefault(key.name, key)
    return tuple(
        Problem(
            "frontmatter-duplicate-key",
            key.line,
            1,
            f"'{name}' stands here and in line {first[name].line}; keep one of them",
        )
        for name, key in twice.items()
    )

"""What reading frontmatter gives: keys with their spans, and what is wrong with the block."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from vault_memory.core.findings import Finding, Severity
from vault_memory.notes.lines import LineCounter

Form = Literal["empty", "plain", "single", "double", "block", "flow-list", "block-list", "other"]
"""How a value is written; ``block`` is a literal or folded scalar, ``other`` is nested."""


class Span(NamedTuple):
    """A piece of the note's text, as indices into it."""

    start: int
    end: int


class Item(NamedTuple):
    """One scalar of a list: its text as a person sees it, and where it is written."""

    text: str
    start: int
    end: int


class Key(NamedTuple):
    """One top-level key of the frontmatter.

    A tuple and no dataclass, since thousands are made when a vault is read.

    Attributes:
        name: The key without quotes.
        start: Where the line of the key begins.
        end: After the line end of the last line of its value.
        colon: After its colon.
        value: Where its value is written, without comments; an empty span when it has none.
        line: 1-based line in the file.
        form: How its value is written.
        text: A scalar as a person sees it: unquoted, not typed; None for lists and nested values.
        items: The scalars of a list; None for anything else.
    """

    name: str
    start: int
    end: int
    colon: int
    value: Span
    line: int
    form: Form
    text: str | None
    items: tuple[Item, ...] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong or odd in frontmatter.

    Attributes:
        rule: Stable name in kebab case.
        line: 1-based line in the file.
        column: 1-based column, in characters.
        message: What is wrong and what to do, one line.
        severity: As in a finding.
        blocks: Whether nothing may write to the frontmatter until a person resolved it.
    """

    rule: str
    line: int
    column: int
    message: str
    severity: Severity = "error"
    blocks: bool = True

    def finding(self, path: str) -> Finding:
        """The problem as a finding about the note at a path."""
        return Finding(path, self.line, self.rule, self.message, self.severity)


def line_start(text: str, at: int) -> int:
    """Where the line that holds an offset begins."""
    after_feed = text.rfind("\n", 0, at) + 1
    return max(text.rfind("\r", after_feed, at) + 1, after_feed)


def place(text: str, at: int) -> tuple[int, int]:
    """The 1-based line and column of an offset."""
    begin = line_start(text, at)
    return LineCounter(text).at(begin), at - begin + 1

"""MEMORY.md taken apart into single facts: an item of a list, or a paragraph."""

import re
from collections.abc import Iterator

from vault_memory.core.curated import Fact
from vault_memory.notes.fences import close_fences

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_ITEM = re.compile(r" ?(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_SILENT = re.compile(r"(?:<!--.*-->|[-*_ \t]{3,})$")


def curated_facts(text: str) -> list[Fact]:
    """Return the facts of MEMORY.md, in order; headings, rules and frontmatter are none.

    What is indented below an item, and the lines of a fence, belong to the fact they stand in.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(_facts(lines, _behind_frontmatter(lines)))


def _facts(lines: list[str], first: int) -> Iterator[Fact]:
    headings: list[tuple[int, str]] = []
    held: list[str] = []
    began = 0

    def fact() -> Iterator[Fact]:
        said = "\n".join(held).strip()
        if said and not _SILENT.match(said):
            yield Fact(said, " / ".join(name for _, name in headings), began)
        held.clear()

    for line in close_fences(lines[first:]):
        if line.number < 0:
            continue
        heading = None if line.code else _HEADING.match(line.text)
        starts = not line.code and (heading or not line.text.strip() or _ITEM.match(line.text))
        if starts:
            yield from fact()
        if heading:
            level = len(heading[1])
            headings = [each for each in headings if each[0] < level] + [(level, heading[2])]
            continue
        if line.text.strip() or held:
            began = began if held else first + line.number + 1
            held.append(line.text)
    yield from fact()


def _behind_frontmatter(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    ends = (place for place, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."})
    return next(ends, -1) + 1

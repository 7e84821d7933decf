"""A note's sections by heading, and the cutting of a section into pieces of bounded size."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from vault_memory.notes.leaves import Leaf, leaves
from vault_memory.notes.lines import LineCounter

_HEAVY = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3100-\u31bf"
    "\u31f0-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003fffd]"
)
_PARAGRAPH = re.compile(r"\r?\n(?:[ \t]*\r?\n)+")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*[ \t]+|[。！？｡]+")  # noqa: RUF001 - full-width marks
_WORD = re.compile(r"[ \t]+")
_ENDS = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text up to the next heading of any level.

    Attributes:
        level: 1 to 6; 0 for what stands before the first heading.
        title: The heading's text without its marks; empty for the head.
        path: The titles of the headings it lies under, its own last; empty for the head.
        start: Where the heading begins.
        body: Where the text behind the heading begins.
        end: Where the next heading begins, or the note ends.
        outer_end: Where its deeper sections end too.
        line: 1-based line of ``start``.
    """

    level: int
    title: str
    path: tuple[str, ...]
    start: int
    body: int
    end: int
    outer_end: int
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a section: its span, without blanks at either end, and its 1-based first line."""

    start: int
    end: int
    line: int


def sections(text: str, body_start: int = 0) -> tuple[Section, ...]:
    """The sections of a note, in order; together they are its whole body.

    The head, which stands before the first heading, is left out when it is blank. Headings in
    code, comments, quotes and lists are none.

    Args:
        text: The whole note.
        body_start: Where the body begins, behind the frontmatter.
    """
    heads = [leaf for leaf in leaves(text, body_start) if leaf.kind == "heading" and not leaf.depth]
    starts = [_line_start(text, leaf.start, body_start) for leaf in heads]
    lines = LineCounter(text)
    found = []
    body_start = max(body_start, text.startswith("\ufeff"))
    first = starts[0] if starts else len(text)
    if text[body_start:first].strip():
        found.append(Section(0, "", (), body_start, body_start, first, first, lines.at(body_start)))
    outer = _outer_ends([leaf.level for leaf in heads], starts, len(text))
    path: list[tuple[int, str]] = []
    for index, (leaf, start) in enumerate(zip(heads, starts, strict=True)):
        while path and path[-1][0] >= leaf.level:
            path.pop()
        path.append((leaf.level, _title(text, leaf)))
        titles = tuple(title for _, title in path)
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        body = min(leaf.end + 1, len(text))
        line = lines.at(start)
        found.append(Section(leaf.level, titles[-1], titles, start, body, end, outer[index], line))
    return tuple(found)


def _line_start(text: str, position: int, floor: int) -> int:
    while position > floor and text[position - 1] == " ":
        position -= 1
    return position


def _title(text: str, heading: Leaf) -> str:
    lines = re.split(r"\r\n?|\n", text[heading.start : heading.end].rstrip())
    if len(lines) > 1:
        return " ".join(" ".join(lines[:-1]).split())
    title = lines[0].lstrip("#").strip(" \t")
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title


def _outer_ends(levels: list[int], starts: list[int], size: int) -> list[int]:
    ends = [size] * len(levels)
    open_heads: list[int] = []
    for index, level in enumerate(levels):
        while open_heads and levels[open_heads[-1]] >= level:
            ends[open_heads.pop()] = starts[index]
        open_heads.append(index)
    return ends


def blocks(
    text: str, start: int = 0, end: int | None = None, *, limit: int = 1000, line: int = 1
) -> tuple[Block, ...]:
    """Cut a stretch of text into pieces that weigh at most ``limit``.

    A character weighs 1, and 3 in scripts that the embedding model spells out (Chinese, Japanese,
    Korean, Thai and their neighbours). Cuts fall between paragraphs; where one is too heavy,
    between its lines, then sentences, then words, then anywhere. Only blanks are left out.

    Args:
        text: The whole note.
        start: Where the stretch begins.
        end: Where it ends; the end of the text by default.
        limit: The greatest weight of a piece, at least 3.
        line: The 1-based line of ``start``.
    """
    stop = len(text) if end is None else end
    lines = LineCounter(text, start, line)
    found = []
    for first, last in _packed(text, start, stop, limit):
        piece = text[first:last]
        begin = first + len(piece) - len(piece.lstrip())
        if begin < last:
            found.append(Block(begin, begin + len(piece.strip()), lines.at(begin)))
    return tuple(found)


def weight(text: str) -> int:
    """How much a text weighs against the limit of `blocks`."""
    return len(text) if text.isascii() else len(text) + 2 * len(_HEAVY.findall(text))


def _packed(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Join neighbouring atoms as long as they weigh no more than the limit together."""
    begin, total = start, 0
    for first, _, heft in _atoms(text, start, end, limit, 0):
        if total and total + heft > limit:
            yield begin, first
            begin, total = first, 0
        total += heft
    if begin < end:
        yield begin, end


def _atoms(
    text: str, start: int, end: int, limit: int, level: int
) -> Iterator[tuple[int, int, int]]:
    """Cut at the coarsest ends that make the parts light enough: ``(start, end, weight)``."""
    if level == len(_ENDS):
        yield from _slices(text, start, end, limit)
        return
    cuts = (match.end() for match in _ENDS[level].finditer(text, start, end))
    for first, last in pairwise((start, *cuts, end)):
        heft = weight(text[first:last])
        if heft > limit:
            yield from _atoms(text, first, last, limit, level + 1)
        elif heft:
            yield first, last, heft


def _slices(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int, int]]:
    """Cut one long word, or a run of blanks, wherever the limit is reached."""
    begin, total = start, 0
    for at in range(start, end):
        heft = 3 if _HEAVY.match(text, at) else 1
        if total + heft > limit:
            yield begin, at, total
            begin, total = at, 0
        total += heft
    yield begin, end, total

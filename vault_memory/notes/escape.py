"""Message content made harmless in a note, and read back as it was.

Outside code nothing in a message may be markup that has power over the note: a heading, a tag, an
HTML or Obsidian comment, math, an embed, a wikilink, a block id. Code is left alone, and is only
taken for code where every reader agrees that it is: a fence by ``fences``, a code span only when
it begins and ends on one line.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator

from vault_memory.notes.fences import Line, close_fences

_ESCAPED = frozenset("\\`<$[]!#%^~-=")
"""What a backslash is ever put before, so what it is taken away from."""

_PREFIX = re.compile(r"(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*")
_UNDERLINE = re.compile(r"[ \t>]*(?:-+|=+)[ \t]*$")
_BLOCK_ID = re.compile(r"(?:(?<=[\s>])|^)\^(?=[A-Za-z0-9-]{1,200}[ \t]*$)")
_PLAIN_LINK = re.compile(r"\]\((?:[^()\s`\"'\\<]|\([^()\s`\"'\\<]*\))*(?:[ \t]+\"[^\"`\\\n]*\")?\)")
_POWER = re.compile(r"[\\`<$\[\]!#%^]")
_TICKS = re.compile(r"`+")
_MEANING = re.compile(r"\\[\\`<$\[\]!#%^~=-]|`+")
_BARE_PIPE = re.compile(r"(?<!\\)\|")
_TAG_CHARACTER = re.compile(r"[\w/-]|[^\x00-\x7f\s]")
_AFTER_WORD = re.compile(r"[\w/&=?.\-~%+]")


def escape(text: str) -> str:
    r"""Return the text with a backslash before all that has power, and every fence closed.

    Line ends become ``\n``.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = list(close_fences(text.split("\n")))
    tables = _table_lines(lines)
    return "\n".join(
        line.text if line.code else _escape_line(line.text, in_table=place in tables)
        for place, line in enumerate(lines)
    )


def escape_line(text: str, *, in_table: bool = False) -> str:
    """Return a text as one harmless line, blanks in a row made one; it never opens a fence.

    Args:
        text: Any text.
        in_table: Whether the line goes into a table's cell, where a pipe ends a code span; pipes
            themselves are left to the caller.
    """
    return _escape_line(" ".join(text.split()), in_table=in_table)


def unescape(text: str) -> str:
    """Return the text that was escaped; ends that were added to fences stay."""
    return "\n".join(
        line.text if line.code or "\\" not in line.text else _unescape_line(line.text)
        for line in close_fences(text.split("\n"))
        if line.number >= 0
    )


def _table_lines(lines: list[Line]) -> set[int]:
    """Return the places of lines whose paragraph may be a table: there a pipe ends a code span."""
    found: set[int] = set()
    paragraph: list[int] = []
    is_table = False
    for place, line in enumerate(lines):
        if line.code or not line.text.strip(" \t>"):
            if is_table:
                found.update(paragraph)
            paragraph, is_table = [], False
            continue
        paragraph.append(place)
        is_table = is_table or ("-" in line.text and not line.text.strip(" \t>|:-"))
    if is_table:
        found.update(paragraph)
    return found


def _escape_line(line: str, *, in_table: bool) -> str:
    if _UNDERLINE.match(line):
        bare = line.lstrip(" \t>")
        return f"{line[: len(line) - len(bare)]}\\{bare}"
    found = _PREFIX.match(line)
    start = found.end() if found else 0
    kept = [line[:start]]
    if line.startswith(("#", "~~~"), start) or (
        line.startswith("[!", start) and ">" in line[:start]
    ):
        run = len(line) - start - len(line[start:].lstrip("~")) if line[start] == "~" else 1
        kept.extend(f"\\{char}" for char in line[start : start + run])
        start += run
    kept.extend(_escape_words(line, start, in_table=in_table))
    return "".join(kept)


def _escape_words(line: str, position: int, *, in_table: bool) -> Iterator[str]:
    """Yield the line from a position on, escaped."""
    block_id = _BLOCK_ID.search(line, position)
    spans = _code_spans(line, position, in_table=in_table)
    while found := _POWER.search(line, position):
        place = found.start()
        yield line[position:place]
        if end := spans.get(place):
            yield line[place:end]
            position = end
            continue
        escaped = _needs_escape(line, place) or (block_id and place == block_id.start())
        yield f"\\{line[place]}" if escaped else line[place]
        position = place + 1
    yield line[position:]


def _needs_escape(line: str, place: int) -> bool:
    """Return whether the character there, outside code, has power."""
    char, after, before = line[place], line[place + 1 : place + 2], line[place - 1 : place]
    needed = char in "`<$"
    if char == "\\":
        needed = after in _ESCAPED
    elif char in "%[":
        needed = char in (after, before)
    elif char == "!":
        needed = after == "["
    elif char == "]":
        needed = after == ":" or (after == "(" and not _PLAIN_LINK.match(line, place))
    elif char == "#":
        needed = _TAG_CHARACTER.match(after) is not None and not _AFTER_WORD.match(before)
    return needed


class _Runs:
    """The runs of backticks of a line, to find what ends a code span; each step costs once."""

    def __init__(self, line: str, start: int) -> None:
        self.length: dict[int, int] = {}
        self._starts: dict[int, deque[int]] = defaultdict(deque)
        for run in _TICKS.finditer(line, start):
            length = run.end() - run.start()
            self.length[run.start()] = length
            self._starts[length].append(run.start())

    def closing(self, begin: int) -> int:
        """Return where the next run as long as the one that begins here starts; -1 if none does."""
        starts = self._starts[self.length[begin]]
        while starts and starts[0] <= begin:
            starts.popleft()
        return starts[0] if starts else -1


def _code_spans(line: str, start: int, *, in_table: bool) -> dict[int, int]:
    """Return where each code span that begins and ends on this line starts and where it ends."""
    runs = _Runs(line, start)
    spans: dict[int, int] = {}
    inside = start
    for begin, length in runs.length.items():
        if begin < inside or (closing := runs.closing(begin)) < 0:
            continue
        if not (in_table and _BARE_PIPE.search(line, begin + length, closing)):
            inside = spans[begin] = closing + length
    return spans


def _unescape_line(line: str) -> str:
    runs = _Runs(line, 0)
    kept: list[str] = []
    position = 0
    while found := _MEANING.search(line, position):
        place = found.start()
        kept.append(line[position:place])
        position = found.end()
        if line[place] == "\\":
            kept.append(line[place + 1 : position])
            continue
        closing = runs.closing(place) if place in runs.length else -1
        if closing >= 0:
            position = closing + runs.length[place]
        kept.append(line[place:position])
    kept.append(line[position:])
    return "".join(kept)

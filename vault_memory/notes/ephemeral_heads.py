"""Where the entries of EPHEMERAL.md begin."""

from collections.abc import Iterator, Sequence

RULE = "---"

LONGEST_HEAD = 4_000
"""Characters of a heading; a longer line begins no entry."""

_FACTS = ("**Duration**:", "**Messages**:", "**Archive**:")


def count_entries(text: str) -> int:
    """Return how many entries EPHEMERAL.md holds."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return sum(1 for _ in entry_starts(lines))


def entry_starts(lines: Sequence[str]) -> Iterator[int]:
    """Yield the places of the headings that begin an entry.

    An entry begins at a level-two heading that opens the file's entries or follows a rule, or
    whose next line tells its facts; nothing in a summary can look like either, since it is
    escaped.

    Args:
        lines: Those of the file, without their line ends.
    """
    before = RULE
    for place, line in enumerate(lines):
        if line.startswith("## ") and not line[3:4].isspace() and 3 < len(line) <= LONGEST_HEAD:
            told = place + 1 < len(lines) and tells_facts(lines[place + 1])
            if told or before == RULE or " · " in line:
                yield place
        before = line.rstrip() or before


def tells_facts(line: str) -> bool:
    """Return whether a line tells how long a session was, or where it is archived."""
    return line.startswith(_FACTS)

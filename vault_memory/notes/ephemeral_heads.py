"""Where the entries of EPHEMERAL.md begin."""

import re
from collections.abc import Iterator, Sequence

from vault_memory.notes.kept_lines import kept_lines

RULE = "---"
HEAD = re.compile(r"## (?P<id>\S.{0,4000}?)(?: · (?P<date>[^·]{0,40}))?\Z")
FACTS = re.compile(r"\*\*(?:Duration|Messages|Archive)\*\*:")


def count_entries(text: str) -> int:
    """Return how many entries EPHEMERAL.md holds."""
    return sum(1 for _ in entry_starts([line.rstrip("\r\n") for line in kept_lines(text)]))


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
        if HEAD.match(line.rstrip(" \t")):
            told = place + 1 < len(lines) and FACTS.match(lines[place + 1])
            if told or before == RULE or " · " in line:
                yield place
        before = line.rstrip() or before

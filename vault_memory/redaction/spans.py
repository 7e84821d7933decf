"""A secret that was found in a text, and where one may begin."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Found(NamedTuple):
    """Where a secret stands and what it is.

    Attributes:
        start: Index of its first character.
        end: Index after its last one.
        kind: What to call it, such as ``github token``.
    """

    start: int
    end: int
    kind: str


_SPELT = frozenset({"\\n", "\\t", "\\r"})


def starting_words(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    r"""Yield the matches that do not begin inside a word, as in base64.

    A line end that is spelt out, ``\n``, as in JSON, is no part of a word. A match that begins
    inside a word is stepped over whole.
    """
    for found in pattern.finditer(text):
        start = found.start()
        inside = text[start - 1 : start].isalnum()
        if not inside or text[max(start - 2, 0) : start] in _SPELT:
            yield found

"""Secrets of several lines: private keys, and what a person marked as private."""

import re
from collections.abc import Iterator

from vault_memory.redaction.spans import Found

_PRIVATE = re.compile(r"<(/?)private>", re.IGNORECASE)
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = re.compile(
    r"(?:[ \t]{0,8}(?:\r?\n|\\r\\n|\\n)(?:[ \t+>|-]{0,16}\d{1,6}(?:→|\t|\|))?[ \t+>|-]{0,16}"
    r"(?:[A-Za-z0-9+/=]{4,512}|[A-Za-z-]{3,30}: [^\n\\]{0,200})?(?=\s|\\|\Z))*"
)
_LONGEST_KEY = 20_000


def private_keys(text: str) -> Iterator[Found]:
    """Yield PEM private keys, to their end or as far as they go."""
    position = 0
    while begin := _BEGIN.search(text, position):
        closed = _END.search(text, begin.end(), begin.end() + _LONGEST_KEY)
        lines = closed or _KEY_LINES.match(text, begin.end())
        position = lines.end() if lines else begin.end()
        yield Found(begin.start(), position, "private key")


def private_blocks(text: str) -> Iterator[Found]:
    """Yield ``<private>…</private>``, the outermost of nested ones, unclosed ones to the end."""
    depth = start = 0
    for tag in _PRIVATE.finditer(text):
        if not tag[1]:
            if depth == 0:
                start = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield Found(start, tag.end(), "private")
    if depth:
        yield Found(start, len(text), "private")

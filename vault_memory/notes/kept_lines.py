"""Lines with their own line ends, as markdown counts them: nothing but LF, CRLF and CR ends one."""

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def kept_lines(text: str) -> list[str]:
    """Return the lines of a text, whose joining gives the text again."""
    return _LINE.findall(text)

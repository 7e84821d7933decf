"""Remembered text made harmless for an agent that reads it: words stay, powers go.

Whoever reads a memory must see all of it, take none of it for a mark of its own, and tell it from
what is said to it now. So what is invisible or steers a terminal is taken out, and what could pass
for a tag or a marker loses the sign that makes it one.
"""

import re

_LEFT, _RIGHT = "\u2039", "\u203a"

_ESCAPE = (
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]{0,8}[0-~]?"
)
_TAG = r"[<\uff1c\ufe64](?=[ \t]*(?:[/\uff0f!?|<]|[^\W\d]))"
_TAG_END = r"--!?>|[|/]>"
_MARKER = r"\[(/?[A-Z][A-Z0-9 _/-]{1,60})\]"
_OWN = r"(?i)vaultmem(?=[ \t]*:)"
_FILLERS = frozenset(
    map(
        chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0]
    )
) | frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Characters that count as letters, signs or marks, and that nobody sees."""

_SIGNS = frozenset("<>[\uff1c\ufe64")


def harmless(text: str) -> str:
    r"""Return the text without what is invisible or steers, and with no tag or marker in it.

    Terminal escapes, controls, bidirectional and zero-width characters are gone; lines end with
    ``\n``; ``<`` before a word or sign becomes a quotation mark of that form, and ``[END …]``
    becomes ``(END …)``. Done twice, it changes nothing more.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = "".join(map(_seen, re.sub(_ESCAPE, "", text)))
    if not _SIGNS.isdisjoint(text):
        text = re.sub(_TAG_END, _closed, re.sub(_TAG, _LEFT, text))
        text = re.sub(_MARKER, r"(\1)", text)
    return re.sub(_OWN, "vaultmem ·", text) if ":" in text else text


def _seen(char: str) -> str:
    """The character, if a reader can see it; one blank for every kind of them."""
    if char.isspace():
        return char if char in "\n\t" else " "
    hidden = not char.isprintable() or char in _FILLERS or "\U000e0000" <= char <= "\U000e0fff"
    return "" if hidden else char


def _closed(found: re.Match[str]) -> str:
    return found[0].replace(">", _RIGHT)


def harmless_line(text: str, limit: int) -> str:
    """Return the text, made harmless, as one line of at most ``limit`` characters."""
    line = " ".join(harmless(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"

"""The bytes of a note and its text: one lossless decoding, and the bounds of what is read."""

from typing import Final

MAX_NOTE_BYTES: Final = 8 * 1024 * 1024
"""A larger note is a finding, not read."""

MAX_FRONTMATTER_BYTES: Final = 256 * 1024
"""Larger frontmatter is a finding; the body of such a note is read all the same."""

_UNWRITABLE = "[\ud800-\udc7f\udd00-\udfff]"


def decode_bytes(data: bytes) -> str:
    """Decode the bytes of a note so that ``encode_text`` gives the same bytes back.

    Nothing is translated: a BOM is the first character, line ends stay, and bytes that are not
    UTF-8 become lone surrogates (U+DC80 to U+DCFF).
    """
    return data.decode("utf-8", "surrogateescape")


def encode_text(text: str) -> bytes:
    """Encode the text of a note.

    Surrogates that stand for undecodable bytes become these bytes again. Any other lone surrogate,
    which only a program can hand us, has no form in UTF-8 and is written as U+FFFD.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        import re

        return re.sub(_UNWRITABLE, "\ufffd", text).encode("utf-8", "surrogateescape")


def newline_of(text: str) -> str:
    r"""The line end of a note, that of its first line; ``\n`` for a text of one line."""
    first = text.find("\n")
    if first < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if text[first - 1 : first] == "\r" else "\n"

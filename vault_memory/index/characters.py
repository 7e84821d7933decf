"""What characters are like: of which sort of script, and how text is brought to one form.

Text is compared in compatible form (NFKC), digits as ASCII ones, without what is invisible.
"""

import unicodedata
from functools import lru_cache

UNSPACED = "\x01"
"""Stands for a letter of a script that is written without spaces."""

PICTOGRAM = "\x02"
"""Stands for a picture, such as an emoji."""

FLAG = "\x03"
"""Stands for half of a flag."""

_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # ideographic marks
    (0x3040, 0x30FF),  # kana
    (0x3130, 0x318F),  # Hangul letters
    (0x31F0, 0x31FF),  # kana
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),  # Hangul letters
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),  # Han
    (0x20000, 0x3FFFF),  # Han
)
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")
_SHAPES = {"Lu": "A", "Lt": "A", "L": "a", "M": "a", "N": "0", "Cf": ""}
_FIRST_PICTOGRAM = 0x2190
_FLAGS = range(0x1F1E6, 0x1F200)
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_TATWEEL = "\u0640"
_NON_JOINER = "\u200c"
_JOINED_SCRIPT = range(0x0600, 0x0780)
_HYPHEN = "-"


@lru_cache(maxsize=4096)
def is_unspaced(char: str) -> bool:
    """Return whether the character's script is written without spaces between words."""
    code = ord(char)
    return (
        code >= 0x0E00
        and any(low <= code <= high for low, high in _UNSPACED_RANGES)
        and unicodedata.category(char)[0] in "LMN"
    )


def normal(text: str) -> str:
    """Return the text in compatible form, with straight apostrophes and nothing invisible.

    The mark that parts the pieces of one Persian word is a hyphen here.
    """
    if text.isascii():
        return text
    if _NON_JOINER in text:
        text = _parted(text)
    straight = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)
    return "".join(map(_plain, straight))


def shadow(text: str) -> str:
    """Return a normal text in ASCII, of the same length, each character by what it is like.

    ``A``, ``a`` and ``0`` for letters and digits, ``UNSPACED``, ``PICTOGRAM`` and ``FLAG``, and a
    blank for all others.
    """
    return text if text.isascii() else "".join(map(_shape, text))


@lru_cache(maxsize=8192)
def _plain(char: str) -> str:
    """Return the character as it counts: a digit of any script in ASCII, an invisible one not."""
    if char.isascii():
        return char
    if char == _TATWEEL or _shape(char) == "":
        return ""
    return str(unicodedata.decimal(char, "")) or char


@lru_cache(maxsize=8192)
def _shape(char: str) -> str:
    if char.isascii():
        return char
    if is_unspaced(char):
        return UNSPACED
    code, category = ord(char), unicodedata.category(char)
    if category == "So" and code >= _FIRST_PICTOGRAM:
        return FLAG if code in _FLAGS else PICTOGRAM
    if any(code in selectors for selectors in _SELECTORS):
        return ""
    return _SHAPES.get(category, _SHAPES.get(category[0], " "))


def _parted(text: str) -> str:
    """Return a text whose non-joiners are hyphens within words of Arabic script."""
    pieces = text.split(_NON_JOINER)
    parted = pieces[0]
    for piece in pieces[1:]:
        joined = parted[-1:] and piece[:1] and ord(piece[0]) in _JOINED_SCRIPT
        parted += (_HYPHEN if joined else "") + piece
    return parted

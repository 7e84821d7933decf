"""Text as the terms it is found by: words of any script, and code as people write it.

Words that are joined, as in ``src/main.py``, ``a@b.io``, ``snake_case`` or ``memory:safe``, are
kept whole and given apart too, and so are ``camelCase``, ``C++`` and ``100%``. Scripts that are
written without spaces give pairs of characters, and the last character of a run by itself, so that
every character begins some term. English words lose their endings (Snowball), and a word with
accents is found without them too. Everything takes time linear in the text.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from vault_memory.index.stopwords import STOP_WORDS

MAX_WORD = 64
"""Characters; of a longer word only the beginning counts, and a longer compound only apart."""

_MAX_CACHED_PIECE = 48
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
_TOKEN = re.compile(r"\x01+|\x02|\w+(?:['\-./:@&\\+#~]+\w+)*(?:\+\+|[#%])?", re.ASCII)
_PART = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MAX_HUMPS_WITH_DIGITS = 4
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")
_UNSPACED = "\x01"
_PICTOGRAM = "\x02"
_SHAPES = {"Lu": "A", "Lt": "A", "L": "a", "M": "a", "N": "0", "Cf": ""}
_FIRST_PICTOGRAM = 0x2600
_ISO_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_MONTHS = "january february march april may june july august september october november december"


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, as often as they occur; stop words are left out."""
    found: list[str] = []
    for piece in text.split():
        if len(piece) <= _MAX_CACHED_PIECE:
            found += _cached_terms(piece)
        else:
            found += _piece_terms(piece)
    return found


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a query in order.

    One character alone of a script without spaces stands for every term that begins with it.
    """
    found = dict.fromkeys(terms(text))
    inner = {term[1] for term in found if len(term) == 2 and is_unspaced(term[0])}
    return [term for term in found if term not in inner]


@lru_cache(maxsize=4096)
def date_terms(date: str) -> tuple[str, ...]:
    """Return the terms of an ISO 8601 day or time: its day as written and as people say it."""
    match = _ISO_DAY.match(date)
    if match is None:
        return ()
    year, month, day = match.groups()
    said = [year]
    if month and 1 <= int(month) <= 12:
        said.append(_MONTHS.split()[int(month) - 1])
    if day:
        said += [str(int(day)), match.group()]
    return tuple(term for word in said for term in _word_terms(word))


def plain_words(text: str) -> list[str]:
    """Return the words of a text, folded but otherwise as they are, stop words among them."""
    normal = _normal(text)
    shadow = _shadow(normal)
    return [_fold(normal[m.start() : m.end()]) for m in _TOKEN.finditer(shadow)]


@lru_cache(maxsize=4096)
def is_unspaced(char: str) -> bool:
    """Return whether the character's script is written without spaces between words."""
    code = ord(char)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSPACED_RANGES)


@lru_cache(maxsize=65536)
def _cached_terms(piece: str) -> tuple[str, ...]:
    return tuple(_piece_terms(piece))


def _piece_terms(piece: str) -> Iterator[str]:
    normal = _normal(piece)
    shadow = _shadow(normal)
    for match in _TOKEN.finditer(shadow):
        start, end = match.span()
        if shadow[start] == _UNSPACED:
            yield from (normal[at : min(at + 2, end)] for at in range(start, end))
        elif shadow[start] == _PICTOGRAM:
            yield normal[start]
        else:
            yield from _token_terms(normal[start:end], shadow[start:end])


def _token_terms(token: str, shadow: str) -> Iterator[str]:
    parts = [(token[m.start() : m.end()], m.group()) for m in _PART.finditer(shadow)]
    whole = _fold(token.strip("_"))
    if len(parts) == 1 and len(parts[0][0]) == len(token.strip("_")):
        yield from _part_terms(*parts[0])
        return
    if len(whole) <= MAX_WORD and whole:
        yield whole
    for part, shape in parts:
        if len(part) > 1 or part.isdigit() or not part.isascii():
            yield from _part_terms(part, shape)
    if len(parts) == 2 and whole.count("-") == 1:
        yield from _word_terms(whole.replace("-", ""))


def _part_terms(part: str, shape: str) -> Iterator[str]:
    yield from _word_terms(part)
    humps = [match.span() for match in _HUMP.finditer(shape)]
    if len(humps) > 1 and (
        shape.isalpha() or (shape.isalnum() and len(humps) <= _MAX_HUMPS_WITH_DIGITS)
    ):
        for start, end in humps:
            if end - start > 1:
                yield from _word_terms(part[start:end])
    tail = part.rpartition("'")[2]
    if 2 < len(tail) < len(part):
        yield from _word_terms(tail)


def _word_terms(word: str) -> Iterator[str]:
    folded = _fold(word)[:MAX_WORD]
    if folded in STOP_WORDS:
        return
    if folded.isascii():
        yield _stem(folded)
        return
    folded = folded.removesuffix("'s")
    yield folded
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    if bare.isascii() and bare:
        yield _stem(bare)


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.casefold())


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word)) if word.replace("'", "").isalpha() else word


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english", 0)


def _normal(text: str) -> str:
    """Return the text in compatible form, with straight apostrophes and nothing invisible."""
    if text.isascii():
        return text
    straight = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)
    return "".join(char for char in straight if char.isascii() or _shape(char) != "")


def _shadow(normal: str) -> str:
    """Return a text of the same length in ASCII, each character replaced by what it is like."""
    return normal if normal.isascii() else "".join(map(_shape, normal))


@lru_cache(maxsize=8192)
def _shape(char: str) -> str:
    """Return what a character is like.

    ``A``, ``a`` and ``0`` for letters and digits, ``_UNSPACED`` in scripts without spaces,
    ``_PICTOGRAM``, a blank for all others, and nothing for invisible ones.
    """
    if char.isascii():
        return char
    if is_unspaced(char):
        return _UNSPACED
    category = unicodedata.category(char)
    if category == "So" and ord(char) >= _FIRST_PICTOGRAM:
        return _PICTOGRAM
    return _SHAPES.get(category, _SHAPES.get(category[0], " "))

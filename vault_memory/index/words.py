"""Text as the terms it is found by: words of any script, and code as people write it.

Words that are joined, as in ``src/main.py``, ``a@b.io``, ``snake_case`` or ``memory:safe``, are
kept whole and given apart too, and so are ``camelCase``, ``C++`` and ``100%``. Scripts that are
written without spaces give pairs of characters, and the last character of a run by itself, so that
every character begins some term. Other words are found by each of their forms (``word_forms``).
Everything takes time linear in the text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from vault_memory.index.characters import FLAG, PICTOGRAM, UNSPACED, is_unspaced, normal, shadow
from vault_memory.index.stopwords import STOP_WORDS
from vault_memory.index.word_forms import fold, forms

MAX_WORD = 64
"""Characters; of a longer word only the beginning counts, and a longer compound only apart."""

MAX_QUERY = 1 << 16
"""Characters of a query that are looked for."""

Forms = tuple[str, ...]
"""The terms by any of which one word is found."""

_MAX_CACHED_PIECE = 48
_TOKEN = re.compile(
    rf"{UNSPACED}+|{PICTOGRAM}|{FLAG}{FLAG}?|\w+(?:['\-./:@&\\+#~]+\w+)*(?:\+\+|[#%])?", re.ASCII
)
_PART = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MAX_HUMPS_WITH_DIGITS = 4
_HEXADECIMAL = re.compile(r"0x([0-9a-f]{2,})", re.IGNORECASE)
_VERSION = re.compile(r"v(\d+(?:\.\d+)+)", re.IGNORECASE)
_ISO_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_MONTHS = "january february march april may june july august september october november december"


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, as often as they occur; stop words are left out."""
    return [term for word in _words(text) for term in word]


def query_words(text: str) -> list[Forms]:
    """Return the distinct words of a query in order, each by its terms.

    Of a query without end only the first ``MAX_QUERY`` characters count.
    One character alone of a script without spaces stands for every term that begins with it.
    """
    found = dict.fromkeys(_words(text[:MAX_QUERY]))
    inner = {word[0][1] for word in found if len(word[0]) == 2 and is_unspaced(word[0][0])}
    return [word for word in found if word[0] not in inner]


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
    return tuple(term for each in said for word in _word(each) for term in word)


def plain_words(text: str) -> list[str]:
    """Return the words of a text, folded but otherwise as they are, stop words among them."""
    plain = normal(text)
    return [fold(plain[m.start() : m.end()]) for m in _TOKEN.finditer(shadow(plain))]


def _words(text: str) -> list[Forms]:
    found: list[Forms] = []
    for piece in text.split():
        if len(piece) <= _MAX_CACHED_PIECE:
            found += _cached_words(piece)
        else:
            found += _piece_words(piece)
    return found


@lru_cache(maxsize=65536)
def _cached_words(piece: str) -> tuple[Forms, ...]:
    return tuple(_piece_words(piece))


def _piece_words(piece: str) -> Iterator[Forms]:
    plain = normal(piece)
    like = shadow(plain)
    for match in _TOKEN.finditer(like):
        start, end = match.span()
        if like[start] == UNSPACED:
            yield from ((plain[at : min(at + 2, end)],) for at in range(start, end))
        elif like[start] in {PICTOGRAM, FLAG}:
            yield (plain[start:end],)
        else:
            yield from _token_words(plain[start:end], like[start:end])


def _token_words(token: str, like: str) -> Iterator[Forms]:
    parts = [(token[m.start() : m.end()], m.group()) for m in _PART.finditer(like)]
    whole = fold(token.strip("_"))
    if len(parts) == 1 and len(parts[0][0]) == len(token.strip("_")):
        yield from _part_words(*parts[0])
        return
    if len(whole) <= MAX_WORD and whole:
        yield (whole,)
    for part, shape in parts:
        if len(part) > 1 or part.isdigit() or not part.isascii():
            yield from _part_words(part, shape)
    if len(parts) == 2 and whole.count("-") == 1:
        yield from _word(whole.replace("-", ""))
    version = _VERSION.fullmatch(whole)
    if version:
        yield (version[1],)


def _part_words(part: str, like: str) -> Iterator[Forms]:
    yield from _word(part)
    humps = [match.span() for match in _HUMP.finditer(like)]
    if len(humps) > 1 and (
        like.isalpha() or (like.isalnum() and len(humps) <= _MAX_HUMPS_WITH_DIGITS)
    ):
        for start, end in humps:
            if end - start > 1:
                yield from _word(part[start:end])
    tail = part.rpartition("'")[2]
    if 2 < len(tail) < len(part):
        yield from _word(tail)
    bare = _HEXADECIMAL.fullmatch(part)
    if bare:
        yield from _word(bare[1])


def _word(word: str) -> Iterator[Forms]:
    folded = fold(word)[:MAX_WORD]
    if folded not in STOP_WORDS:
        yield forms(folded)

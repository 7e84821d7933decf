"""The forms a word is found by: as it is written, without marks, without its ending.

The first form is the word itself. The others let it be found from another form of it: without
accents, vowel points and other spellings of the same letter, and with its ending cut by the stemmer
of its script (Snowball). A word in ASCII has its stem alone.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

WORDS_VERSION = f"2 {Stemmer.version()} {unicodedata.unidata_version}"
"""What the terms of a text depend on besides it: an index of other terms is made again."""

_STEMMERS = (
    (0x0370, 0x03FF, "greek"),
    (0x1F00, 0x1FFF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
)
_CYRILLIC = range(0x0400, 0x0530)
_HEBREW = range(0x0590, 0x0600)
_HEBREW_PREFIXES = ("\u05d5", "\u05d4\u05d1\u05db\u05dc")
_LEAST_STEM = 3
_MARKS_COUNT_FROM = 0x0700
_POLYTONIC = range(0x1E00, 0x2000)
_LETTERS = str.maketrans(
    {
        # Latin letters that have no decomposition
        "\u0142": "l",
        "\u00f8": "o",
        "\u0111": "d",
        "\u00f0": "d",
        "\u0131": "i",
        "\u0127": "h",
        "\u0167": "t",
        "\u014b": "n",
        "\u00e6": "ae",
        "\u0153": "oe",
        "\u00fe": "th",
        # Arabic and Persian letters that are written one for the other
        "\u0671": "\u0627",
        "\u06cc": "\u064a",
        "\u06a9": "\u0643",
        "\u06c1": "\u0647",
        # Devanagari: the dot below, and nasals that are one dot above
        "\u093c": None,
        "\u0901": "\u0902",
        # Cyrillic
        "\u0451": "\u0435",
        "\u0491": "\u0433",
    }
)
_ENDINGS = str.maketrans("\u0629\u0649", "\u0647\u064a")
_STRESS = str.maketrans("", "", "\u0300\u0301")
_UMLAUTS = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00e5": "aa"})
_UMLAUTS |= str.maketrans({"\u00f8": "oe"})
_NASALS = "\u0919\u091e\u0923\u0928\u092e"
_VIRAMA = "\u094d"
_ANUSVARA = "\u0902"


def fold(word: str) -> str:
    """Return the word without capitals, in compatible form."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.casefold())


@lru_cache(maxsize=4096)
def forms(folded: str) -> tuple[str, ...]:
    """Return the forms of a folded word, the most exact first, each once."""
    if folded.isascii():
        return (_stem(folded, "english"),)
    return tuple(dict.fromkeys(_forms(folded.removesuffix("'s"))))


def _forms(folded: str) -> Iterator[str]:
    yield folded
    bare = _bare(folded)
    if bare.isascii():
        if bare:
            yield _stem(bare, "english")
        spelt = folded.translate(_UMLAUTS)
        if spelt.isascii():
            yield _stem(spelt, "english")
        return
    code = ord(bare[0])
    if code in _HEBREW:
        yield _without_prefixes(bare)
        return
    stemmer = next((name for low, high, name in _STEMMERS if low <= code <= high), "")
    stemmed = _stem(bare, stemmer) if stemmer else bare
    yield (stemmed or bare).translate(_ENDINGS)


def _bare(folded: str) -> str:
    """Return the word without marks that can be left out, and its letters in one spelling."""
    if _VIRAMA in folded:
        folded = _dotted(folded)
    if ord(folded[0]) in _CYRILLIC:
        bare = unicodedata.normalize("NFC", folded.translate(_STRESS))
    elif all(ord(c) < _MARKS_COUNT_FROM or ord(c) in _POLYTONIC for c in folded):
        parts = unicodedata.normalize("NFD", folded)
        bare = "".join(c for c in parts if not unicodedata.combining(c))
    else:
        bare = folded
    return bare.translate(_LETTERS) or folded


def _dotted(word: str) -> str:
    """Return a Devanagari word with a dot for each nasal that stands before a consonant."""
    for nasal in _NASALS:
        at = word.find(nasal + _VIRAMA)
        if 0 <= at < len(word) - 2:
            word = word.replace(nasal + _VIRAMA, _ANUSVARA)
    return word


def _without_prefixes(word: str) -> str:
    """Return a Hebrew word without the particles that are written together with it."""
    for particles in _HEBREW_PREFIXES:
        if len(word) > _LEAST_STEM and word[0] in particles:
            word = word[1:]
    return word


def _stem(word: str, language: str) -> str:
    if not word.replace("'", "").isalpha() and language == "english":
        return word
    return str(_stemmer(language).stemWord(word))


@lru_cache(maxsize=8)
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)

"""How much of a text a model of meaning can read, judged by how its tokenizer cuts the text.

A tokenizer gives a word that its model knows as one piece or as a few long ones. What the model was
not trained on falls apart into single letters, or becomes the unknown piece: of that it can say
nothing, whatever vector it gives.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

FAMILIAR = 1_000
"""Pieces of a script in a vocabulary from which on single characters of that script are read too.

A vocabulary for English has some hundred single characters of other scripts; one that was made for
a script has thousands of pieces of it, and one for Chinese a piece for each character.
"""

READ = 0.9
"""The share of a text that has to be read for its meaning to count in full.

Less than all of it, since an ending such as the ``s`` of a plural is often a piece of its own.
"""

LEAST = 0.1
"""What is left of the weight of meaning when nothing is read: it orders what no word finds."""

_BEYOND_LATIN = "\u0250"
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that a tokenizer made of a text.

    Attributes:
        start: Where in the text it begins.
        end: Where it ends.
        known: Whether it stands for what is there, and not for anything unknown.
    """

    start: int
    end: int
    known: bool = True


def read_share(
    text: str,
    pieces: Sequence[Piece],
    *,
    vocabulary: Mapping[str, int],
    silent: Collection[str] = (),
) -> float:
    """Return the share of a text's characters that lie in pieces a model can read; 1 of none.

    Letters, digits and pictures count; blanks and punctuation do not.

    Args:
        text: The text.
        pieces: What the tokenizer made of it.
        vocabulary: How many pieces the tokenizer knows by ``script_of`` their characters.
        silent: Words, in lower case, that do not count because they say nothing.
    """
    passed = set(_silent_places(text, silent)) if silent else set[int]()
    counted = read = 0
    for piece in pieces:
        said = [
            text[at] for at in range(piece.start, piece.end) if at not in passed and _says(text[at])
        ]
        counted += len(said)
        if piece.known and said and (len(said) > 1 or _alone(text, piece, vocabulary)):
            read += len(said)
    return read / counted if counted else 1.0


def weight_of_meaning(usual: float, share: float) -> float:
    """Return how much of a score is meaning when the model reads a share of the query.

    Of a text that is found likewise: what the model cannot read looks alike to it, and near to a
    short question, so that in a vault of many scripts it would stand before what is meant.

    Args:
        usual: What it is when the model reads all of it.
        share: From ``read_share``, of the query or the text.
    """
    return usual * max(LEAST, min(1.0, share / READ))


def may_be_unread(text: str) -> bool:
    """Whether a text has letters beyond the Latin ones, so that its share is worth asking for."""
    return not text.isascii() and any(char >= _BEYOND_LATIN and char.isalpha() for char in text)


@lru_cache(maxsize=16384)
def script_of(char: str) -> str:
    """Return the script of a character: the first word of its name, such as ``CYRILLIC``."""
    return unicodedata.name(char, "").partition(" ")[0].partition("-")[0]


def _alone(text: str, piece: Piece, vocabulary: Mapping[str, int]) -> bool:
    """Whether a single character is read: a word by itself, or one of a script without cases."""
    char = text[piece.start]
    if not char.isascii() and vocabulary.get(script_of(char), 0) < FAMILIAR:
        return False
    if not char.isascii() and char.lower() == char.upper():
        return True
    before, behind = text[piece.start - 1 : piece.start], text[piece.end : piece.end + 1]
    return not before.isalnum() and not behind.isalnum()


@lru_cache(maxsize=4096)
def _says(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc", "So"}


def _silent_places(text: str, silent: Collection[str]) -> Iterator[int]:
    for match in _WORD.finditer(text):
        if match.group().strip(".,;:!?\"'()").lower() in silent:
            yield from range(*match.span())

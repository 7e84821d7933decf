"""Text to the numbers of a model's pieces, and how much of a text the model can read by them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from vault_memory.core.readable import Piece, read_share, script_of
from vault_memory.errors import ModelError
from vault_memory.index.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Tokenizer

    from vault_memory.index.model import ModelFiles

MAX_CHARACTERS = 1 << 16
"""What the tokenizer is given of a text, far more than any model reads of a real one."""

_LEAST_VOCABULARY = 0.9


class Pieces:
    """The tokenizer of a model, which is loaded with the first text.

    Args:
        files: The model.
    """

    def __init__(self, files: ModelFiles) -> None:
        self._files = files

    def load(self) -> None:
        """Load the tokenizer.

        Raises:
            ModelError: It cannot be read, or is not the one of the model.
        """
        _ = self._tokenizer

    def numbers(self, text: str) -> Sequence[int]:
        """The numbers of a text's pieces, at least one, and no more than the model reads.

        Raises:
            ModelError: The tokenizer cannot be loaded.
        """
        return self._tokenizer.encode(_sound(text[:MAX_CHARACTERS])).ids or [0]

    @property
    def last(self) -> int:
        """The greatest number that a piece can have."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True)) - 1

    def read_share(self, text: str) -> float:
        """The share of a text that the model can read, by how its tokenizer cuts it.

        Raises:
            ModelError: The tokenizer cannot be loaded.
        """
        sound = _sound(text[:MAX_CHARACTERS])
        encoding = self._tokenizer.encode(sound, add_special_tokens=False)
        pieces = [
            Piece(*place, known=number != self._unknown)
            for number, place in zip(encoding.ids, encoding.offsets, strict=True)
        ]
        scripts = {} if sound.isascii() else self._scripts
        return read_share(sound, pieces, vocabulary=scripts, silent=STOP_WORDS)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._files.tokenizer))
        except Exception as error:  # tokenizers raises nothing more special
            raise self._wrong(f"the tokenizer cannot be read ({error})") from error
        usage = self._files.usage
        known = tokenizer.get_vocab_size(with_added_tokens=True)
        if known < _LEAST_VOCABULARY * usage.vocabulary:
            raise self._wrong(
                f"the tokenizer knows {known} pieces and the model {usage.vocabulary}"
            )
        tokenizer.no_padding()
        tokenizer.enable_truncation(usage.most_tokens)
        return tokenizer

    @cached_property
    def _unknown(self) -> int | None:
        """The number of the piece that stands for anything unknown; None when there is none."""
        name = getattr(self._tokenizer.model, "unk_token", "<unk>")
        number: int | None = self._tokenizer.token_to_id(name) if name else None
        return number

    @cached_property
    def _scripts(self) -> Counter[str]:
        """How many pieces the tokenizer knows of each script."""
        letters = (
            next(char for char in piece if not char.isascii())
            for piece in self._tokenizer.get_vocab()
            if not piece.isascii()
        )
        return Counter(map(script_of, letters))

    def _wrong(self, problem: str) -> ModelError:
        return ModelError(
            problem,
            where=str(self._files.tokenizer),
            cure="Put the tokenizer.json of the model there",
        )


def _sound(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

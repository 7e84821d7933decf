"""Relations: how their verb is written and when two of them are the same."""

import re
from dataclasses import dataclass

from vault_memory.core.identity import nfc
from vault_memory.errors import UsageError

_NOT_WORD = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Relating:
    """What a relation says and from when until when it is true.

    Attributes:
        source: The id of the entity it starts from, or the folded name of an end without a note.
        rel: The verb.
        target: The id or folded name of the entity it leads to.
        valid_from: A day; empty, it is true from ever.
        valid_until: A day; empty, it is true for ever.
    """

    source: str
    rel: str
    target: str
    valid_from: str = ""
    valid_until: str = ""


def is_rel(text: str) -> bool:
    """Tell whether a text is lower snake case: words of small letters and digits, joined by _."""
    return bool(text) and text == snake(text)


def snake(text: str) -> str:
    """Return a text as lower snake case: ``Prefers editor`` as ``prefers_editor``."""
    words = _NOT_WORD.sub("_", nfc(nfc(text).lower()))
    return "_".join(word for word in words.split("_") if word)


def checked_rel(text: str) -> str:
    """Return a verb that may be written.

    Raises:
        UsageError: It is not lower snake case.
    """
    if is_rel(text):
        return text
    better = snake(text)
    cure = f"Write it as: {better}" if better else "Write it with letters, such as: prefers_editor"
    raise UsageError(f"the relation {text!r} is not in lower snake case", cure=cure)


def same(one: Relating, other: Relating) -> bool:
    """Tell whether two relations are one: equal ends and verb, and a time when both are true.

    An interval without a beginning or end is unbounded there; it holds its last day.
    """
    if (one.source, one.rel, one.target) != (other.source, other.rel, other.target):
        return False
    one_ends_before = one.valid_until and other.valid_from and one.valid_until < other.valid_from
    other_ends_before = other.valid_until and one.valid_from and other.valid_until < one.valid_from
    return not one_ends_before and not other_ends_before

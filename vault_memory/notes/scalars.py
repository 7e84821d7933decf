"""Values for frontmatter as intentions, and the YAML text that means them to every reader.

A plain scalar means different things to readers of YAML 1.1 and of YAML 1.2 (``yes``, ``012``,
``12:30``, ``1e3``). What ``auto`` writes without quotes is a string to all of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value, and how it is to be written.

    A lone surrogate that does not stand for an undecodable byte is no text; it becomes U+FFFD.

    Attributes:
        text: The value as a reader gets it.
        style: ``plain`` is never quoted unless it would break the frontmatter, ``quoted`` always
            has double quotes, ``auto`` has them when the text could be read as anything else.
    """

    text: str
    style: Literal["plain", "quoted", "auto"] = "auto"

    def __post_init__(self) -> None:
        if _UNWRITABLE.search(self.text):
            object.__setattr__(self, "text", _UNWRITABLE.sub("\ufffd", self.text))


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list of scalars, written ``[a, b]`` unless the key already holds a list of another form."""

    items: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """The key is to go, with all of its lines."""


Value = Scalar | ListValue | Removal

REMOVE: Final = Removal()


def plain(text: str) -> Scalar:
    """A value that is written as it is, for numbers and days: ``9.8``, ``2026-03-06``."""
    return Scalar(text, "plain")


def quoted(text: str) -> Scalar:
    """A value that is always written in double quotes, for ids and links."""
    return Scalar(text, "quoted")


def auto(text: str) -> Scalar:
    """Any text: without quotes where every YAML reader takes that as the same string."""
    return Scalar(text, "auto")


def empty() -> Scalar:
    """A key without a value: ``valid_until:``."""
    return Scalar("", "plain")


def flow_list(items: Sequence[Scalar | str]) -> ListValue:
    """A list; items that are a str are written as ``auto`` does."""
    return ListValue(tuple(auto(item) if isinstance(item, str) else item for item in items))


_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_NUMBERLIKE = re.compile(r"[-+.]?[0-9][-+0-9a-fox_.,:tz ]*", re.IGNORECASE | re.ASCII)
_SAFE_FIRST = frozenset("_(/")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
_TO_ESCAPE = re.compile('[\\x00-\\x1f"\\\\\\x7f-\\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_NUMBER = re.compile(r"\+?(?:[0-9]{1,15}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,2})?")
_LARGEST = Decimal(10) ** 12
_UNWRITABLE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def is_typed(text: str) -> bool:
    """Whether text that is safe without quotes may be more than a string to some reader of YAML.

    Decided on the safe side from the types of YAML 1.1 (yaml.org/type) and the core schema of
    YAML 1.2: the words for null and booleans, and everything that begins like a number and has
    only characters of numbers and times.
    """
    return text.lower() in _WORDS or _NUMBERLIKE.fullmatch(text) is not None


def number_in(text: str) -> Decimal | None:
    """The number that a text is: finite, 0 to 10^12, ASCII digits; None for anything else."""
    if _NUMBER.fullmatch(text) is None:
        return None
    value = Decimal(text)
    return value if value <= _LARGEST else None


def is_plain_safe(text: str, *, in_flow: bool = False) -> bool:
    """Whether a text can be written without quotes and be read as these characters.

    Args:
        text: The value.
        in_flow: Whether it stands within ``[…]``, where more characters mean something.
    """
    if not text or not text.isprintable() or text[0] == " " or text[-1] in " :":
        return False
    first = text[0]
    is_number = first in "-+." and text[1:2].isdigit()
    if not (first.isalnum() or first in _SAFE_FIRST or first > "\x7f" or is_number):
        return False
    if ": " in text or " #" in text:
        return False
    return not in_flow or not any(sign in text for sign in ",[]{}:?#")


def double_quoted(text: str) -> str:
    """The text as a double-quoted scalar on one line.

    Surrogates that stand for undecodable bytes stay as they are, since they are bytes of the note.
    """
    return f'"{_TO_ESCAPE.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return _ESCAPES.get(char) or (f"\\x{ord(char):02X}" if char < "\x80" else f"\\u{ord(char):04X}")


def render_scalar(value: Scalar, *, in_flow: bool = False) -> str:
    """The YAML text of a scalar; empty for ``empty()`` outside of lists."""
    if value.style == "plain" and not value.text and not in_flow:
        return ""
    if value.style == "quoted" or not is_plain_safe(value.text, in_flow=in_flow):
        return double_quoted(value.text)
    if value.style == "auto" and is_typed(value.text):
        return double_quoted(value.text)
    return value.text


def render_list(value: ListValue) -> str:
    """The YAML text of a list in its flow form, ``[a, b]``."""
    return f"[{', '.join(render_scalar(item, in_flow=True) for item in value.items)}]"


def render_like(value: Scalar, form: str) -> str:
    """The YAML text of a scalar in the place of one of another form: ``auto`` keeps its quotes."""
    if value.style == "auto" and form == "double":
        return double_quoted(value.text)
    if value.style == "auto" and form == "single" and value.text.isprintable():
        return "'{}'".format(value.text.replace("'", "''"))
    return render_scalar(value)


def render_key(name: str) -> str:
    """The YAML text of a key."""
    simple = is_plain_safe(name, in_flow=True) and not is_typed(name)
    return name if simple else double_quoted(name)

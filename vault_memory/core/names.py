"""Between a true name, which may hold anything, and a file name that every system and link can."""

import re
from collections.abc import Callable, Container, Iterator, Sequence

from vault_memory.core.identity import digest12, fold, nfc
from vault_memory.errors import UsageError

MOST_BYTES = 180
"""UTF-8 bytes of a file's stem; longer names are cut and end with a short hash."""

_UNFIT = re.compile(
    r"[/\\:*?\"<>|#^\[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|%%",
)
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)
_HASH_DIGITS = 8

Taken = Container[str] | Callable[[str], bool]
"""Which folded stems other notes have: a set, or a question that is answered with yes or no."""


def safe_stem(name: str, *, type: str, taken: Taken = ()) -> str:  # noqa: A002 - the format's word
    """Return the stem of a new entity's file.

    The name itself where it can be one. A stem that another note has, but for case and Unicode
    form, gets the type as a suffix, and if that is taken too a hash of the name.

    Args:
        name: The true name.
        type: One of the 17 types.
        taken: The folded stems of the notes that the new one must be told apart from.

    Raises:
        UsageError: The name is empty.
    """
    _refuse_empty(name)
    for stem in _stems(name, type):
        if not _is_taken(stem, taken):
            return stem
    raise UsageError("every file name for it is taken", where=name, cure="Choose another name.")


def relation_stem(source: str, rel: str, target: str, *, taken: Taken = ()) -> str:
    """Return the stem of a new relation's file, ``<Source> <rel> <Target>``.

    One that is taken gets `` (2)``, then `` (3)`` and so on.

    Args:
        source: The true name of the entity it starts from.
        rel: The verb.
        target: The true name of the entity it leads to.
        taken: The folded stems of the other relation notes.

    Raises:
        UsageError: The name of an end is empty.
    """
    _refuse_empty(source)
    _refuse_empty(target)
    name = f"{source.strip()} {rel} {target.strip()}"
    stem, ordinal = _fit(name), 1
    while _is_taken(stem, taken):
        ordinal += 1
        stem = _fit(name, f" ({ordinal})")
    return stem


def true_name(stem: str, aliases: Sequence[str], *, type: str = "") -> str:  # noqa: A002
    """Return what a note is called: its first alias if the stem was made from it, else the stem.

    Args:
        stem: The file's name without ``.md``.
        aliases: As the note gives them, in order.
        type: The note's type.
    """
    stem = nfc(stem)
    first = nfc(aliases[0]) if aliases else ""
    return first if first.strip() and stem in _stems(first, type) else stem


def _refuse_empty(name: str) -> None:
    if not name.strip():
        raise UsageError("a name is empty", cure="Give it a name.")


def _is_taken(stem: str, taken: Taken) -> bool:
    folded = fold(stem)
    return taken(folded) if callable(taken) else folded in taken


def _stems(name: str, type_: str) -> Iterator[str]:
    """Yield every stem that a name may have been given, the one to prefer first."""
    yield _fit(name)
    if type_:
        yield _fit(name, f" ({type_})")
    yield _fit(name, f" {digest12(fold(name))[:_HASH_DIGITS]}")
    yield _fit(name, f" {digest12(fold(name))}")


def _fit(name: str, tail: str = "") -> str:
    """Return a name as a file name, the tail at its end, within the bound on bytes."""
    stem = _allowed(name)
    room = MOST_BYTES - len(tail.encode())
    if len(stem.encode()) > room:
        mark = f" {digest12(fold(name))[:_HASH_DIGITS]}"
        head = stem.encode()[: room - len(mark)].decode("utf-8", "ignore")
        stem = head.rstrip(". ") + mark
    return stem + tail


def _allowed(name: str) -> str:
    """Return the name with every character or form that some system or link refuses replaced."""
    stem = nfc(_UNFIT.sub(lambda found: "-" * len(found[0]), nfc(name)).replace("\u00a0", " "))
    stem = stem.strip(" ")
    if stem.startswith("."):
        stem = "-" + stem[1:]
    stem = stem.rstrip(". ") or "-"
    root, dot, rest = stem.partition(".")
    if fold(root.rstrip(" ")) in _RESERVED:
        stem = f"{root.rstrip(' ')}-{dot}{rest}"
    return stem

"""Editing frontmatter in place: only the span of a value changes, every other byte stays."""

import re
from collections.abc import Iterable, Mapping, Sequence

from vault_memory.errors import NoteError
from vault_memory.notes.frontmatter import Frontmatter, parse
from vault_memory.notes.frontmatter_keys import Key, line_start
from vault_memory.notes.frontmatter_lists import Edit, edit_list
from vault_memory.notes.scalars import (
    ListValue,
    Removal,
    Scalar,
    Value,
    number_in,
    render_key,
    render_like,
    render_list,
    render_scalar,
)


def set_values(
    text: str, values: Mapping[str, Value], *, order: Sequence[str] = (), path: str = ""
) -> str:
    """Set, add and remove top-level keys of a note's frontmatter.

    A key that already says what is wanted keeps its bytes: the same text whatever its quotes, the
    same number for a ``plain`` one, the same items of a list. Comments, order, quoting, list style,
    blank lines, line ends, BOM and a missing final newline stay as they are. A note without
    frontmatter gets a block at its top.

    Args:
        text: The note.
        values: What each key shall hold; made by ``plain``, ``quoted``, ``auto``, ``empty``,
            ``flow_list``, or ``REMOVE``.
        order: The order of the keys of such a note. A new key goes after the nearest key before it
            in this order that is there, else before the nearest after it, else to the end.
        path: The note's path, for the error only.

    Returns:
        The note with these values; the same text when nothing changes.

    Raises:
        NoteError: If the frontmatter does not parse, has a key twice or holds a git conflict, or
            if the edit would change what another key says (an alias of the value).
    """
    before = parse(text)
    if not values:
        return text
    refuse_unparsable(before, path)
    wanted = {name: value for name, value in values.items() if not says(before.key(name), value)}
    if not wanted:
        return text
    edits: list[Edit] = []
    for key in before.keys:
        if key.name in wanted:
            edits += _edit(text, key, wanted[key.name], before.newline)
    edits += _additions(before, wanted, order)
    after = _apply(text, edits)
    _verify(before, parse(after), wanted, path)
    return after


def refuse_unparsable(front: Frontmatter, path: str) -> None:
    """Refuse to write to frontmatter that only a person can resolve.

    Raises:
        NoteError: It does not parse, has a key twice or holds a git conflict.
    """
    problem = next((found for found in front.problems if found.blocks), None)
    if problem is None:
        return
    raise NoteError(
        f"not written to: {problem.message}",
        where=_where(path, problem.line, problem.column),
    )


def _where(path: str, line: int, column: int) -> str:
    return f"{path}:{line}:{column}" if path else f"line {line}, column {column}"


def says(key: Key | None, value: Value) -> bool:
    """Whether a key already means what is wanted.

    Args:
        key: The key as it stands; None when there is none.
        value: What it shall hold.
    """
    if isinstance(value, Removal) or key is None:
        return isinstance(value, Removal) and key is None
    if isinstance(value, Scalar):
        if key.text is None or key.text == value.text:
            return key.text is not None
        number = number_in(value.text) if value.style == "plain" else None
        return number is not None and number == number_in(key.text)
    if key.text is None and key.items is None:
        return False
    held = [item.text for item in key.items or ()] if key.text is None else [key.text]
    return [one for one in held if one] == [one.text for one in value.items if one.text]


def _edit(text: str, key: Key, value: Value, newline: str) -> list[Edit]:
    """The edits that make a key hold a value."""
    if isinstance(value, Removal):
        return [Edit(key.start, key.end, "")]
    if isinstance(value, ListValue):
        edits = edit_list(text, key, value.items, newline)
        if edits is not None:
            return edits
        written = render_list(value)
    else:
        written = render_like(value, key.form)
    start, end = key.value
    if text.find("\n", key.colon, start) < 0 and text.find("\r", key.colon, start) < 0:
        comment = _header_comment(text[start:end]) if key.form == "block" else ""
        if not written:
            return [Edit(key.colon, end, comment)]
        lead = " " if start == key.colon else ""
        return [Edit(start, end, f"{lead}{written}{comment}")]
    line = re.split(r"[\r\n]", text[key.colon : end], maxsplit=1)[0].rstrip()
    return [Edit(key.colon, end, f"{' ' * bool(written)}{written}{line}")]


def _header_comment(source: str) -> str:
    header = re.split(r"[\r\n]", source, maxsplit=1)[0]
    sign, mark, rest = header.partition(" #")
    return f"{sign[len(sign.rstrip()) :]}{mark}{rest}" if mark else ""


def _additions(
    front: Frontmatter, wanted: Mapping[str, Value], order: Sequence[str]
) -> Iterable[Edit]:
    rank = {name: at for at, name in enumerate(order)}
    present = {key.name: key for key in front.keys}
    new = [
        (name, render_list(value) if isinstance(value, ListValue) else render_scalar(value))
        for name, value in sorted(wanted.items(), key=lambda item: rank.get(item[0], len(rank)))
        if name not in present and not isinstance(value, Removal)
    ]
    indent = _indent(front)
    lines: dict[int, str] = {}
    for name, written in new:
        at = _position(front, present, order, rank.get(name))
        line = f"{indent}{render_key(name)}:{' ' * bool(written)}{written}{front.newline}"
        lines[at] = lines.get(at, "") + line
    if lines and not front.present:
        fence = f"---{front.newline}"
        return [Edit(front.start, front.start, f"{fence}{''.join(lines.values())}{fence}")]
    return [Edit(at, at, line) for at, line in lines.items()]


def _indent(front: Frontmatter) -> str:
    if not front.keys:
        return ""
    line = front.text[front.keys[0].start : front.keys[0].colon]
    return line[: len(line) - len(line.lstrip(" "))]


def _position(
    front: Frontmatter, present: Mapping[str, Key], order: Sequence[str], rank: int | None
) -> int:
    """Where the line of a new key goes."""
    if rank is not None:
        for name in reversed(order[:rank]):
            if name in present:
                return present[name].end
        for name in order[rank + 1 :]:
            if name in present:
                return _above_comments(front.text, present[name].start, front.start)
    return front.keys[-1].end if front.keys else front.end


def _above_comments(text: str, at: int, first: int) -> int:
    """Where the comment lines directly above a line begin."""
    while at > first:
        above = line_start(text, at - (2 if text[at - 2 : at] == "\r\n" else 1))
        if not text[above:at].lstrip(" ").startswith("#"):
            break
        at = above
    return at


def _apply(text: str, edits: Iterable[Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, written in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at:start], written)
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _verify(
    before: Frontmatter, after: Frontmatter, wanted: Mapping[str, Value], path: str
) -> None:
    """Refuse an edit that does not read back, or changes what another key says."""
    right = after.ok and all(says(after.key(name), value) for name, value in wanted.items())
    if right and _others(before, wanted) == _others(after, wanted):
        return
    name = next(iter(wanted))
    key = before.key(name)
    raise NoteError(
        f"'{name}' can't be changed without changing what other lines mean",
        where=_where(path, key.line if key else 1, 1),
        cure="Edit the frontmatter by hand.",
    )


def _others(
    front: Frontmatter, wanted: Mapping[str, Value]
) -> list[tuple[str, str | None, list[str]]]:
    return [
        (
            key.name,
            key.text if key.form != "other" else front.text[slice(*key.value)],
            [item.text for item in key.items or ()],
        )
        for key in front.keys
        if key.name not in wanted
    ]

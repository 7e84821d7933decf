"""Setting one key in TOML text, with everything else in it left as it is."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from vault_memory.errors import NoteError, UsageError
from vault_memory.vault.config_keys import BadValueError, Key, key_of, nearest

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class _Statement(NamedTuple):
    """A table's header or a key with its value: names, and where its value lies."""

    path: tuple[str, ...]
    is_table: bool
    start: int
    value: int
    end: int


def key_named(name: str) -> Key:
    """The key of a dotted name.

    Raises:
        UsageError: There is no such key; the nearest are named.
    """
    key = key_of(name)
    if key:
        return key
    hints = nearest(name)
    cure = f"Did you mean {' or '.join(hints)}?" if hints else "See: vaultmem config list"
    raise UsageError(f"No such key: {name}", cure=cure)


def set_value(text: str, key: str, value: str) -> str:
    """Set a key in TOML text, keeping comments, order and all else.

    Args:
        text: The whole file, perhaps empty.
        key: Dotted name, such as ``llm.provider``.
        value: As a person writes it: ``7``, ``true``, ``a, b`` for a list.

    Raises:
        UsageError: No such key, or not a value for it.
        NoteError: The file is not TOML, or states the key in a way that cannot be edited in place.
    """
    import tomllib

    if text.startswith("\ufeff"):
        return "\ufeff" + set_value(text[1:], key, value)
    try:
        rendered = _render(key_named(key).read(value))
    except BadValueError as error:
        raise UsageError(f"{key} {error}") from None
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoteError(f"is not TOML ({error})", cure="Mend it by hand first") from None
    path = tuple(key.split("."))
    wanted = _with(document, path, tomllib.loads(f"x = {rendered}")["x"])
    for candidate in _candidates(text, path, rendered):
        try:
            if wanted == tomllib.loads(candidate):
                return candidate
        except ValueError:
            continue
    raise NoteError(f"{key} cannot be set in place", cure="Edit the file by hand")


def _with(document: dict[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    head, *rest = path
    if not rest:
        return {**document, head: value}
    below = document.get(head, {})
    return {**document, head: _with(below if isinstance(below, dict) else {}, tuple(rest), value)}


def _render(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(_render(item) for item in value)}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Decimal):
        return f"{value:f}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _candidates(text: str, path: tuple[str, ...], rendered: str) -> Iterator[str]:
    """Ways to state the key, the most natural first; the first that reads back right is taken."""
    newline = "\r\n" if "\r\n" in text else "\n"
    table: tuple[str, ...] = ()
    place = 0
    tables: dict[tuple[str, ...], int] = {(): 0}
    for statement in _statements(text):
        if statement.is_table:
            table = statement.path
        elif table + statement.path == path:
            yield text[: statement.value] + rendered + text[statement.end :]
        place = _line_end(text, statement.end)
        tables[table] = place
    line = f"{path[-1]} = {rendered}{newline}"
    if path[:-1] in tables:
        yield _insert(text, _beside_comment(text, tables[path[:-1]], path[-1]), line, newline)
    gap = newline if text.strip() else ""
    yield _insert(text, len(text), f"{gap}[{'.'.join(path[:-1])}]{newline}{line}", newline)
    yield _insert(text, tables[()], f"{'.'.join(path)} = {rendered}{newline}", newline)


def _insert(text: str, place: int, line: str, newline: str) -> str:
    head = text[:place]
    return head + (newline if head and not head.endswith("\n") else "") + line + text[place:]


def _line_end(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _beside_comment(text: str, place: int, name: str) -> int:
    """Below the line that shows the key commented out, when it comes next in the table."""
    position = place
    while position < len(text):
        end = _line_end(text, position)
        line = text[position:end].strip()
        if line and line[0] != "#":
            break
        if line.lstrip("# ").partition("=")[0].strip() == name:
            return end
        position = end
    return place


def _statements(text: str) -> Iterator[_Statement]:
    """The headers and keys of text that is known to be TOML."""
    position = _skip(text, 0, across_lines=True)
    while position < len(text):
        start = position
        if text[start] == "[":
            brackets = 2 if text.startswith("[[", start) else 1
            path, position = _names(text, start + brackets)
            position += brackets
            value = start
            if brackets == 2:
                path = (*path, "[]")
        else:
            path, position = _names(text, start)
            value = _skip(text, position + 1)
            position = _value_end(text, value)
        yield _Statement(path, text[start] == "[", start, value, position)
        position = _skip(text, position, across_lines=True)


def _skip(text: str, position: int, *, across_lines: bool = False) -> int:
    blank = " \t\r\n" if across_lines else " \t"
    while position < len(text):
        if text[position] == "#" and across_lines:
            position = _line_end(text, position)
        elif text[position] in blank:
            position += 1
        else:
            break
    return position


def _names(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """The names of a dotted key, and where it ends (at ``=`` or ``]``)."""
    names: list[str] = []
    while True:
        position = _skip(text, position)
        if text[position] in "\"'":
            end = _string_end(text, position)
            names.append(text[position + 1 : end - 1])
        elif bare := _BARE.match(text, position):
            end = bare.end()
            names.append(bare.group())
        else:
            return tuple(names), position
        position = _skip(text, end)
        if text[position] != ".":
            return tuple(names), position
        position += 1


def _string_end(text: str, start: int) -> int:
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    position = start + len(mark)
    while position < len(text) and not text.startswith(mark, position):
        position += 2 if text[position] == "\\" and quote == '"' else 1
    position += len(mark)
    if len(mark) == 3:
        while text.startswith(quote, position):
            position += 1
    return position


def _value_end(text: str, start: int) -> int:
    position, depth, end = start, 0, start
    while position < len(text):
        character = text[position]
        if character in "\"'":
            position = end = _string_end(text, position)
            continue
        if character == "#" or (character == "\n" and not depth):
            if not depth:
                break
            position = _line_end(text, position)
            continue
        depth += (character in "[{") - (character in "]}")
        position += 1
        if not character.isspace():
            end = position
    return end

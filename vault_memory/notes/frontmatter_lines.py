"""The fast way to read frontmatter: plain lines by regular expression, without loading yaml.

It takes only what it is sure of: ``key: plain``, quoted scalars without escapes, ``[a, b]`` and
simple block lists. One line of anything else, and the whole block is left to the YAML parser. It
serves because a YAML parser costs ten times as much and nearly all notes are that simple.
"""

import re

from vault_memory.notes.frontmatter_keys import Form, Item, Key, Span

_FIRST = r"(?:[\w(./+]|[^\x00-\x7f]|-(?=\w))"
_PLAIN = rf"{_FIRST}[^:\#\r\n]*+(?:(?::(?=[^ \r\n])|(?<=[^ ])\#)[^:\#\r\n]*+)*+"
_SCALAR = rf"\"[^\"\\\r\n]*\"|'[^'\r\n]*'|{_PLAIN}"
_END = r"[ ]*+\r?\n"
_ENTRY = re.compile(
    rf"""(?:{_END})*+
    ([^\W\d][\w-]{{0,99}}):
    (?:
      [ ]++(?: ("[^"\\\r\n]*") | ('[^'\r\n]*') | (\[[^\[\]{{}}:\#?\\&*!|>%@`\r\n]*\]) | ({_PLAIN}) )
      {_END}
    |
      {_END}
      ( ([ ]*+)-[ ]++(?:{_SCALAR}){_END} (?:\7-[ ]++(?:{_SCALAR}){_END})*+ )?
    )""",
    re.VERBOSE,
)
_FLOW_ITEM = re.compile(
    rf"""[ ]*+(?:"([^"]*)"|'([^']*)'|({_FIRST}[^,\]]*))[ ]*+(?:,(?=[ ]*+[^ \]])|(?=\]))""",
    re.VERBOSE,
)
_BLOCK_ITEM = re.compile(rf"[ ]*-[ ]+({_SCALAR})")
_FORMS: tuple[Form, ...] = ("empty", "empty", "double", "single", "flow-list", "plain")


def read_lines(text: str, start: int, end: int) -> tuple[Key, ...] | None:
    """Read a block of simple lines.

    Args:
        text: The note.
        start: Where the YAML begins, after the line end of the opening fence.
        end: Where the closing fence begins.

    Returns:
        The keys, or None when the block holds anything that only YAML can decide.
    """
    block = text[start:end]
    if not block.replace("\r\n", "").replace("\n", "").isprintable():
        return None
    keys: list[Key] = []
    line = 2
    counted = at = start
    while at < end:
        entry = _ENTRY.match(text, at, end)
        if entry is None:
            return tuple(keys) if not text[at:end].strip(" \r\n") else None
        at = entry.end()
        key_start, name_end = entry.span(1)
        line += text.count("\n", counted, key_start)
        counted = key_start
        key = _key(text, entry, key_start, name_end + 1, line)
        if key is None:
            return None
        keys.append(key)
    return tuple(keys)


def _key(text: str, entry: re.Match[str], start: int, colon: int, line: int) -> Key | None:
    kind = entry.lastindex or 1
    name = entry[1]
    if kind == 1:
        return Key(name, start, entry.end(), colon, Span(colon, colon), line, "empty", "")
    if kind == 6:
        return _block_list(text, entry, start, colon, line)
    begin, finish = entry.span(kind)
    form = _FORMS[kind]
    if form == "plain":
        value = entry[kind].rstrip(" ")
        finish = begin + len(value)
        return Key(name, start, entry.end(), colon, Span(begin, finish), line, form, value)
    if form == "flow-list":
        items = _flow_items(text, begin + 1, finish)
        if items is None:
            return None
        return Key(name, start, entry.end(), colon, Span(begin, finish), line, form, None, items)
    value = text[begin + 1 : finish - 1]
    return Key(name, start, entry.end(), colon, Span(begin, finish), line, form, value)


def _block_list(text: str, entry: re.Match[str], start: int, colon: int, line: int) -> Key:
    begin, finish = entry.span(6)
    items = tuple(
        _item(text, *found.span(1)) for found in _BLOCK_ITEM.finditer(text, begin, finish)
    )
    value = Span(text.index("-", begin), items[-1].end)
    return Key(entry[1], start, finish, colon, value, line, "block-list", None, items)


def _item(text: str, start: int, end: int) -> Item:
    if text[start] in "\"'":
        return Item(text[start + 1 : end - 1], start, end)
    value = text[start:end].rstrip(" ")
    return Item(value, start, start + len(value))


def _flow_items(text: str, at: int, end: int) -> tuple[Item, ...] | None:
    if not text[at : end - 1].strip(" "):
        return ()
    items: list[Item] = []
    while at < end - 1:
        found = _FLOW_ITEM.match(text, at, end)
        if found is None:
            return None
        start, stop = found.span(found.lastindex or 0)
        if found.lastindex == 3:
            items.append(_item(text, start, stop))
        else:
            items.append(Item(text[start:stop], start - 1, stop + 1))
        at = found.end()
    return tuple(items)

"""Editing a list in place: items that stay keep their bytes, quotes, lines and comments."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.notes.frontmatter_keys import Item, Key, line_start
from vault_memory.notes.scalars import Scalar, render_scalar

_DASH = re.compile(r"[ ]*-[ \t]+")
_TO_LINE_END = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")


class Edit(NamedTuple):
    """A piece of text to replace."""

    start: int
    end: int
    text: str


def edit_list(text: str, key: Key, wanted: Sequence[Scalar], newline: str) -> list[Edit] | None:
    """The edits that turn the list of a key into another one.

    What is alike at both ends stays; in between, items are replaced one by one and the rest is
    added or taken away.

    Returns:
        The edits, or None when the list has to be written anew as a whole.
    """
    old = [item for item in key.items or () if item.text]
    if not old or not wanted or key.form not in {"flow-list", "block-list"}:
        return None
    in_flow = key.form == "flow-list"
    if not in_flow and any(_dash(text, item) is None for item in old):
        return None
    same, left = _alike(old, wanted)
    middle_old = old[same : len(old) - left]
    middle_new = wanted[same : len(wanted) - left]
    paired = min(len(middle_old), len(middle_new))
    edits = [
        Edit(item.start, item.end, render_scalar(scalar, in_flow=in_flow))
        for item, scalar in zip(middle_old, middle_new, strict=False)
        if item.text != scalar.text
    ]
    at = same + paired
    added = [render_scalar(scalar, in_flow=True) for scalar in middle_new[paired:]]
    gone = middle_old[paired:]
    if added:
        edits.append(_insert(text, old, at, added, newline, in_flow=in_flow))
    if gone and in_flow:
        edits.append(_drop_from_flow(old, at, len(gone)))
    elif gone:
        edits += [_lines_of(text, item) for item in gone]
    return edits


def _alike(old: Sequence[Item], wanted: Sequence[Scalar]) -> tuple[int, int]:
    """How many items at the beginning and how many at the end are the same."""
    most = min(len(old), len(wanted))
    first = 0
    while first < most and old[first].text == wanted[first].text:
        first += 1
    last = 0
    while last < most - first and old[-1 - last].text == wanted[-1 - last].text:
        last += 1
    return first, last


def _insert(
    text: str, old: Sequence[Item], at: int, added: Sequence[str], newline: str, *, in_flow: bool
) -> Edit:
    if in_flow:
        if at:
            place = old[at - 1].end
            return Edit(place, place, "".join(f", {item}" for item in added))
        return Edit(old[0].start, old[0].start, "".join(f"{item}, " for item in added))
    neighbour = old[at - 1] if at else old[0]
    place = _lines_of(text, neighbour).end if at else _lines_of(text, neighbour).start
    dash = _dash(text, neighbour)
    return Edit(place, place, "".join(f"{dash}{item}{newline}" for item in added))


def _drop_from_flow(old: Sequence[Item], at: int, count: int) -> Edit:
    if at:
        return Edit(old[at - 1].end, old[at + count - 1].end, "")
    return Edit(old[0].start, old[count].start, "")


def _dash(text: str, item: Item) -> str | None:
    """What stands before an item in its line, if that is a dash and blanks."""
    begin = line_start(text, item.start)
    lead = text[begin : item.start]
    return lead if _DASH.fullmatch(lead) else None


def _lines_of(text: str, item: Item) -> Edit:
    """The removal of an item with its line."""
    begin = line_start(text, item.start)
    finish = item.start + len(text[item.start : item.end].rstrip("\r\n"))
    found = _TO_LINE_END.match(text, finish)
    return Edit(begin, found.end() if found else finish, "")

"""JSON as text: every value with its place, so that one can be changed and the rest kept."""

import json
import re
from dataclasses import dataclass
from typing import Literal

from vault_memory.errors import VaultmemError

MAX_DEPTH = 200

Kind = Literal["object", "array", "string", "other"]

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_OTHER = re.compile(r"(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])")


class JsonTextError(VaultmemError):
    """A text that is not JSON, or not the JSON that it should be; it was not changed.

    Attributes:
        line: 1-based line of what is wrong.
        column: 1-based column of what is wrong.
    """

    code = "settings"

    def __init__(self, problem: str, text: str, place: int, *, where: str = "line") -> None:
        before = text[:place].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.line = before.count("\n") + 1
        self.column = len(before) - before.rfind("\n")
        self._cause = (problem, text, place)
        super().__init__(
            f"{problem}; it was left as it is",
            where=f"{where}:{self.line}:{self.column}",
            cure="Mend it by hand first",
        )

    def at(self, file: str) -> "JsonTextError":
        """The same error with the file that it stands in."""
        problem, text, place = self._cause
        return JsonTextError(problem, text, place, where=file)


@dataclass(frozen=True, slots=True)
class Node:
    """One value and where it stands.

    Attributes:
        kind: What it is; ``other`` is a number, true, false or null.
        start: Where it begins.
        end: Where it ends.
        value: Its text without escapes, of a string; what it is, of ``other``; else None.
        names: The keys of an object, in order; empty for all else.
        starts: Where each member (its key) or item begins.
        children: The values of an object, or the items of an array.
    """

    kind: Kind
    start: int
    end: int
    value: object = None
    names: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    children: tuple["Node", ...] = ()

    def place_of(self, name: str) -> int | None:
        """The place of a member; of several of one name the last, which is the one that counts."""
        places = [place for place, own in enumerate(self.names) if own == name]
        return places[-1] if places else None

    def get(self, name: str) -> "Node | None":
        """The value of a member; None when there is none, or this is no object."""
        place = self.place_of(name)
        return None if place is None else self.children[place]


def parse(text: str) -> Node:
    """Return the value that the whole text is.

    Raises:
        JsonTextError: It is not JSON as RFC 8259 has it.
    """
    start = _blank(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    rest = _blank(text, node.end)
    if rest < len(text):
        raise JsonTextError("nothing may follow the value", text, rest)
    return node


def append_member(text: str, parent: Node, name: str, value: object) -> str:
    """Return the text with one more member at the end of an object, laid out as its others."""
    layout = _Layout.of(text, parent)
    return _append(text, parent, layout, f"{json.dumps(name)}:{layout.gap}", value)


def append_item(text: str, parent: Node, value: object) -> str:
    """Return the text with one more item at the end of an array, laid out as its others."""
    return _append(text, parent, _Layout.of(text, parent), "", value)


def replace(text: str, node: Node, value: object) -> str:
    """Return the text with another value in place of one, laid out for where it stands."""
    lines = re.split(r"\r\n|\r|\n", text[: node.start])
    layout = _Layout.of_text(text, _indent_of(lines[-1]))
    return text[: node.start] + layout.render(value) + text[node.end :]


def remove(text: str, parent: Node, place: int) -> str:
    """Return the text without one member or item, nor the comma that parted it."""
    if place:
        start, end = parent.children[place - 1].end, parent.children[place].end
    elif len(parent.children) > 1:
        start, end = parent.starts[0], parent.starts[1]
    else:
        start, end = parent.start + 1, parent.end - 1
    return text[:start] + text[end:]


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the children of a container are laid out.

    Attributes:
        newline: The line end of the text.
        unit: What one level is indented by; empty where all stands on one line.
        indent: Blanks before a child; None when it follows the one before on the same line.
        gap: What stands behind a colon, and behind a comma within a line.
    """

    newline: str
    unit: str
    indent: str | None
    gap: str

    @classmethod
    def of(cls, text: str, parent: Node) -> "_Layout":
        """The layout of a container's children; of an empty one, as its own line is indented."""
        if not parent.starts:
            lines = re.split(r"\r\n|\r|\n", text[: parent.start])
            shared = cls.of_text(text, _indent_of(lines[-1]))
            inner = None if shared.indent is None else shared.indent + shared.unit
            return cls(shared.newline, shared.unit, inner, shared.gap)
        before = parent.children[-2].end if len(parent.starts) > 1 else parent.start
        lead = text[before + 1 : parent.starts[-1]]
        shared = cls.of_text(text, "")
        broken = re.search(r"[\r\n]([ \t]*)$", lead)
        if broken:
            return cls(shared.newline, shared.unit or "  ", broken[1], " ")
        return cls(shared.newline, shared.unit, None, shared.gap)

    @classmethod
    def of_text(cls, text: str, indent: str) -> "_Layout":
        """The layout of the text as a whole, for what stands in a line indented so."""
        root = parse(text)
        newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
        if not root.starts:
            return cls(newline, "  ", indent, " ")
        broken = re.search(r"[\r\n]([ \t]*)$", text[: root.starts[0]])
        if broken:
            return cls(newline, broken[1] or "  ", indent, " ")
        colon = text.find(":", root.starts[0]) if root.kind == "object" else -1
        gap = " " if text[colon + 1 : colon + 2] == " " else ""
        return cls(newline, "", None, gap)

    def render(self, value: object) -> str:
        if self.indent is None:
            return json.dumps(
                value, ensure_ascii=False, separators=(f",{self.gap}", f":{self.gap}")
            )
        text = json.dumps(value, ensure_ascii=False, indent=self.unit)
        return text.replace("\n", self.newline + self.indent)


def _append(text: str, parent: Node, layout: _Layout, head: str, value: object) -> str:
    written = head + layout.render(value)
    lead = layout.gap if layout.indent is None else layout.newline + layout.indent
    if parent.children:
        end = parent.children[-1].end
        return f"{text[:end]},{lead}{written}{text[end:]}"
    inside = written
    if layout.indent is not None:
        close = layout.indent.removesuffix(layout.unit)
        inside = f"{lead}{written}{layout.newline}{close}"
    return text[: parent.start + 1] + inside + text[parent.end - 1 :]


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _value(text: str, place: int, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise JsonTextError(f"values lie more than {MAX_DEPTH} deep in each other", text, place)
    opening = text[place : place + 1]
    if opening == "{":
        return _container(text, place, depth, "object", "}")
    if opening == "[":
        return _container(text, place, depth, "array", "]")
    if opening == '"':
        return _string(text, place)
    found = _OTHER.match(text, place)
    if found is None:
        raise JsonTextError(_unexpected(text, place, "a value"), text, place)
    return Node("other", place, found.end(), json.loads(found[0]))


def _string(text: str, place: int) -> Node:
    found = _STRING.match(text, place)
    if found is None:
        said = "a text in double quotes" if text[place : place + 1] != '"' else "a whole text"
        raise JsonTextError(_unexpected(text, place, said), text, place)
    return Node("string", place, found.end(), json.loads(found[0]))


def _container(text: str, place: int, depth: int, kind: Kind, closing: str) -> Node:
    names: list[str] = []
    starts: list[int] = []
    children: list[Node] = []
    at = _blank(text, place + 1)
    while children or text[at : at + 1] != closing:
        starts.append(at)
        if kind == "object":
            key = _string(text, at)
            names.append(str(key.value))
            at = _behind_colon(text, key.end)
        children.append(_value(text, at, depth + 1))
        at = _blank(text, children[-1].end)
        if text[at : at + 1] == closing:
            break
        comma = at
        if text[at : at + 1] != ",":
            raise JsonTextError(_unexpected(text, at, f"a comma or {closing}"), text, at)
        at = _blank(text, at + 1)
        if text[at : at + 1] == closing:
            raise JsonTextError(f"a comma before {closing}, which JSON does not have", text, comma)
    return Node(kind, place, at + 1, None, tuple(names), tuple(starts), tuple(children))


def _behind_colon(text: str, place: int) -> int:
    at = _blank(text, place)
    if text[at : at + 1] != ":":
        raise JsonTextError(_unexpected(text, at, "a colon"), text, at)
    return _blank(text, at + 1)


def _unexpected(text: str, place: int, wanted: str) -> str:
    if place >= len(text):
        return f"the file ends where {wanted} should be"
    if text.startswith(("//", "/*"), place):
        return f"{wanted} should be here, and JSON has no comments"
    return f"{wanted} should be here, not {text[place]}"

"""The sure way to read frontmatter: keys and problems of a block from the nodes of YAML."""

import re

from vault_memory.notes.frontmatter_keys import Form, Item, Key, Problem, Span, line_start, place
from vault_memory.notes.lines import LineCounter
from vault_memory.notes.yaml_nodes import Node, YamlError, read_nodes

_COLON = re.compile(r"[ \t]*:")
_LINE_END = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_BARE_LINK = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_CUT = re.compile(r"[ \t]+#[^ \t\r\n#]")
_TEMPLATE = re.compile(r"\{\{[^{}\r\n]*\}\}")
_BLOCK = frozenset("|>")
_STYLES: dict[str, Form] = {"": "plain", "'": "single", '"': "double", "|": "block", ">": "block"}


def read_yaml(text: str, start: int, end: int) -> tuple[tuple[Key, ...], tuple[Problem, ...]]:
    """Read the YAML between ``start`` and ``end`` of a note.

    Returns:
        The keys, none when it does not parse, and what is wrong or odd.
    """
    try:
        root = read_nodes(text[start:end])
    except YamlError as error:
        line, column = place(text, start + error.at)
        message = f"frontmatter does not parse: {error.problem}; quote the value or mend the line"
        return (), (Problem("frontmatter-unparsable", line, column, message),)
    if root is None or root.start == root.end:
        return (), ()
    line, column = place(text, start + root.start)
    if root.kind != "map":
        message = "frontmatter is not a list of keys; write it as lines of 'key: value'"
        return (), (Problem("frontmatter-unparsable", line, column, message),)
    reader = _Reader(text, start, in_flow=bool(root.style))
    keys = tuple(
        reader.key(name, value)
        for name, value in zip(root.children[::2], root.children[1::2], strict=True)
    )
    if root.style:
        message = "frontmatter is one {…}, which is read but not edited; write a line for each key"
        reader.problems.append(Problem("frontmatter-form", line, column, message, "notice"))
    return keys, tuple(reader.problems)


class _Reader:
    """Turns nodes into keys and collects what is odd about them."""

    def __init__(self, text: str, offset: int, *, in_flow: bool) -> None:
        self.text = text
        self.offset = offset
        self.in_flow = in_flow
        self.problems: list[Problem] = []
        self._lines = LineCounter(text, offset, 2)
        self._lists: dict[int, tuple[Item, ...]] = {}

    def key(self, name: Node, value: Node) -> Key:
        text, offset = self.text, self.offset
        at = offset + name.start
        start = line_start(text, at)
        line = self._lines.at(start)
        label = name.text if name.kind == "scalar" else self.source(name)
        after = _COLON.match(text, offset + name.end)
        colon = after.end() if after else offset + name.end
        if not self.in_flow and (after is None or text[start:at].strip(" ")):
            message = (
                f"'{label}' is written in a form that is read but not edited; use 'key: value'"
            )
            self.problems.append(Problem("frontmatter-form", line, 1, message, "notice"))
        span = self.span(value, colon)
        end = self.line_end(span, value)
        form, shown, items = self.content(value)
        self.remark(label, value, span)
        return Key(label, start, end, colon, span, line, form, shown, items)

    def source(self, node: Node) -> str:
        return self.text[self.offset + node.start : self.offset + node.end]

    def span(self, node: Node, colon: int) -> Span:
        """Where a value is written, without the line ends after a block scalar."""
        source = self.source(node)
        if not source:
            return Span(colon, colon)
        if node.style in _BLOCK:
            source = source.rstrip(" \t\r\n")
        start = self.offset + node.start
        return Span(start, start + len(source))

    def line_end(self, span: Span, node: Node) -> int:
        header = self.source(node).split("\n", 1)[0] if node.style in _BLOCK else ""
        if "+" in header.split("#", 1)[0]:
            return self.offset + node.end
        found = _LINE_END.match(self.text, span.end)
        return found.end() if found else span.end

    def content(self, node: Node) -> tuple[Form, str | None, tuple[Item, ...] | None]:
        """The form of a value, its text if it is a scalar, its items if it is a list."""
        held = node.target or node
        text = self.shown(held)
        items = self.items(held) if text is None and held.kind == "list" else None
        form: Form = "other"
        if node.kind == "alias":
            return form, text, items
        if items is not None:
            form = "flow-list" if node.style else "block-list"
        elif text is not None:
            form = "plain" if node.kind == "list" else _STYLES[node.style]
        if form == "plain" and text in {"", "~"}:
            return ("plain" if self.source(node) else "empty"), "", None
        return form, text, items

    def shown(self, node: Node) -> str | None:
        if node.kind == "scalar":
            return node.text
        source = self.source(node)
        return source if node.kind == "list" and _BARE_LINK.fullmatch(source) else None

    def items(self, node: Node) -> tuple[Item, ...]:
        known = self._lists.get(id(node))
        if known is None:
            found = ((self.shown(child.target or child), child) for child in node.children)
            known = tuple(
                Item(shown, *self.span(child, self.offset + child.end))
                for shown, child in found
                if shown is not None
            )
            self._lists[id(node)] = known
        return known

    def remark(self, label: str, node: Node, span: Span) -> None:
        """Note what is probably not meant as it stands."""
        if node.kind == "map" and _TEMPLATE.fullmatch(self.source(node)):
            message = f"'{label}' holds a template's placeholder; put it in quotes or fill it in"
            self._warn("frontmatter-placeholder", span.start, message)
        ends = [(node, span.end)]
        if node.kind == "list" and not node.style:
            ends = [(child, self.offset + child.end) for child in node.children]
        for scalar, end in ends:
            if scalar.kind == "scalar" and not scalar.style and _CUT.match(self.text, end):
                message = f"'{label}' ends before ' #', which begins a comment; quote what to keep"
                self._warn("frontmatter-comment", end, message)

    def _warn(self, rule: str, at: int, message: str) -> None:
        column = at - line_start(self.text, at) + 1
        line = self._lines.at(at)
        self.problems.append(Problem(rule, line, column, message, "warning", blocks=False))

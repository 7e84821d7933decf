"""The sure way to read frontmatter: keys and problems of a block from the nodes of YAML."""

import re

from vault_memory.notes.frontmatter_keys import Form, Item, Key, Problem, Span, place
from vault_memory.notes.yaml_nodes import Node, YamlError, read_nodes

_COLON = re.compile(r"[ \t]*:")
_LINE_END = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_BARE_LINK = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_CUT = re.compile(r"[ \t]+#[^ \t\r\n#]")
_TEMPLATE = re.compile(r"\{\{[^{}\r\n]*\}\}")
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
    if root is None or (root.kind == "scalar" and not root.text):
        return (), ()
    line, column = place(text, start + root.start)
    if root.kind != "map":
        message = "frontmatter is not a list of keys; write it as lines of 'key: value'"
        return (), (Problem("frontmatter-unparsable", line, column, message),)
    reader = _Reader(text, start)
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

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.problems: list[Problem] = []
        self._lists: dict[int, tuple[Item, ...]] = {}

    def key(self, name: Node, value: Node) -> Key:
        text, offset = self.text, self.offset
        at = offset + name.start
        start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
        line, column = place(text, at)
        label = name.text if name.kind == "scalar" else self.source(name)
        after = _COLON.match(text, offset + name.end)
        colon = after.end() if after else offset + name.end
        if after is None or text[start:at].strip(" "):
            message = (
                f"'{label}' is written in a form that is read but not edited; use 'key: value'"
            )
            self.problems.append(Problem("frontmatter-form", line, column, message, "notice"))
        span = self.span(value, colon)
        end = self.line_end(span, value)
        form, shown, items = self.content(value)
        self.remark(label, value, span)
        return Key(label, start, end, colon, span, line, form, shown, items)

    def source(self, node: Node) -> str:
        return self.text[self.offset + node.start : self.offset + node.end]

    def span(self, node: Node, colon: int) -> Span:
        source = self.source(node)
        if not source:
            return Span(colon, colon)
        start = self.offset + node.start
        if node.style in {"|", ">"}:
            source = source.rstrip(" \t\r\n")
        return Span(start, start + len(source))

    def line_end(self, span: Span, node: Node) -> int:
        header = self.source(node).split("\n", 1)[0] if node.style in {"|", ">"} else ""
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
                Item(shown, self.offset + child.start, self.offset + child.end)
                for shown, child in found
                if shown is not None
            )
            self._lists[id(node)] = known
        return known

    def remark(self, label: str, node: Node, span: Span) -> None:
        cut = node.kind == "scalar" and node.style == "" and _CUT.match(self.text, span.end)
        if cut:
            line, column = place(self.text, span.end)
            message = (
                f"'{label}' ends before ' #', which begins a comment; quote the value to keep it"
            )
            self.problems.append(
                Problem("frontmatter-comment", line, column, message, "warning", blocks=False)
            )
        if node.kind == "map" and _TEMPLATE.fullmatch(self.source(node)):
            line, column = place(self.text, span.start)
            message = f"'{label}' holds a template's placeholder; put it in quotes or fill it in"
            self.problems.append(
                Problem("frontmatter-placeholder", line, column, message, "warning", blocks=False)
            )

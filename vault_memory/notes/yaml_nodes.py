"""Frontmatter through the YAML parser: nodes with their places, nothing typed, nothing expanded.

Built from parser events in one loop, so that depth costs no stack and an alias costs one node.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml
    from yaml._yaml import Mark

_FOREIGN = re.compile("[\x85\u2028\u2029\udc80-\udcff]")
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\xa0-\ufffd\U00010000-\U0010ffff]")
_STAND_IN = 0x100000
_STOOD_IN = re.compile("[\U00100000-\U0010ffff]")


class YamlError(ValueError):
    """The text is not one YAML document.

    Attributes:
        problem: What is wrong, in the words of the parser.
        at: Where, as an index into the text.
    """

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at


@dataclass(slots=True)
class Node:
    """A node of the YAML graph.

    Attributes:
        kind: What it is.
        start: Where it begins, with anchor and tag, as an index into the text.
        end: Where it ends; for block collections, where its last scalar ends.
        text: The value of a scalar.
        style: The quote or block sign of a scalar, ``[`` or ``{`` for flow collections, or empty.
        children: Items of a list; keys and values of a map in turn.
        target: What an alias stands for.
    """

    kind: Literal["scalar", "list", "map", "alias"]
    start: int
    end: int
    text: str = ""
    style: str = ""
    children: list["Node"] = field(default_factory=list)
    target: "Node | None" = None


def read_nodes(text: str) -> Node | None:
    """Parse one YAML document.

    Line separators that only YAML 1.1 knows (U+0085, U+2028, U+2029) and undecodable bytes are
    ordinary characters here, as they are in YAML 1.2 and in an editor.

    Returns:
        The root, or None when there is nothing but comments.

    Raises:
        YamlError: If it does not parse, has several documents or an alias without an anchor.
    """
    import yaml

    if text.startswith("\ufeff"):
        raise YamlError("a byte order mark stands here", 0)
    veiled = _FOREIGN.search(text) is not None
    source = _veil(text) if veiled else text
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _build(yaml.parse(source, Loader=loader), veiled=veiled)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if error.context_mark and not source[_index(mark) :].strip():
            mark = error.context_mark
        raise YamlError(error.problem or str(error), _index(mark)) from error
    except yaml.reader.ReaderError as error:
        bad = _CONTROL.search(source)
        raise YamlError("a control character stands here", bad.start() if bad else 0) from error
    except UnicodeDecodeError as error:
        raise YamlError("an escape in a tag is no text", 0) from error


def _build(events: "Iterator[yaml.Event]", *, veiled: bool) -> Node | None:
    import yaml

    root: Node | None = None
    opened: list[Node] = []
    anchors: dict[str, Node] = {}
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            _close(opened.pop(), _index(event.end_mark))
            continue
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise YamlError("a second document begins here", _index(event.start_mark))
        if not isinstance(event, yaml.NodeEvent):
            continue
        node = _node(event, anchors)
        if veiled:
            node.text = _unveil(node.text)
        if opened:
            opened[-1].children.append(node)
        else:
            root = node
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append(node)
    return root


def _node(event: "yaml.NodeEvent", anchors: dict[str, Node]) -> Node:
    """The node that an event begins; an anchor is remembered, an alias looked up."""
    import yaml

    start, end = _index(event.start_mark), _index(event.end_mark)
    anchor = event.anchor or ""
    if isinstance(event, yaml.AliasEvent):
        if anchor not in anchors:
            raise YamlError(f"*{anchor} is an alias of nothing", start)
        return Node("alias", start, end, target=anchors[anchor])
    if isinstance(event, yaml.ScalarEvent):
        node = Node("scalar", start, end, event.value, event.style or "")
    elif isinstance(event, yaml.SequenceStartEvent):
        node = Node("list", start, end, style="[" if event.flow_style else "")
    else:
        flow = isinstance(event, yaml.CollectionStartEvent) and event.flow_style
        node = Node("map", start, end, style="{" if flow else "")
    if anchor:
        anchors[anchor] = node
    return node


def _close(node: Node, end: int) -> None:
    """Set the end of a collection; that of a block ends with its last scalar, not at a comment."""
    node.end = end if node.style or not node.children else node.children[-1].end


def _index(mark: "Mark | yaml.error.Mark | None") -> int:
    return mark.index if mark else 0


def _veil(text: str) -> str:
    clash = _STOOD_IN.search(text)
    if clash:
        raise YamlError("undecodable bytes beside a character of plane 16", clash.start())
    return _FOREIGN.sub(lambda found: chr(_STAND_IN + ord(found.group())), text)


def _unveil(text: str) -> str:
    return _STOOD_IN.sub(lambda found: chr(ord(found.group()) - _STAND_IN), text)

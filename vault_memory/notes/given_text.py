"""Text that a person or program gives for a section, kept from ending or hiding what follows."""

import re

from vault_memory.notes.conflicts import conflict_regions
from vault_memory.notes.fences import close_fences
from vault_memory.notes.leaves import leaves

_OWN_HEADING = re.compile(r"( {0,3})(#{1,2})(?=[ \t]|$)")
_UNDERLINE = re.compile(r"( {0,3})([-=]+[ \t]*)$")
_CONFLICT = re.compile(r"([<=>]{7})(?=[ ]|$)")
_NAME_POWER = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[`<$*]|\[(?=\[)|(?<=\[)\[|%(?=%)|(?<=%)%|#(?=\w)")
_CLOSERS = ("", "\n-->", "\n%%", "\n$$", "\n</pre>", "\n</script>", "\n</style>", "\n</textarea>")


def contained(text: str) -> str:
    r"""Return the text so that it stays within its section.

    Line ends become ``\n``; headings of the first two levels, underlines of headings and conflict
    markers are escaped; what is open at the end (a fence, a comment, math) is closed. Links stay
    links. Text in which fences and comments cross becomes code.
    """
    flat = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    lines = [
        line.text if line.code else _escape_line(line.text)
        for line in close_fences(flat.split("\n"))
    ]
    held = "\n".join(lines)
    for closer in _CLOSERS:
        if _ends(held + closer):
            return held + closer
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", flat)), default=0))
    return f"{fence}\n{flat}\n{fence}"


def heading_text(name: str) -> str:
    """Return a name for a heading, in which nothing is an edge, a tag, code, math or a comment."""
    flat = " ".join(name.split())
    escaped = _NAME_POWER.sub(lambda found: f"\\{found[0]}", flat)
    return re.sub(r"(?<= )(?=#+$)", r"\\", escaped)


def _escape_line(line: str) -> str:
    for pattern in (_OWN_HEADING, _UNDERLINE):
        if found := pattern.match(line):
            return f"{found[1]}\\{line[len(found[1]) :]}"
    return f"\\{line}" if _CONFLICT.match(line) else line


def _ends(text: str) -> bool:
    """Tell whether a heading behind the text is one, and the first that would end the section."""
    probe = f"{text}\n\n## Evidence\n"
    own = [
        leaf.start
        for leaf in leaves(probe)
        if leaf.kind == "heading" and not leaf.depth and leaf.level <= 2
    ]
    return own == [len(text) + 2] and not conflict_regions(probe)

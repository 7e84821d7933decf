"""A change set as git would show it, for dry runs."""

from vault_memory.core.changes import Change, ChangeSet

_CONTEXT = 3
_LONGEST_COMPARED = 4000
"""Lines on both sides beyond which a changed stretch is shown as replaced as a whole."""

Opcode = tuple[str, int, int, int, int]


def diff(change_set: ChangeSet) -> str:
    """The unified diff of all changes, which ``git apply`` takes; empty when nothing changes."""
    return "".join(_of_file(c) for c in change_set.changes if c.before != c.after)


def _of_file(change: Change) -> str:
    old, new = _quoted("a/" + change.path), _quoted("b/" + change.path)
    head = f"diff --git {old} {new}\n"
    if change.before is None:
        head += "new file mode 100644\n"
    elif change.after is None:
        head += "deleted file mode 100644\n"
    before, after = _lines(change.before), _lines(change.after)
    if before == after:
        return head
    head += f"--- {'/dev/null' if change.before is None else old}\n"
    head += f"+++ {'/dev/null' if change.after is None else new}\n"
    return head + "".join(_hunk(group, before, after) for group in _groups(before, after))


def _lines(data: bytes | None) -> list[str]:
    """The lines of a file, each with its line feed; a carriage return is part of its line."""
    lines = [line + "\n" for line in (data or b"").decode("utf-8", "surrogateescape").split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _groups(before: list[str], after: list[str]) -> list[list[Opcode]]:
    """Where the files differ, with context, as `difflib` groups it."""
    import difflib

    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    tail = 0
    longest = min(len(before), len(after)) - start
    while tail < longest and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    begin, end = max(0, start - _CONTEXT), max(0, tail - _CONTEXT)
    old, new = before[begin : len(before) - end], after[begin : len(after) - end]
    if len(old) + len(new) > _LONGEST_COMPARED:
        lead, trail = start - begin, tail - end
        codes: list[Opcode] = [
            ("equal", 0, lead, 0, lead),
            ("replace", lead, len(old) - trail, lead, len(new) - trail),
            ("equal", len(old) - trail, len(old), len(new) - trail, len(new)),
        ]
        groups = [[code for code in codes if code[2] > code[1] or code[4] > code[3]]]
    else:
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        groups = [list(group) for group in matcher.get_grouped_opcodes(_CONTEXT)]
    return [
        [(tag, a + begin, b + begin, c + begin, d + begin) for tag, a, b, c, d in group]
        for group in groups
    ]


def _hunk(group: list[Opcode], before: list[str], after: list[str]) -> str:
    _, old_start, _, new_start, _ = group[0]
    _, _, old_end, _, new_end = group[-1]
    shown = [f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"]
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            shown += [_line(" ", line) for line in before[old_from:old_to]]
            continue
        shown += [_line("-", line) for line in before[old_from:old_to]]
        shown += [_line("+", line) for line in after[new_from:new_to]]
    return "".join(shown)


def _range(start: int, end: int) -> str:
    if end - start == 1:
        return str(start + 1)
    return f"{start + 1 if end > start else start},{end - start}"


def _line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _quoted(path: str) -> str:
    """A path in git's own quotes where it holds what would break the line."""
    if all(character >= " " and character not in '"\\\x7f' for character in path):
        return path
    inner = "".join(
        f"\\{character}" if character in '"\\'
        else f"\\{ord(character):03o}" if character < " " or character == "\x7f"
        else character
        for character in path
    )  # fmt: skip
    return f'"{inner}"'

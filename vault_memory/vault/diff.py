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
    """Where the files differ, with context: what is not shared by both ends, as `difflib` sees it.

    The shared ends are cut off first. Aligned with the rest, they could take lines of a repeated
    stretch for themselves and leave a hunk without context behind it, which git does not take.
    """
    import difflib

    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    tail = 0
    longest = min(len(before), len(after)) - start
    while tail < longest and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old_end, new_end = len(before) - tail, len(after) - tail
    old, new = before[start:old_end], after[start:new_end]
    if len(old) + len(new) > _LONGEST_COMPARED:
        inner: list[Opcode] = [("replace", start, old_end, start, new_end)]
    else:
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        inner = [
            (tag, a + start, b + start, c + start, d + start)
            for tag, a, b, c, d in matcher.get_opcodes()
        ]
    ends: tuple[Opcode, Opcode] = (
        ("equal", 0, start, 0, start),
        ("equal", old_end, len(before), new_end, len(after)),
    )
    return _hunks([ends[0], *inner, ends[1]])


def _hunks(codes: list[Opcode]) -> list[list[Opcode]]:
    """Cut the codes where more stays the same than two hunks show as context."""
    hunks: list[list[Opcode]] = [[]]
    last = len(codes) - 1
    for place, (tag, a, b, c, d) in enumerate(codes):
        if tag != "equal":
            hunks[-1].append((tag, a, b, c, d))
            continue
        before = 0 if place == 0 else min(_CONTEXT, b - a)
        behind = 0 if place == last else min(_CONTEXT, b - a)
        if 0 < place < last and b - a <= 2 * _CONTEXT:
            hunks[-1].append((tag, a, b, c, d))
            continue
        if before:
            hunks[-1].append(("equal", a, a + before, c, c + before))
        if 0 < place < last:
            hunks.append([])
        if behind:
            hunks[-1].append(("equal", b - behind, b, d - behind, d))
    return [hunk for hunk in hunks if any(code[0] != "equal" for code in hunk)]


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

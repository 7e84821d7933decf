"""The turns of a conversation note as markdown, and markdown as turns."""

import re
from collections.abc import Iterator

from vault_memory.core.conversation import REPORTING, Mark, Part, Text, ToolUse, Turn
from vault_memory.core.excerpt import head, shortened
from vault_memory.notes.escape import escape, escape_line

INPUT_SHOWN = 200
RESULT_SHOWN = 500
REPORT_SHOWN = 4_000
COMPACTION_SHOWN = 4_000

_TICKS = re.compile(r"`+")
_TITLES = {
    "interrupt": "[!warning] Interrupted by the user",
    "compaction": "[!abstract]- Context compacted",
    "plan": "[!plan]- Plan",
    "question": "[!question]",
    "answer": "[!question]",
    "attachment": "[!attachment]",
}


def render_turn(turn: Turn) -> Iterator[str]:
    """Yield the blocks of a turn: heading with time and id, then what was said and done."""
    clock = turn.time[11:16] or "--:--"
    yield f"### {escape_line(turn.speaker) or 'Unknown'}\n{clock} ^{turn.id}"
    for part in turn.parts:
        yield _render_part(part)


def _render_part(part: Part) -> str:
    if isinstance(part, Text):
        return escape(part.text)
    if isinstance(part, ToolUse):
        return _quote("\n".join(_tool_lines(part)))
    return _quote("\n".join(_mark_lines(part)))


def _quote(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _tool_lines(tool: ToolUse) -> Iterator[str]:
    """Yield a callout that is folded in Obsidian: the call as its title, the result inside."""
    state = " failed" if tool.error else " without a result" if tool.open else ""
    asked = code_span(shortened(tool.input_head, INPUT_SHOWN))
    yield f"[!tool]- {escape_line(tool.name)}{state} {asked}".rstrip()
    limit = REPORT_SHOWN if tool.name in REPORTING else RESULT_SHOWN
    result = tool.result_head.replace("\r\n", "\n").replace("\r", "\n")
    shown = head(result, limit).strip("\n")
    if shown.strip():
        fence = "`" * max([2, *(len(run) for run in _TICKS.findall(shown))]) + "`"
        yield f"{fence}\n{shown}\n{fence}"
    if tool.result_length > len(shown.rstrip()) + 1 and len(shown) < tool.result_length:
        yield f"… {tool.result_length:,} characters in all"


def _mark_lines(mark: Mark) -> Iterator[str]:
    title = _TITLES[mark.kind]
    if mark.kind in {"question", "answer", "attachment"}:
        yield f"{title} {escape_line(mark.text)}".rstrip()
        return
    yield title
    if mark.text:
        text = head(mark.text, COMPACTION_SHOWN) if mark.kind == "compaction" else mark.text
        yield escape(text)
        if len(text) < len(mark.text):
            yield f"… {len(mark.text):,} characters in all"


def code_span(text: str) -> str:
    """Return a line as a code span that shows every character of it; empty for an empty line."""
    if not text:
        return ""
    ticks = "`" * (max([0, *(len(run) for run in _TICKS.findall(text))]) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"

"""What a tool was asked to do, in a few words, and the file it works on."""

import json
import re
from typing import Any

from vault_memory.core.excerpt import one_line
from vault_memory.transcripts.clean import clean

INPUT_KEPT = 400
"""Characters of a tool's input that are kept."""

_TELLING = (
    "command",
    "cmd",
    "file_path",
    "notebook_path",
    "query",
    "url",
    "pattern",
    "description",
    "skill",
    "path",
    "subject",
    "prompt",
)
_PATHS = ("file_path", "notebook_path", "path", "filename")
_FILE_TOOLS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead"})
_READING = frozenset({"Read", "NotebookRead"})
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$", re.MULTILINE)


def input_head(tool_input: object) -> str:
    """Return one line that says what a tool was asked to do.

    Args:
        tool_input: The input as recorded, usually an object with named values.
    """
    if isinstance(tool_input, str):
        return one_line(clean(tool_input), INPUT_KEPT)
    if not isinstance(tool_input, dict):
        return ""
    for key in _TELLING:
        value = tool_input.get(key)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            value = " ".join(value)
        if isinstance(value, str) and value.strip():
            return one_line(clean(value), INPUT_KEPT)
    if isinstance(todos := tool_input.get("todos"), list):
        return f"{len(todos)} to do"
    if not tool_input:
        return ""
    return one_line(clean(_as_json(tool_input)), INPUT_KEPT)


def file_of(name: str, tool_input: object) -> str:
    """Return the file a tool works on; empty when it names none."""
    if isinstance(tool_input, str):
        found = _PATCHED.search(tool_input[:10_000])
        return found[1].strip() if found else ""
    if name not in _FILE_TOOLS or not isinstance(tool_input, dict):
        return ""
    values: list[Any] = [tool_input.get(key) for key in _PATHS]
    path = next((value for value in values if isinstance(value, str) and value), "")
    return one_line(clean(path), INPUT_KEPT)


def edits_file(name: str) -> bool:
    """Return whether a tool that names a file changes it."""
    return name not in _READING


def _as_json(value: dict[str, Any]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""

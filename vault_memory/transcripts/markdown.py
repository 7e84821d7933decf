"""Conversations in plain markdown: ``### User`` and ``### Assistant``, each with what was said."""

import re
from collections import Counter
from collections.abc import Iterable

from vault_memory.core.conversation import Conversation
from vault_memory.transcripts.drafts import Draft, Session

_HEADING = re.compile(
    r"#{2,4}[ \t]+\**+(user|human|you|assistant|ai|agent|claude|model|bot)\**+:?\**+[ \t]*+$",
    re.IGNORECASE,
)
_SPEAKERS = {"user": "User", "human": "User", "you": "User"}
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_STAMP = re.compile(r"(?:\d{2}:\d{2}|--:--)?(?:[ \t]*\^t-[0-9a-f]{12})?[ \t]*$")


def read_markdown(lines: Iterable[str], *, stem: str, skipped: Counter[str]) -> Conversation:
    """Return the conversation that the text holds.

    Args:
        lines: Without their line ends.
        stem: The file's name without its extension, which the session's id begins with.
        skipped: Gains ``lines_before_first_turn``.
    """
    session = Session(skipped)
    draft: Draft | None = None
    said: list[str] = []
    fence = ""
    for line in lines:
        if marker := _FENCE.match(line):
            fence = _fence_after(line, marker[1], fence)
        heading = None if fence else _HEADING.match(line)
        if heading:
            if draft:
                draft.say("\n".join(said))
            speaker = _SPEAKERS.get(heading[1].lower(), "Assistant")
            draft, said = session.begin(speaker, len(session.drafts) + 1, ""), []
        elif draft is None:
            skipped["lines_before_first_turn"] += bool(line.strip())
        elif said or not _STAMP.match(line):
            said.append(line)
    if draft:
        draft.say("\n".join(said))
    return session.finish(stem)


def _fence_after(line: str, marker: str, fence: str) -> str:
    """Return the fence that is open after a line with a fence marker."""
    if not fence:
        return marker
    closes = marker.startswith(fence) and not line.strip().strip(marker[0])
    return "" if closes else fence

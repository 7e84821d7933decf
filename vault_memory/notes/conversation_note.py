"""A conversation note: the archive of one session, made for people, git and the index."""

from vault_memory.core.conversation import Conversation
from vault_memory.core.summary import Summary
from vault_memory.core.tags import Tags
from vault_memory.notes.conversation_keys import ORDER, render_block, values_of
from vault_memory.notes.conversation_parse import (
    ParsedConversation,
    ParsedTurn,
    parse,
    peoples_own,
)
from vault_memory.notes.conversation_turns import render_turn
from vault_memory.notes.escape import escape, escape_line
from vault_memory.notes.frontmatter import parse as parse_frontmatter
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.text import newline_of

__all__ = ["ParsedConversation", "ParsedTurn", "note_stem", "parse", "render", "rerender"]


def note_stem(log: int) -> str:
    """Return the name of the conversation note with this number, ``conversation-005``."""
    return f"conversation-{log:03d}"


def render(
    conversation: Conversation, *, log: int, summary: Summary, tags: Tags, redacted: int = 0
) -> str:
    r"""Return a new conversation note, its lines ended by ``\n``.

    The same arguments give the same bytes.

    Args:
        conversation: The session, secrets already redacted.
        log: The note's number.
        summary: What is said about the session as a whole.
        tags: What stands under ``## Tags``.
        redacted: How many secrets were taken out.
    """
    values = values_of(conversation, log=log, summary=summary, redacted=redacted)
    return render_block(values) + _render_body(conversation, log, summary, tags)


def rerender(
    note: str,
    conversation: Conversation,
    *,
    log: int,
    summary: Summary,
    tags: Tags,
    redacted: int = 0,
) -> str:
    """Return a conversation note brought up to its session, which grew.

    The frontmatter is edited in place: ``extracted``, ``retracted``, keys that people added,
    comments and order stay. What people wrote beside the summary, the turns and the tags stays
    too, behind the tags.

    Args:
        note: The note as it is.
        conversation: The session as it is now, secrets already redacted.
        log: The note's number.
        summary: What is said about the session as a whole.
        tags: What stands under ``## Tags``.
        redacted: How many secrets were taken out.

    Raises:
        NoteError: The frontmatter must not be written to.
    """
    values = values_of(conversation, log=log, summary=summary, redacted=redacted)
    edited = set_values(note, values, order=ORDER)
    body = _render_body(conversation, log, summary, tags)
    if kept := peoples_own(note):
        body = f"{body}\n{kept}\n"
    newline = newline_of(note)
    return edited[: parse_frontmatter(edited).body] + body.replace("\n", newline)


def _render_body(conversation: Conversation, log: int, summary: Summary, tags: Tags) -> str:
    said = [escape(summary.text.strip())] if summary.text.strip() else []
    points = [
        *_labelled("Decisions", summary.decisions, "; "),
        *_labelled("Action Items", summary.actions, "; "),
    ]
    blocks = [f"# Conversation {log:03d}", "\n".join(["## Summary", *said])]
    if points:
        blocks.append("\n".join(points))
    for turn in conversation.turns:
        blocks.extend(render_turn(turn))
    listed = [
        *_labelled("Decisions", tags.decisions, "; "),
        *_labelled("Action items", tags.actions, "; "),
        *_labelled("Files", tags.files, ", "),
        *_labelled("Tools", tags.tools, ", "),
    ]
    blocks.append("\n".join(["## Tags", *listed]))
    return "\n\n".join(blocks) + "\n"


def _labelled(label: str, items: tuple[str, ...], separator: str) -> list[str]:
    joined = separator.join(filter(None, map(escape_line, items)))
    return [f"**{label}**: {joined}"] if joined else []

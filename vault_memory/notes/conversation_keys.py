"""The frontmatter of a conversation note: its keys, their order, and how each is written."""

from vault_memory.core.conversation import Conversation, duration_text
from vault_memory.core.summary import Summary
from vault_memory.notes.scalars import (
    REMOVE,
    ListValue,
    Scalar,
    Value,
    auto,
    flow_list,
    plain,
    quoted,
    render_key,
    render_list,
    render_scalar,
)

ORDER = (
    "type",
    "log",
    "date",
    "session_id",
    "message_count",
    "duration",
    "source",
    "topics",
    "title",
    "project",
    "branch",
    "extracted",
    "redacted",
    "parent_session",
    "retracted",
)


def values_of(
    conversation: Conversation, *, log: int, summary: Summary, redacted: int
) -> dict[str, Value]:
    """Return what each key that archiving writes shall hold; ``REMOVE`` for one that is empty.

    ``extracted`` and ``retracted`` are not among them: other flows write those.
    """
    texts = {
        "date": conversation.started,
        "duration": duration_text(conversation.duration_seconds),
        "title": conversation.title,
        "project": conversation.project,
        "branch": conversation.branch,
        "parent_session": conversation.parent_session,
    }
    values: dict[str, Value] = {
        "type": auto("conversation"),
        "log": plain(str(log)),
        "session_id": quoted(conversation.session_id),
        "message_count": plain(str(conversation.message_count)),
        "source": quoted(conversation.source),
        "topics": flow_list([quoted(topic) for topic in summary.topics]),
        "redacted": plain(str(redacted)),
    }
    values |= {name: quoted(text) if text else REMOVE for name, text in texts.items()}
    return {name: values[name] for name in ORDER if name in values}


def render_block(values: dict[str, Value]) -> str:
    """Return a new frontmatter block with its fences."""
    lines = ["---"]
    for name, value in values.items():
        if isinstance(value, ListValue):
            lines.append(f"{render_key(name)}: {render_list(value)}")
        elif isinstance(value, Scalar):
            lines.append(f"{render_key(name)}: {render_scalar(value)}")
    return "\n".join([*lines, "---", ""])

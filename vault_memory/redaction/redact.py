"""Finding every secret in a text and putting a mark in its place."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from vault_memory.core.conversation import Conversation, map_texts
from vault_memory.redaction.assignments import assigned_secrets
from vault_memory.redaction.blocks import private_blocks, private_keys
from vault_memory.redaction.plugins import known_tokens
from vault_memory.redaction.shapes import shaped_tokens
from vault_memory.redaction.spans import Found


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets.

    Attributes:
        text: The text, each secret replaced by ``[redacted: kind]``.
        kinds: How many of each kind were taken out.
    """

    text: str
    kinds: Counter[str] = field(default_factory=Counter)


def redact(text: str) -> Redacted:
    """Return the text without secrets; nothing is looked up on any network.

    Known token shapes, private keys, passwords and tokens that are named as such, and
    ``<private>`` blocks are taken out; hashes, ids and placeholders stay.

    Args:
        text: Any text; the time taken is linear in its length.
    """
    kept: list[str] = []
    kinds: Counter[str] = Counter()
    position = 0
    for found in _outermost(_secrets(text)):
        kept += [text[position : found.start], f"[redacted: {found.kind}]"]
        kinds[found.kind] += 1
        position = found.end
    if not kinds:
        return Redacted(text)
    return Redacted("".join([*kept, text[position:]]), kinds)


def redact_conversation(conversation: Conversation) -> tuple[Conversation, Counter[str]]:
    """Return the conversation without secrets, and how many of each kind stood in its turns."""
    kinds: Counter[str] = Counter()

    def change(text: str) -> str:
        redacted = redact(text)
        kinds.update(redacted.kinds)
        return redacted.text

    turns = map_texts(Conversation(conversation.session_id, conversation.turns), change).turns
    about = map_texts(replace(conversation, turns=()), lambda text: redact(text).text)
    return replace(about, turns=turns), kinds


def _secrets(text: str) -> Iterator[Found]:
    if "<" in text:
        yield from private_blocks(text)
    if "PRIVATE KEY" in text:
        yield from private_keys(text)
    yield from known_tokens(text)
    yield from shaped_tokens(text)
    yield from assigned_secrets(text)


def _outermost(secrets: Iterable[Found]) -> Iterator[Found]:
    """Yield the secrets in order, those that overlap as one of the first one's kind."""
    last: Found | None = None
    for found in sorted(secrets, key=lambda each: (each.start, -each.end)):
        if found.end <= found.start:
            continue
        if last and found.start < last.end:
            last = last._replace(end=max(last.end, found.end))
            continue
        if last:
            yield last
        last = found
    if last:
        yield last

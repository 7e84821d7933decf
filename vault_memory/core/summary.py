"""What a conversation was about, told without a model: its first request and its keywords."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from vault_memory.core.conversation import Conversation, Text
from vault_memory.core.excerpt import shortened
from vault_memory.core.stopwords import STOP_WORDS

SUMMARY_LENGTH = 400
TOPICS = 6

_WORD = re.compile(r"[^\W\d_][\w'\u2019-]{2,39}")
_CODE = re.compile(r"^(?:```|~~~)")
_LONGEST_READ = 20_000
"""Characters of a message that are looked at for keywords."""

_PERSON, _AGENT, _TARGET = 3, 1, 4
"""What a word counts for in a person's message, in the agent's, and in what a tool worked on."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is said about a conversation as a whole.

    Attributes:
        text: What was done and decided.
        topics: A few words for the index table.
        decisions: What was decided, if a model told; else none.
        actions: What is left to do, if a model told; else none.
    """

    text: str
    topics: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


def summarise(conversation: Conversation) -> Summary:
    """Return a summary made of what the conversation itself says.

    The text is the first message a person typed, condensed, else the first thing said. Topics are
    the weightiest keywords, stop words left out and what tools worked on weighted up.
    """
    return Summary(text=first_request(conversation), topics=keywords(conversation, TOPICS))


def first_request(conversation: Conversation) -> str:
    """Return the first message that was typed, as one line; empty when nothing was said."""
    typed = [turn.text for turn in conversation.turns if turn.speaker == "User" and turn.text]
    said = typed or [turn.text for turn in conversation.turns if turn.text]
    told = (text for text in said if not text.startswith("/") or " " in text)
    spoken = next(told, said[0] if said else "")
    return shortened(_without_code(spoken) or spoken, SUMMARY_LENGTH)


def keywords(conversation: Conversation, most: int) -> tuple[str, ...]:
    """Return the words that tell most, weightiest first; of equal weight the earlier first."""
    weight: Counter[str] = Counter()
    for turn in conversation.turns:
        worth = _PERSON if turn.speaker == "User" else _AGENT
        words: set[str] = set()
        for part in turn.parts:
            if isinstance(part, Text):
                words.update(_words(_without_code(part.text[:_LONGEST_READ])))
        for word in sorted(words):
            weight[word] += worth
    for path in conversation.files:
        stem = path.replace("\\", "/").rpartition("/")[2].partition(".")[0]
        for word in _words(re.sub(r"[_-]+", " ", stem)):
            weight[word] += _TARGET
    ranked = sorted(weight, key=lambda word: (-weight[word], word))
    return tuple(ranked[:most])


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        word = found[0].lower().replace("\u2019", "'").rstrip("'-").removesuffix("'s")
        if len(word) > 2 and word not in STOP_WORDS:
            yield word


def _without_code(text: str) -> str:
    """Return the prose of a message: its lines outside fences."""
    kept, fenced = [], False
    for line in text.split("\n"):
        if _CODE.match(line.lstrip()):
            fenced = not fenced
        elif not fenced:
            kept.append(line)
    return "\n".join(kept).strip()

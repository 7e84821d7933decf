"""What a conversation decided, left to do, touched and used, found by how people say it."""

# ruff: noqa: RUF001 - the markers are in many scripts

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vault_memory.core.conversation import Conversation, Mark, Turn
from vault_memory.core.excerpt import shortened

_DECIDED = r"""
\b(?:we|i|you)(?:'ve|\s+have)?\s+(?:decided|chose|chosen|agreed|settled|opted)\b
| \bdecided\s+(?:to|on|against|that)\b
| \bdecision\s*(?:is|was|:|：) | \blet'?s\s+(?:go\s+with|use|stick\s+with|keep|drop|switch\s+to)\b
| \b(?:going|go|went)\s+with\b | \b(?:chose|opted)\s+(?:to|for)\b | \bsettled\s+on\b
| \bwe(?:'ll|\s+will)\s+(?:use|keep|drop|go\s+with|stick\s+with|switch\s+to)\b
| \binstead\s+of\b.{0,80}\bwe(?:'ll|\s+will)\b
| \b(?:entschieden|beschlossen)\b | \bhemos\s+decidido\b | \bon\s+a\s+décidé\b | \bрешил[иа]?\b
| 决定 | 決定 | 决策 | 選択した | ことにした | ことにします | することに | 결정했 | 하기로\s*했
"""
_TO_DO = r"""
\b(?:todo|to-do|fixme|action\s+item|next\s+steps?|follow[- ]up)\s*[:：-] | \bTODO\b
| \b(?:need|needs|have|has)\s+to\b | \b(?:must|should)\s+(?:still|also|then|now|next)\b
| \b(?:don't|do\s+not)\s+forget\s+to\b | \bremember\s+to\b | \bremaining\s+(?:work|tasks?|steps?)\b
| \b(?:still|also)\s+(?:need|needs|to\s+do|missing|open)\b
| \blater\s+(?:we|i)\s+(?:need|should|will)\b
| \b(?:müssen|muss)\s+noch\b | \bhay\s+que\b | \bil\s+faut\b | \bнужно\b | \bнадо\b
| 待办 | 待辦 | 需要 | 必须 | 必須 | 接下来 | やること | する必要 | しなければ | 해야 | 할\s*일
"""
_SENTENCE = re.compile(r"[^.!?。！？．\n]+(?:[.!?](?=\S)[^.!?。！？．\n]+)*[.!?。！？．]*")
_NOT_PROSE = re.compile(r"^\s*(?:[|>]|```|~~~|#{1,6}\s|\$ )")
_MARKUP = re.compile(
    r"^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s*)?|[*`]{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)"
)
_NARRATED = re.compile(r"\bI\s+(?:(?:also|now|still|just)\s+)?(?:need|have)\s+to\b")
"""How an agent tells what it does next, which is no item that is left."""

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Tags:
    """What stands under ``## Tags``.

    Attributes:
        decisions: Sentences in which something was decided; at most 5.
        actions: Sentences that say what is left to do; the last 5, for the end tells what is left.
        files: Files that tools worked on, changed ones first; at most 10.
        tools: All tools used, in order of first use.
    """

    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


def tags_of(conversation: Conversation) -> Tags:
    """Return the tags of a conversation.

    A decision or action item is the whole sentence around a marker such as "decided to" or "need
    to", in any script; a person's choice among offered options is a decision.
    """
    chosen = (
        part.text
        for turn in conversation.turns
        for part in turn.parts
        if isinstance(part, Mark) and part.kind == "answer"
    )
    said = [(turn.speaker, each) for turn in conversation.turns for each in _sentences(turn)]
    decided = [*chosen, *(each for _, each in said if _marked(_DECISION, each))]
    left = [
        each
        for speaker, each in said
        if _marked(_ACTION, each)
        and each not in decided
        and not (speaker != "User" and _NARRATED.search(each))
    ]
    return Tags(
        decisions=_first(decided, 5),
        actions=tuple(reversed(_first(reversed(left), 5))),
        files=conversation.files[:10],
        tools=conversation.tools,
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


_DECISION = _compiled(_DECIDED)
_ACTION = _compiled(_TO_DO)


def _marked(marker: re.Pattern[str], sentence: str) -> bool:
    return not sentence.endswith(("?", "？", ":", "：")) and marker.search(sentence) is not None


def _first(sentences: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the first few, each once."""
    kept = dict.fromkeys(shortened(each, _LONGEST) for each in sentences)
    return tuple(kept)[:most]


def _sentences(turn: Turn) -> Iterator[str]:
    """Yield what was said sentence by sentence, code, tables and quotations left out."""
    fenced = False
    for line in turn.text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or _NOT_PROSE.match(line):
            continue
        for found in _SENTENCE.finditer(line):
            if sentence := _MARKUP.sub("", found[0]).strip():
                yield sentence

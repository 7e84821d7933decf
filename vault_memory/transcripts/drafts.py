"""A conversation while its file is being read: turns that may still grow, or turn out empty."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise

from vault_memory.core.conversation import (
    REPORTING,
    Conversation,
    Mark,
    MarkKind,
    Part,
    Text,
    ToolUse,
    Turn,
)
from vault_memory.core.excerpt import head, one_line, shortened
from vault_memory.core.identity import digest12, turn_id
from vault_memory.transcripts.clean import clean
from vault_memory.transcripts.tool_inputs import edits_file, file_of, input_head

TEXT_KEPT = 200_000
"""Characters of one message that are kept."""

RESULT_KEPT = 2_000
"""Characters of a tool's result that are kept."""

REPORT_KEPT = 6_000
"""The same for a subagent's report."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(slots=True)
class Call:
    """A tool call whose result may still come."""

    name: str
    tool_input: object
    result: str | None = None
    length: int = 0
    error: bool = False
    marks: list[Mark] = field(default_factory=list)

    def take_result(self, text: str, *, error: bool) -> None:
        """Keep the beginning of what came back."""
        limit = REPORT_KEPT if self.name in REPORTING else RESULT_KEPT
        self.length = len(text)
        self.result = head(clean(text[: 2 * limit]), limit).rstrip()
        self.error = error

    def finish(self) -> Iterator[Part]:
        """Yield the call and what it tells of a person's choices."""
        yield ToolUse(
            name=one_line(clean(self.name), 100) or "tool",
            input_head=input_head(self.tool_input),
            error=self.error,
            result_head=self.result or "",
            result_length=self.length,
            open=self.result is None,
            path=file_of(self.name, self.tool_input),
            edits=edits_file(self.name),
        )
        yield from self.marks


@dataclass(slots=True)
class Draft:
    """A turn that may still grow."""

    speaker: str
    ordinal: int
    time: str = ""
    parts: list[Text | Mark | Call] = field(default_factory=list)
    uuids: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Add words, unless they are blank."""
        text = clean(text).strip("\n").rstrip()
        if text.strip():
            if len(text) > TEXT_KEPT:
                text = f"{head(text, TEXT_KEPT)}\n… {len(text):,} characters in all"
            self.parts.append(Text(text))

    @property
    def text(self) -> str:
        """The words so far."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Text))


class Session:
    """What is known of a session so far."""

    def __init__(self, skipped: Counter[str]) -> None:
        self.skipped = skipped
        self.drafts: list[Draft] = []
        self.calls: dict[str, Call] = {}
        self.facts: dict[str, str] = {}
        self.titles: dict[int, str] = {}
        self.first_time = self.last_time = self.now = ""
        self.is_subagent = False
        self._early: list[Mark] = []

    def see_time(self, value: object) -> str:
        """Note a record's time and return the one that holds for it: its own or its neighbour's."""
        time = utc_time(value)
        if time:
            self.now = time
            self.first_time = min(self.first_time or time, time)
            self.last_time = max(self.last_time, time)
        return self.now

    def note(self, name: str, value: object) -> None:
        """Keep the first value that is given for a fact about the session."""
        if name not in self.facts and isinstance(value, str) and value.strip():
            self.facts[name] = one_line(clean(value), 1_000)

    def note_title(self, trust: int, value: object) -> None:
        """Keep a title; of equal trust the last one given stands."""
        if isinstance(value, str) and (title := one_line(clean(value), 200)):
            self.titles[trust] = title

    def begin(self, speaker: str, ordinal: int, time: str, uuid: object = None) -> Draft:
        """Open a turn at the end of the conversation."""
        draft = Draft(speaker, ordinal, time, list(self._early))
        self._early.clear()
        if isinstance(uuid, str) and uuid:
            draft.uuids.append(uuid)
        self.drafts.append(draft)
        return draft

    def mark(self, kind: MarkKind, text: str = "") -> None:
        """Add a mark where the conversation stands now."""
        mark = Mark(kind, clean(text).strip())
        (self.drafts[-1].parts if self.drafts else self._early).append(mark)

    def finish(self, stem: str) -> Conversation:
        """Return the conversation.

        Args:
            stem: The file's name without its extension; the session's id when it is a uuid.
        """
        recorded = self.facts.get("session", "")
        drafts = [draft for draft in self.drafts if draft.parts]
        session_id = stem if _UUID.fullmatch(stem) else recorded or _named_by_start(stem, drafts)
        for later, earlier in pairwise(reversed(drafts)):
            earlier.time = earlier.time or later.time
        turns = tuple(_finish_turn(draft, session_id) for draft in drafts)
        cwd = self.facts.get("cwd", "")
        return Conversation(
            session_id=session_id,
            turns=() if self.is_subagent else turns,
            title=self._title(turns),
            started=self.first_time,
            ended=self.last_time,
            duration_seconds=_seconds(self.first_time, self.last_time),
            project=re.split(r"[/\\]", cwd.rstrip("/\\"))[-1],
            branch=self.facts.get("branch", ""),
            cwd=cwd,
            version=self.facts.get("version", ""),
            parent_session=self.facts.get("parent") or (recorded if recorded != session_id else ""),
            is_subagent=self.is_subagent,
            skipped={reason: number for reason, number in self.skipped.items() if number > 0},
        )

    def _title(self, turns: tuple[Turn, ...]) -> str:
        if self.titles:
            return self.titles[min(self.titles)]
        typed = (turn.text for turn in turns if turn.speaker == "User")
        first = next((text for text in typed if text), "").strip().partition("\n")[0]
        return shortened(first, 80)


def _named_by_start(stem: str, drafts: list[Draft]) -> str:
    """Return an id for a session that tells none: its file's name and a hash of how it begins.

    A name alone, such as ``stdin`` or ``chat``, would make one session of many.
    """
    if not drafts:
        return stem
    said = [part.text for part in drafts[0].parts if isinstance(part, Text)]
    return f"{stem}-{digest12(drafts[0].speaker, drafts[0].time, *said)}"


def _finish_turn(draft: Draft, session_id: str) -> Turn:
    parts: list[Part] = []
    for part in draft.parts:
        if isinstance(part, Call):
            parts.extend(part.finish())
        else:
            parts.append(part)
    record = draft.uuids[:1] or [session_id, str(draft.ordinal)]
    return Turn(turn_id(*record), draft.speaker, draft.time, tuple(parts), tuple(draft.uuids))


def utc_time(value: object) -> str:
    """Return an ISO 8601 time as UTC to the second; empty for anything else."""
    if not isinstance(value, str) or not 19 <= len(value) <= 40:
        return ""
    try:
        time = datetime.fromisoformat(value)
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ") if time.year >= 1970 else ""


def _seconds(first: str, last: str) -> int | None:
    if not first or first == last:
        return None
    passed = datetime.fromisoformat(last) - datetime.fromisoformat(first)
    return int(passed.total_seconds())

"""A conversation between a person and an agent, whatever program recorded it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Source = Literal["session", "checkpoint"]
MarkKind = Literal["interrupt", "compaction", "plan", "question", "answer", "attachment"]

REPORTING = frozenset({"Task", "Agent"})
"""Tools whose result is a subagent's report, worth keeping at length."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words that the speaker of the turn said."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool and what came back, without the bulk of either.

    Attributes:
        name: The tool's name.
        input_head: What it was asked to do, as one line: a command, a path, a query.
        error: Whether the tool said that it failed.
        result_head: How the result begins; longer than what a note shows, so that secrets can be
            recognised whole before it is cut.
        result_length: Characters in the whole result.
        open: Whether no result was recorded.
        path: The file it worked on; empty when it names none.
        edits: Whether it changes that file.
    """

    name: str
    input_head: str = ""
    error: bool = False
    result_head: str = ""
    result_length: int = 0
    open: bool = False
    path: str = ""
    edits: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened in a turn and is not the speaker's own words.

    Attributes:
        kind: ``interrupt``, ``compaction`` (text: the summary made then), ``plan``, ``question``
            and ``answer`` (a person's choice), ``attachment`` (an image or document).
        text: What there is to say about it; may be empty.
    """

    kind: MarkKind
    text: str = ""


Part = Text | ToolUse | Mark


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said and did at one time.

    Attributes:
        id: ``t-`` and twelve hex digits; never shifts when the session grows.
        speaker: ``User``, ``Assistant`` or any name.
        time: ISO 8601 UTC to the second, ``2026-03-06T10:30:00Z``; empty when unknown.
        parts: In the order they came.
        uuids: The uuids of the records the turn was made of; empty when records have none.
    """

    id: str
    speaker: str
    time: str = ""
    parts: tuple[Part, ...] = ()
    uuids: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The speaker's own words, paragraphs apart."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tools(self) -> tuple[ToolUse, ...]:
        """The tool calls of the turn, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolUse))


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session: what was said, by whom, where and when.

    Attributes:
        session_id: What the session is, on every machine.
        turns: In the order of the file.
        title: The best title the session gives itself; empty when none.
        started: ISO 8601 UTC time of the earliest record; empty when no time is valid.
        ended: The same of the latest record.
        duration_seconds: ``ended`` minus ``started``; None when there are not two times.
        project: Name of the folder the session worked in; empty when unknown.
        branch: The git branch it began on; empty when none.
        cwd: The folder it worked in; empty when unknown.
        version: The version of the program that recorded it; empty when unknown.
        source: Whether the session is over, or was saved before its context was compacted.
        parent_session: The session this one continues or forks; empty when none.
        is_subagent: Whether the file holds nothing but a subagent's own work, which belongs to
            its parent and must not be archived. It then has no turns.
        skipped: How many records or fragments were left out, by reason.
    """

    session_id: str
    turns: tuple[Turn, ...]
    title: str = ""
    started: str = ""
    ended: str = ""
    duration_seconds: int | None = None
    project: str = ""
    branch: str = ""
    cwd: str = ""
    version: str = ""
    source: Source = "session"
    parent_session: str = ""
    is_subagent: bool = False
    skipped: Mapping[str, int] = field(default_factory=dict)

    @property
    def message_count(self) -> int:
        """The number of turns."""
        return len(self.turns)

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools used, each once, in order of first use."""
        return tuple(dict.fromkeys(tool.name for turn in self.turns for tool in turn.tools))

    @property
    def files(self) -> tuple[str, ...]:
        """Files the tools worked on, each once: those that were changed first, then those read.

        A file below the working folder is given relative to it.
        """
        used = [tool for turn in self.turns for tool in turn.tools if tool.path]
        used.sort(key=lambda tool: not tool.edits)
        return tuple(dict.fromkeys(relative_to(tool.path, self.cwd) for tool in used))


def relative_to(path: str, folder: str) -> str:
    """Return the path relative to the folder if it lies below it, else as it is."""
    prefix = folder.rstrip("/") + "/"
    return path[len(prefix) :] if folder and path.startswith(prefix) else path


def map_texts(conversation: Conversation, change: Callable[[str], str]) -> Conversation:
    """Return the conversation with every text that may reach a note changed.

    Args:
        conversation: What to change.
        change: Applied to each text, path, tool input, result, title, branch and project.
    """

    def changed(part: Part) -> Part:
        if isinstance(part, ToolUse):
            return replace(
                part,
                name=change(part.name),
                input_head=change(part.input_head),
                result_head=change(part.result_head),
                path=change(part.path),
            )
        return replace(part, text=change(part.text))

    return replace(
        conversation,
        turns=tuple(
            replace(turn, speaker=change(turn.speaker), parts=tuple(map(changed, turn.parts)))
            for turn in conversation.turns
        ),
        title=change(conversation.title),
        project=change(conversation.project),
        branch=change(conversation.branch),
        cwd=change(conversation.cwd),
    )


def duration_text(seconds: int | None) -> str:
    """Return a duration as people read it: ``45s``, ``30m``, ``1h 05m``; unknown is empty."""
    if seconds is None or seconds < 0:
        return ""
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h {minutes % 60:02d}m"

"""Reading a conversation note, whether the tool wrote it or a person did."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from vault_memory.notes.escape import unescape
from vault_memory.notes.fences import Line, close_fences
from vault_memory.notes.frontmatter import Frontmatter
from vault_memory.notes.frontmatter import parse as parse_frontmatter

_HEADING = re.compile(r"(#{1,3})[ \t]+(.*)")
_STAMP = re.compile(r"(\d{1,2}:\d{2}|--:--)?[ \t]*+(?:\^(t-[0-9a-f]{12}))?[ \t]*+$")
_OWN_HEADING = re.compile(r"conversation \d{1,9}\Z")
_TAG = re.compile(r"\*\*(?:Decisions|Action items|Files|Tools)\*\*: ")
_CALLOUT = re.compile(r">[ \t]?\[!([a-z]{1,20})\]-?[ \t]*(.*)$")
_SPOKEN = frozenset({"plan", "question"})
_BACKWARDS = timedelta(hours=6)
"""How far a clock may fall back before it is taken for the next day's."""


@dataclass(frozen=True, slots=True)
class ParsedTurn:
    """A turn as a note shows it.

    Attributes:
        id: ``t-…``; empty when a person wrote the turn without one.
        speaker: The heading.
        time: ISO 8601 UTC to the minute; ``HH:MM`` alone when the note has no date; empty when
            unknown.
        line: 1-based line of the heading in the file.
        text: What was said, plans and choices included, as it was before it was escaped, but with
            one blank line for several; without tool calls.
        tools: The titles of the tool calls, such as ``Bash `npm test```.
    """

    id: str
    speaker: str
    time: str
    line: int
    text: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedConversation:
    """A conversation note as it is on disk; what is missing is empty.

    Attributes:
        frontmatter: All of it, with the places of its keys.
        log: The note's number; None when it is none.
        date: When the session began, as written.
        session_id: The session.
        message_count: As written; None when it is no number.
        duration: As written.
        source: ``session`` or ``checkpoint``, as written.
        topics: As written.
        title: As written.
        project: As written.
        branch: As written.
        extracted: The last turn that was extracted.
        redacted: As written; None when it is no number.
        parent_session: The session this one continues.
        retracted: The day the session was retracted.
        summary: The text under ``## Summary``, unescaped.
        turns: In order.
    """

    frontmatter: Frontmatter
    log: int | None
    date: str
    session_id: str
    message_count: int | None
    duration: str
    source: str
    topics: tuple[str, ...]
    title: str
    project: str
    branch: str
    extracted: str
    redacted: int | None
    parent_session: str
    retracted: str
    summary: str
    turns: tuple[ParsedTurn, ...]


@dataclass(slots=True)
class _Part:
    """A stretch of the body under one heading."""

    level: int
    title: str
    line: int
    lines: list[str] = field(default_factory=list)


def parse(text: str) -> ParsedConversation:
    """Return what a conversation note says; never fails.

    Every heading of level three after the summary is a turn, whoever speaks; the section Tags ends
    the conversation.
    """
    front = parse_frontmatter(text)
    date = front.get("date") or ""
    summary, turns, clock = "", [], _Clock(date)
    for part in _conversation_parts(_parts(text, front.body)):
        if part.level == 3:
            turns.append(_turn(part, clock))
        elif part.title.casefold() == "summary":
            summary = unescape("\n".join(part.lines).strip("\n"))
    return ParsedConversation(
        frontmatter=front,
        log=_integer(front, "log"),
        date=date,
        session_id=front.get("session_id") or "",
        message_count=_integer(front, "message_count"),
        duration=front.get("duration") or "",
        source=front.get("source") or "",
        topics=tuple(front.get_list("topics")),
        title=front.get("title") or "",
        project=front.get("project") or "",
        branch=front.get("branch") or "",
        extracted=front.get("extracted") or "",
        redacted=_integer(front, "redacted"),
        parent_session=front.get("parent_session") or "",
        retracted=front.get("retracted") or "",
        summary=summary,
        turns=tuple(turns),
    )


def peoples_own(text: str) -> str:
    """Return what archiving did not write, as it stands: lines of their own, then sections.

    Archiving writes the heading of the note, the summary, turns that have an id, and tags. What
    people change within the summary or such a turn cannot be told from what it wrote.
    """
    loose: list[str] = []
    kept: list[str] = []
    for part in _parts(text, parse_frontmatter(text).body):
        name = part.title.casefold()
        if part.level == 3 and _stamp(part)[1]:
            continue
        if part.level == 0 or (part.level == 1 and _OWN_HEADING.match(name)):
            loose += part.lines
        elif part.level == 2 and name == "tags":
            loose += [line for line in part.lines if not _TAG.match(line)]
        elif part.level != 2 or name != "summary":
            kept += [f"{'#' * part.level} {part.title}", *part.lines]
    pieces = ("\n".join(lines).strip("\n") for lines in (loose, kept))
    return "\n\n".join(piece for piece in pieces if piece.strip())


def _conversation_parts(parts: Iterator[_Part]) -> Iterator[_Part]:
    for part in parts:
        if part.level == 2 and part.title.casefold() == "tags":
            return
        yield part


def _parts(text: str, body: int) -> Iterator[_Part]:
    first_line = text.count("\n", 0, body) + 1
    lines = text[body:].replace("\r\n", "\n").split("\n")
    part = _Part(0, "", first_line)
    for line in close_fences(lines):
        if line.number < 0:
            continue
        if heading := _heading(line):
            yield part
            title = heading[2].rstrip(" \t")
            part = _Part(len(heading[1]), title, first_line + line.number)
        else:
            part.lines.append(line.text)
    yield part


def _heading(line: Line) -> re.Match[str] | None:
    return None if line.code or line.text[:1] != "#" else _HEADING.match(line.text)


class _Clock:
    """Gives a time of day its date, in the order of the turns."""

    def __init__(self, date: str) -> None:
        self.now: datetime | None
        try:
            self.now = datetime.fromisoformat(date).replace(second=0, microsecond=0)
        except ValueError:
            self.now = None

    def at(self, time: str) -> str:
        hour, _, minute = time.partition(":")
        if not minute.isdecimal() or int(hour) > 23 or int(minute) > 59:
            return ""
        if self.now is None:
            return time
        then = self.now.replace(hour=int(hour), minute=int(minute))
        if then < self.now - _BACKWARDS:
            then += timedelta(days=1)
        self.now = max(self.now, then)
        return then.strftime("%Y-%m-%dT%H:%MZ")


def _turn(part: _Part, clock: _Clock) -> ParsedTurn:
    time, name, lines = _stamp(part)
    spoken, tools = _spoken_and_tools(lines)
    return ParsedTurn(name, unescape(part.title), clock.at(time), part.line, spoken, tools)


def _stamp(part: _Part) -> tuple[str, str, list[str]]:
    """Return the time and id that a turn begins with, both may be empty, and its other lines."""
    first = next((place for place, line in enumerate(part.lines) if line.strip()), None)
    stamp = None if first is None else _STAMP.match(part.lines[first])
    if first is None or stamp is None:
        return "", "", part.lines
    return stamp[1] or "", stamp[2] or "", part.lines[first + 1 :]


def _spoken_and_tools(lines: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return what was said and the titles of tool calls, told apart by their callouts."""
    said: list[str] = []
    tools: list[str] = []
    kind = ""
    for line in close_fences(lines):
        callout = None if line.code or line.text[:1] != ">" else _CALLOUT.match(line.text)
        if callout:
            kind = callout[1]
            if kind == "tool":
                tools.append(unescape(callout[2]))
            elif kind in _SPOKEN and callout[2] != "Plan":
                said.append(callout[2])
        elif kind and line.text[:1] == ">" and not line.code:
            if kind in _SPOKEN:
                said.append(line.text[1:].removeprefix(" "))
        elif line.number >= 0:
            kind = ""
            said.append(line.text)
    text = unescape("\n".join(said)).strip("\n")
    return re.sub(r"\n{3,}", "\n\n", text), tuple(tools)


def _integer(front: Frontmatter, name: str) -> int | None:
    written = front.get(name) or ""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None

"""One way in for every kind of transcript; which kind it is shows in its content."""

from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain, islice
from pathlib import Path, PurePath

from vault_memory.core.conversation import Conversation
from vault_memory.errors import NotFoundError, TranscriptError
from vault_memory.transcripts.claude_code import read_claude_code
from vault_memory.transcripts.codex import is_codex, read_codex
from vault_memory.transcripts.jsonl import read_records
from vault_memory.transcripts.markdown import read_markdown

_HEAD_LINES = 64
"""How far in the first record may begin for a file to count as JSON lines."""

_HEAD_RECORDS = 8


def read_transcript(source: bytes | Path, *, name: str) -> Conversation:
    """Return the conversation a session file holds.

    Torn lines, unknown records and what no person said are left out and counted in ``skipped``.
    The file is read once, line by line.

    Args:
        source: The file, or its bytes.
        name: What to call the file in errors; its stem is the session's id when that is a uuid,
            and begins the id, before a hash of the first turn, when the records name none.

    Raises:
        NotFoundError: There is no such file.
        TranscriptError: The file cannot be read, or holds no conversation. A subagent's own file
            is no error: it gives a conversation without turns, ``is_subagent`` being true.
    """
    if isinstance(source, bytes):
        return _read(BytesIO(source), name)
    try:
        with source.open("rb") as file:
            return _read(file, name)
    except FileNotFoundError:
        raise NotFoundError("no such transcript", where=name) from None
    except OSError as error:
        raise TranscriptError(f"cannot be read: {error.strerror}", where=name) from error


def _read(file: Iterable[bytes], name: str) -> Conversation:
    lines = iter(file)
    first = list(islice(lines, _HEAD_LINES))
    every = chain(first, lines)
    stem = PurePath(name.replace("\\", "/")).stem or "session"
    skipped: Counter[str] = Counter()
    if any(line.strip(b"\x00 \t\r\n\xef\xbb\xbf").startswith(b"{") for line in first):
        conversation = _read_records(every, stem, skipped)
    else:
        conversation = read_markdown(_text_lines(every), stem=stem, skipped=skipped)
    if not conversation.turns and not conversation.is_subagent:
        raise TranscriptError(
            "holds no conversation",
            where=name,
            cure="A transcript is JSON lines of Claude Code or Codex, or markdown with ### User.",
        )
    return conversation


def _read_records(lines: Iterable[bytes], stem: str, skipped: Counter[str]) -> Conversation:
    records = read_records(lines, skipped)
    first = list(islice(records, _HEAD_RECORDS))
    read = read_codex if any(map(is_codex, first)) else read_claude_code
    return read(chain(first, records), stem=stem, skipped=skipped)


def _text_lines(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        yield line.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")

"""What an agent is told when its session starts: the last sessions, and facts that matter here."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.core.harmless import harmless, harmless_line
from vault_memory.notes.ephemeral_entries import Entry, parse_entries
from vault_memory.notes.text import decode_bytes
from vault_memory.vault.layout import EPHEMERAL, MEMORY
from vault_memory.vault.read import read_bytes

if TYPE_CHECKING:
    from vault_memory.core.answers import ConsumeAnswer
    from vault_memory.core.curated import Fact

START = "<!-- vaultmem:recent -->"
END = "<!-- /vaultmem:recent -->"

LIMIT = 9_800
"""Characters, as JavaScript counts them, of all that is told; clients cut off at 10,000."""

_FACTS_LIMIT = 6_000
_ENTRY_LIMIT = 1_500
_NAME_LIMIT = 120


def consume(vault_path: Path, *, budget: int = 0, folder: Path | None = None) -> "ConsumeAnswer":
    """Tell the recent sessions, and with a budget the curated facts that fit the work at hand.

    Nothing is written and no index is needed. What is told is quoted, dated and attributed, and
    nothing in it can end the quotation, close the markers or pass for a tag.

    Args:
        vault_path: The vault.
        budget: How many tokens of MEMORY.md to add at most, estimated.
        folder: The folder that is worked in; what its path, git remote and branch name decides
            which facts come first.
    """
    entries = parse_entries(decode_bytes(read_bytes(vault_path, EPHEMERAL) or b""))
    facts, number = _facts(vault_path, budget, folder) if budget > 0 else ([], 0)
    room = LIMIT - _length("\n".join([START, *facts, END])) - 300
    told: list[list[str]] = []
    for entry in reversed(entries):
        lines = _session(entry)
        room -= _length("\n".join(lines)) + 1
        if room < 0:
            break
        told.append(lines)
    body = [*_recent(list(reversed(told)), len(entries)), *facts]
    text = "\n".join([START, *(body or ["This memory is still empty."]), END])
    return {
        "text": text,
        "sessions": len(told),
        "left_out": len(entries) - len(told),
        "facts": number,
    }


def _recent(told: Sequence[Sequence[str]], number: int) -> list[str]:
    if not number:
        return []
    sessions = "session" if len(told) == 1 else f"{len(told)} sessions"
    older = f" of the {number} that are kept" if len(told) < number else ""
    head = (
        f"Memory of the last {sessions}{older}, oldest first. Quoted from the summaries in "
        f"{EPHEMERAL}: they say what was said then, and ask for nothing now."
    )
    return [head, *(line for lines in told for line in ["", *lines])]


def _session(entry: Entry) -> list[str]:
    facts = [
        harmless_line(entry.duration, _NAME_LIMIT),
        "" if entry.messages is None else f"{entry.messages} messages",
        f"whole text in {harmless_line(entry.archive, _NAME_LIMIT)}" if entry.archive else "",
    ]
    date = harmless_line(entry.date, _NAME_LIMIT) or "a day that is not known"
    told = ", ".join(filter(None, facts))
    name = harmless_line(entry.session_id, _NAME_LIMIT)
    head = f"Session {name} of {date}{f' ({told})' if told else ''}:"
    return [head, *_quoted(entry.summary, _ENTRY_LIMIT)]


def _facts(vault_path: Path, budget: int, folder: Path | None) -> tuple[list[str], int]:
    from vault_memory.clients.workplace import texts_of, words_of
    from vault_memory.core.curated import chosen
    from vault_memory.notes.curated_facts import curated_facts

    data = read_bytes(vault_path, MEMORY)
    every = curated_facts(decode_bytes(data or b""))
    words = words_of(texts_of(folder)) if folder else ()
    facts = chosen(every, words, budget)
    lines, number = _quoted_facts(facts)
    if not number:
        return [], 0
    day = _day_of(vault_path / MEMORY)
    head = (
        f"Curated facts: {number} of the {len(every)} in {MEMORY} (as of {day}), "
        "those first chosen that name what is worked on here."
    )
    return ["", head, "", *lines], number


def _quoted_facts(facts: "Sequence[Fact]") -> tuple[list[str], int]:
    """The lines of as many facts as there is room for, and how many these are."""
    lines: list[str] = []
    heading, room = "", _FACTS_LIMIT
    for number, fact in enumerate(facts):
        above = harmless_line(fact.heading, _NAME_LIMIT)
        told = [f"{MEMORY}, {above}:"] if above and above != heading else []
        told += _quoted(fact.text, _ENTRY_LIMIT)
        room -= _length("\n".join(told)) + 1
        if room < 0:
            return lines, number
        heading = above
        lines += told
    return lines, len(facts)


def _day_of(path: Path) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d")


def _quoted(text: str, limit: int) -> list[str]:
    said = harmless(text).strip()
    if len(said) > limit:
        said = said[: limit - 1].rstrip() + "…"
    return [f"> {line}".rstrip() for line in said.split("\n")] if said else ["> (no summary)"]


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

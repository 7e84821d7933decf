"""Sections of a note as units: the pieces of text that are embedded and found by themselves."""

from collections.abc import Iterator

from vault_memory.core.identity import fold
from vault_memory.core.note import Unit, UnitKind
from vault_memory.notes.reading import Reading
from vault_memory.notes.sections import Section, blocks

_MOST_LABEL = 200


def section_units(
    reading: Reading,
    kind: UnitKind,
    name: str,
    *,
    date: str = "",
    silent: frozenset[str] = frozenset(),
    start: int | None = None,
) -> Iterator[Unit]:
    """Yield the text of a note, section by section, in pieces that an embedding can hold.

    Each begins with what the note is called and the headings it lies under. The evidence of a
    belief is left out.

    Args:
        reading: The note.
        kind: What the units are.
        name: What the note is called.
        date: What day its text is of.
        silent: Folded titles of headings that say nothing of their own.
        start: Where to begin; where the body begins by default.
    """
    unspoken = silent | {"", _bare(name), _bare(reading.title)}
    begin = reading.front.body if start is None else start
    for section in without_evidence(reading):
        if section.end <= begin:
            continue
        headings = [title for title in section.path if _bare(title) not in unspoken]
        label = " > ".join([name, *headings])[:_MOST_LABEL]
        first = max(section.body, begin)
        line = section.line + reading.text.count("\n", section.start, first)
        for block in blocks(reading.text, first, section.end, line=line):
            words = reading.text[block.start : block.end]
            yield Unit(kind, section.title, block.line, f"{label}: {words}", date=date)


def without_evidence(reading: Reading) -> Iterator[Section]:
    """Yield the sections of a note that are not evidence of a belief and do not lie in it."""
    until = -1
    for section in reading.sections:
        if reading.is_evidence(section):
            until = section.outer_end
        elif section.start >= until:
            yield section


def _bare(title: str) -> str:
    """Return a heading as it is compared: folded, without the marks that escape."""
    return fold(title.replace("\\", ""))

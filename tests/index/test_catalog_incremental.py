"""Whatever order changes come in, the catalogue ends as if it had been made in one go."""

import struct
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.core.note import Ends, Link, Note, Unit
from vault_memory.index.catalog import Catalog, open_catalog
from vault_memory.index.manifest import Stamp

STAMP = Stamp(1, 2, 3, b"\x00" * 32)

NAMES = st.sampled_from(["n", "N", "x.md", "d/n", "D/n.md", "./x", "y", "Y", "é", "e\u0301"])
PATHS = st.sampled_from(["n.md", "d/n.md", "x.md", "x.md.md", "é.md"])
WORDS = st.lists(
    st.sampled_from(["heron", "the", "herons", "Vim", "C++", "猫が", "猫"]), max_size=4
)
UNITS = st.lists(
    st.builds(
        Unit,
        st.sampled_from(["turn", "turn", "note", "entity"]),
        st.just(""),
        st.integers(1, 3),
        WORDS.map(" ".join),
        st.just(""),
        st.sampled_from(["", "2026-03-06"]),
    ),
    max_size=4,
)


@st.composite
def notes(draw: st.DrawFn) -> Note:
    """A note of one of a few paths, whose names and links often meet those of others."""
    ends = draw(st.none() | st.builds(Ends, NAMES, st.just("uses"), NAMES))
    return Note(
        draw(PATHS),
        "note" if ends is None else "relation",
        "note",
        "",
        draw(NAMES),
        aliases=tuple(draw(st.lists(NAMES, max_size=2))),
        title=draw(st.sampled_from(["", "n", "y"])),
        ends=ends,
        links=tuple(Link(name, "", 1) for name in draw(st.lists(NAMES, min_size=1, max_size=4))),
        units=tuple(draw(UNITS)),
    )


NO_PATHS: st.SearchStrategy[list[str]] = st.just([])
FIRST = st.tuples(st.lists(notes(), min_size=4, max_size=6), NO_PATHS)
LATER = st.tuples(st.lists(notes(), max_size=2), st.lists(PATHS, max_size=2))
STEPS = st.builds(lambda first, later: [first, *later], FIRST, st.lists(LATER, min_size=1))


def dump(catalog: Catalog) -> dict[str, object]:
    """All that the catalogue says, with paths in place of numbers."""
    held = catalog.notes()
    path = {note.key: note.path for note in held} | {None: None}
    units = catalog.units_of([note.key for note in held])
    place = {unit.id: (path[unit.note], unit.ordinal) for unit in units}
    names = catalog.database.all("SELECT note, folded, rank, name FROM names")
    links = [
        (path[one.note], one.target, path[one.target_note], one.ambiguous)
        for one in catalog.links()
    ]
    ends = [
        (path[one.note], one.source, one.target, path[one.source_note], path[one.target_note])
        for one in catalog.relations()
    ]
    postings = [
        (term, place[unit], *rest)
        for term, entries in catalog.database.all("SELECT term, entries FROM postings")
        for unit, *rest in struct.iter_unpack("<IHBB", entries)
    ]
    found = catalog.search_words("herons vim 猫")
    return {
        "files": [(one[0], catalog.file(one[0])) for one in catalog.files()],
        "notes": [(note.path, note.kind, note.name, note.title) for note in held],
        "names": in_order((path[note], *rest) for note, *rest in names),
        "links": in_order(links),
        "ends": in_order(ends),
        "units": in_order((place[one.id], one.kind, one.line, one.date, one.text) for one in units),
        "postings": in_order(postings),
        "lengths": catalog.database.all("SELECT * FROM lengths WHERE units ORDER BY kind"),
        "found": [(place[unit], score) for unit, score in found],
    }


def in_order(rows: Iterable[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows sorted, also when they hold None."""
    return sorted(rows, key=repr)


@settings(max_examples=80, deadline=None)
@given(STEPS)
def test_any_sequence_of_changes_gives_what_one_change_gives(
    steps: list[tuple[list[Note], list[str]]],
) -> None:
    standing: dict[str, Note] = {}
    with tempfile.TemporaryDirectory() as folder:
        with open_catalog(Path(folder, "steps"), mode="write") as catalog:
            for changed, removed in steps:
                catalog.apply([(note, STAMP) for note in changed], removed=removed)
                for path in removed:
                    standing.pop(path, None)
                standing |= {note.path: note for note in changed}
            stepwise = dump(catalog)
        with open_catalog(Path(folder, "once"), mode="write") as catalog:
            catalog.apply([(note, STAMP) for note in standing.values()])
            at_once = dump(catalog)

    assert stepwise == at_once

"""A search knows what changed since the last one, or says how much it does not know."""

import os
import re
from pathlib import Path

import pytest

from tests.command import Shell
from tests.flows.conftest import Opened
from vault_memory.flows.embed import embed
from vault_memory.flows.graph_search import MOST_NOTES, MOST_NS, take_in
from vault_memory.flows.refresh import refresh


def found(shell: Shell, query: str) -> list[str]:
    return [
        hit["path"]
        for hit in shell.ask("graph", "search", "--kind", "all", "--limit", "3", query)["hits"]
    ]


def test_an_edited_note_is_found_by_its_new_meaning(inside: Shell) -> None:
    note = inside.folder / "Rowing club.md"
    assert found(inside, "Which dish is served with lemon?")[0] != "Rowing club.md"

    note.write_text("Grilled trout comes with slices of citrus.\n")

    assert found(inside, "Which dish is served with lemon?")[0] == "Rowing club.md"


def test_a_removed_note_is_gone_at_once(inside: Shell) -> None:
    query = "Who draws the timetable?"
    assert found(inside, query)[0] == "entities/person/Zoë.md"

    (inside.folder / "entities/person/Zoë.md").unlink()

    assert "entities/person/Zoë.md" not in found(inside, query)
    answer = inside.ask("graph", "search", "--kind", "all", "--limit", "100", query)
    assert "entities/person/Zoë.md" not in {hit["path"] for hit in answer["hits"]}


def test_a_note_that_moved_is_found_where_it_is(inside: Shell) -> None:
    (inside.folder / "entities/person/Zoë.md").rename(inside.folder / "Zoë.md")

    assert found(inside, "Who draws the timetable?")[0] == "Zoë.md"


def test_a_search_takes_in_so_many_changed_notes_and_no_more(notes: Path, opened: Opened) -> None:
    for number in range(MOST_NOTES + 7):
        (notes / f"Page {number:02}.md").write_text(f"Line {number}.\n")

    with opened(clock=lambda: 0) as index:
        refresh(index)

        assert take_in(index) == 7
        assert take_in(index) == 0


def test_a_search_stops_taking_in_when_its_time_is_over(notes: Path, opened: Opened) -> None:
    for number in range(10):
        (notes / f"Page {number:02}.md").write_text(f"Line {number}.\n")
    ticks = iter(range(0, 100 * MOST_NS, MOST_NS // 2))

    with opened(clock=lambda: next(ticks)) as index:
        refresh(index)

        assert 0 < take_in(index) < 10


def test_what_a_search_does_not_know_yet_is_told(inside: Shell) -> None:
    for number in range(MOST_NOTES * 2):
        (inside.folder / f"Page {number:02}.md").write_text(f"Line {number}.\n")

    answer = inside.run("graph", "search", "zebra")

    assert re.fullmatch(
        r"stale: \d+ notes are not wholly indexed yet; run: vaultmem rebuild\n", answer.err
    )


def test_a_stale_note_is_found_by_its_words(inside: Shell) -> None:
    for number in range(MOST_NOTES * 3):
        (inside.folder / f"Page {number:02}.md").write_text(f"Line {number}.\n")
    (inside.folder / "ZZZ.md").write_text("A quokka sleeps in the tram.\n")

    answer = inside.ask("graph", "search", "--kind", "note", "quokka")

    assert answer["stale"] > 0
    assert answer["hits"][0]["path"] == "ZZZ.md"
    assert answer["hits"][0]["found_by"][0] == "lexical"


def test_status_counts_what_is_stale_and_a_rebuild_ends_it(inside: Shell) -> None:
    for number in range(3):
        (inside.folder / f"Page {number}.md").write_text(f"Line {number}.\n")

    before, lines = inside.ask("status"), inside.run("status")
    inside.ask("rebuild")

    assert before["index"]["stale"] == 3
    assert "3 notes stale (vaultmem rebuild)" in lines.out
    assert inside.ask("status")["index"]["stale"] == 0


def test_nothing_is_embedded_twice(inside: Shell) -> None:
    inside.ask("rebuild")
    text = (inside.folder / "Rowing club.md").read_bytes()
    (inside.folder / "Rowing club.md").unlink()
    inside.ask("rebuild")
    (inside.folder / "Rowing club.md").write_bytes(text)

    back = inside.ask("rebuild")

    assert (back["embedded"], back["cached"]) == (0, 2)


def test_embedding_stops_when_it_is_enough_and_goes_on_from_there(
    notes: Path, opened: Opened
) -> None:
    for number in range(12):
        (notes / f"{number:02}.md").write_text(f"Sentence {number}.\n")
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked == 5

    told: list[tuple[int, int]] = []
    with opened() as index:
        refresh(index)
        some = embed(index, enough=enough, progress=lambda done, total: told.append((done, total)))
        rest = embed(index)
        none = embed(index)

    assert (some.embedded, some.left) == (5, 7)
    assert (rest.embedded, rest.cached, rest.left) == (7, 0, 0)
    assert (none.embedded, none.cached, none.left) == (0, 0, 0)
    assert all(done <= total for done, total in told)


def test_a_budget_of_notes_is_kept(notes: Path, opened: Opened) -> None:
    for number in range(12):
        (notes / f"{number:02}.md").write_text(f"Sentence {number}.\n")

    with opened() as index:
        refresh(index)
        assert embed(index, most_notes=5).left == 7
        assert embed(index, most_notes=100).left == 0


@pytest.mark.parametrize("texts", [["Same."] * 4, ["", "", ""]])
def test_equal_texts_are_embedded_once(notes: Path, opened: Opened, texts: list[str]) -> None:
    for number, text in enumerate(texts):
        folder = notes / str(number)
        folder.mkdir()
        (folder / "Name.md").write_text(text)

    with opened() as index:
        refresh(index)
        done = embed(index)

    assert done.embedded == 1
    assert done.left == 0


def test_taking_in_nothing_writes_nothing(inside: Shell) -> None:
    past = 1_700_000_000
    for path in inside.folder.rglob("*.md"):
        os.utime(path, (past, past))
    inside.ask("rebuild")
    inside.ask("graph", "search", "boat")
    derived = inside.folder / ".vaultmem"
    before = {path.name: path.read_bytes() for path in derived.iterdir() if path.is_file()}

    for line in ("rebuild", "graph search boat", "graph list", "graph traverse Dani", "status"):
        inside.run(*line.split())

    assert {path.name: path.read_bytes() for path in derived.iterdir() if path.is_file()} == before

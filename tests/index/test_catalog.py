"""The catalogue: what goes in comes out, follows every change, and keeps what did not change."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from vault_memory.core.belief import Standing
from vault_memory.core.findings import Finding
from vault_memory.core.note import Ends, Link, Note, Unit
from vault_memory.index.catalog import Catalog, open_catalog
from vault_memory.index.catalog_files import LISTING, listing_digest
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.manifest import Applied, Stamp
from vault_memory.index.rows import Wanted

STAMP = Stamp(100, 1_700_000_000_000_000_000, 7, b"\x01" * 32)
STANDING = Standing(
    Decimal("9.85"),
    Decimal(1),
    Decimal("0.05"),
    "4:6",
    "human",
    "2026-03-06",
    "",
    "2026-03-09",
    False,
)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """An empty catalogue that is open for writing."""
    return open_catalog(tmp_path, mode="write")


def note(path: str, *texts: str, links: tuple[str, ...] = ()) -> Note:
    """A person's own note with these units and links."""
    return Note(
        path,
        "note",
        "note",
        "",
        path.rpartition("/")[2].removesuffix(".md"),
        units=tuple(Unit("note", "", 1, text) for text in texts),
        links=tuple(Link(target, "", 1) for target in links),
    )


def entity(
    path: str, name: str, *, aliases: tuple[str, ...] = (), unsupported: bool = False
) -> Note:
    """A tool with one unit."""
    standing = replace(STANDING, unsupported=unsupported)
    units = (Unit("entity", "", 1, f"{name}: a thing"),)
    return Note(path, "entity", "tool", "5f2c", name, aliases, standing=standing, units=units)


def relation(path: str, source: str, target: str) -> Note:
    """A relation between two names."""
    return Note(path, "relation", "relation", "81d0", path, ends=Ends(source, "uses", target))


def put(catalog: Catalog, *notes: Note, removed: tuple[str, ...] = ()) -> Applied:
    """Apply notes that all have the same stamp."""
    return catalog.apply([(one, STAMP) for one in notes], removed=removed)


def leads_to(catalog: Catalog, path: str) -> list[str | None]:
    """The paths that the links of a note lead to, in order."""
    held = catalog.note(path)
    assert held is not None
    found = [link.target_note for link in catalog.links_from([held.key])]
    notes = catalog.notes_by_key(key for key in found if key is not None)
    return [None if key is None else notes[key].path for key in found]


def test_a_note_comes_back_as_it_went_in(catalog: Catalog) -> None:
    finding = Finding("sub/Vim.md", 3, "duplicate-key", "Key twice.", "error", fixable=True)
    whole = Note(
        "sub/Vim.md", "entity", "tool", "5f2c91ab03de", "NeoVim", ("nvim",), "The editor",
        "Modal editor.", "2026-03-06", "2026-03-07", STANDING, None, "", (), (), (finding,),
    )  # fmt: skip

    put(catalog, whole)

    held = catalog.note("sub/Vim.md")
    assert held is not None
    assert (held.kind, held.type, held.id, held.name) == (
        "entity",
        "tool",
        "5f2c91ab03de",
        "NeoVim",
    )
    assert (held.title, held.abstract) == ("The editor", "Modal editor.")
    assert (held.created, held.updated, held.session) == ("2026-03-06", "2026-03-07", "")
    assert held.standing == STANDING
    assert held.findings == (finding,)
    assert catalog.aliases(held.key) == ["Vim", "NeoVim", "nvim", "The editor"]


def test_a_name_is_found_by_every_way_it_is_borne_best_first(catalog: Catalog) -> None:
    put(
        catalog,
        replace(note("a.md"), title="Vim"),
        entity("b.md", "b", aliases=("VIM",)),
        entity("c.md", "vim"),
        note("deep/Vim.md"),
    )

    found = catalog.find_names("vim")

    assert [(name.path, name.rank) for name in found] == [
        ("deep/Vim.md", 0),
        ("c.md", 1),
        ("b.md", 2),
        ("a.md", 3),
    ]


def test_names_match_in_either_unicode_form(catalog: Catalog) -> None:
    put(catalog, note("Cafe\u0301.md"), note("Linker.md", links=("CAF\u00c9",)))

    assert [name.path for name in catalog.find_names("caf\u00e9")] == ["Cafe\u0301.md"]
    assert leads_to(catalog, "Linker.md") == ["Cafe\u0301.md"]


def test_names_that_are_nearly_right_are_suggested(catalog: Catalog) -> None:
    put(catalog, entity("Kubernetes.md", "Kubernetes"), note("Kuberneter.md"), note("Other.md"))

    assert catalog.similar_names("kubernets")[0] == "Kubernetes"
    assert catalog.similar_names("kuberneter", kinds=("entity",)) == ["Kubernetes"]
    assert catalog.similar_names("zzz") == []


def test_notes_are_chosen_by_kind_type_id_and_session(catalog: Catalog) -> None:
    talk = Note("c.md", "conversation", "conversation", "", "c", session="abc")
    put(catalog, note("n.md"), entity("e.md", "e"), talk)

    assert [held.path for held in catalog.notes()] == ["c.md", "e.md", "n.md"]
    assert [held.path for held in catalog.notes(kinds=("entity", "note"))] == ["e.md", "n.md"]
    assert [held.path for held in catalog.notes(types=("tool",))] == ["e.md"]
    assert [held.path for held in catalog.notes_by_id("5f2c")] == ["e.md"]
    assert [held.path for held in catalog.notes_by_session("abc")] == ["c.md"]
    assert catalog.notes_by_id("") == catalog.notes_by_session("") == []
    assert catalog.note("gone.md") is None


def test_every_file_is_given_in_order_of_path(catalog: Catalog) -> None:
    large = Stamp(1, -5, 2**64 - 1, b"\x02" * 32)
    catalog.apply([(note("b.md"), STAMP), (note("a.md"), large), (note("é/\udcff.md"), STAMP)])

    assert catalog.files() == [
        ("a.md", 1, -5, 2**64 - 1),
        ("b.md", 100, STAMP.mtime_ns, 7),
        ("é/\udcff.md", 100, STAMP.mtime_ns, 7),
    ]
    assert catalog.file("a.md") == large
    assert catalog.file("é/\udcff.md") == STAMP
    assert catalog.file("gone.md") is None
    assert catalog.note("é/\udcff.md") is not None


def test_a_touched_file_changes_only_its_stamp(catalog: Catalog) -> None:
    put(catalog, note("a.md", "text"))
    before = catalog.generation

    catalog.apply(touched=[("a.md", Stamp(100, 5, 8, b"\x01" * 32))])

    assert catalog.file("a.md") == Stamp(100, 5, 8, b"\x01" * 32)
    assert catalog.generation == before


def test_a_listing_is_remembered_only_while_it_is_what_is_known(catalog: Catalog) -> None:
    put(catalog, note("a.md", "text"))
    listing = catalog.files()

    catalog.remember_listing([*listing, ("b.md", 1, 2, 3)])
    assert not catalog.facts().get(LISTING)
    catalog.remember_listing(listing)
    assert catalog.facts()[LISTING] == listing_digest(listing)
    put(catalog, note("b.md", "text"))
    assert not catalog.facts()[LISTING]
    catalog.remember_listing(catalog.files())
    catalog.doubt("2")
    assert not catalog.facts()[LISTING]


def test_a_file_that_is_doubted_is_known_but_looks_changed(catalog: Catalog) -> None:
    put(catalog, note("a.md", "text"))

    catalog.doubt("2")

    assert catalog.facts()["decoder"] == "2"
    assert catalog.file("a.md") == Stamp(-1, STAMP.mtime_ns, 7, b"")
    assert [held.path for held in catalog.notes()] == ["a.md"]


def test_the_generation_rises_once_with_every_change_and_only_then(catalog: Catalog) -> None:
    seen = [catalog.generation]

    seen.append(put(catalog, note("a.md", "text"), note("b.md")).generation)
    seen.append(put(catalog).generation)
    seen.append(put(catalog, removed=("not there.md",)).generation)
    seen.append(put(catalog, removed=("a.md",)).generation)
    seen.append(catalog.apply(facts={"model": "m"}).generation)
    seen.append(catalog.apply(facts={"model": "m"}).generation)

    assert seen == [0, 1, 1, 1, 2, 3, 3]
    assert catalog.generation == 3
    assert catalog.facts()["model"] == "m"


def test_what_was_done_is_counted(catalog: Catalog) -> None:
    put(catalog, note("a.md"), note("b.md"))

    assert put(catalog, note("b.md", "new"), note("c.md"), removed=("a.md",)) == Applied(1, 1, 1, 2)


def test_the_last_of_several_versions_in_one_call_stands(catalog: Catalog) -> None:
    put(catalog, note("a.md", "first"), note("a.md", "second", "third"))

    assert catalog.pending_texts() == ["second", "third"]
    assert catalog.search_words("first") == []
    assert catalog.counts().units == 2


def test_the_counts_say_what_the_index_holds(catalog: Catalog) -> None:
    put(catalog, note("a.md", "one", "two", links=("x",)), entity("b.md", "b"))
    catalog.set_rows({1: 0})

    counts = catalog.counts()

    assert counts.notes == {"entity": 1, "note": 1}
    assert counts.types == {"tool": 1}
    assert (counts.units, counts.pending, counts.links) == (3, 2, 1)


def test_when_the_last_note_goes_nothing_is_left(catalog: Catalog) -> None:
    put(catalog, note("only.md", "pelican", links=("only",)), relation("r.md", "only", "x"))

    put(catalog, removed=("only.md", "r.md"))

    assert catalog.search_words("pelican") == []
    for table in (
        "files",
        "notes",
        "names",
        "links",
        "relations",
        "units",
        "postings",
        "other_keys",
    ):
        assert catalog.database.all(f"SELECT * FROM {table}") == []  # noqa: S608
    assert catalog.database.all("SELECT sum(units), sum(terms) FROM lengths") == [(0, 0)]


class TestLinks:
    def test_a_link_finds_its_note_whichever_comes_first(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("B", "sub/c.md", "nowhere")))
        put(catalog, note("b.md"), note("sub/c.md"))

        assert leads_to(catalog, "a.md") == ["b.md", "sub/c.md", None]

    def test_a_link_to_a_note_that_goes_leads_nowhere(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("B",)), note("b.md"))
        put(catalog, removed=("b.md",))

        assert leads_to(catalog, "a.md") == [None]

    def test_a_link_follows_when_a_note_moves(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("Old",)), note("Old.md"))
        put(catalog, entity("sub/New.md", "New", aliases=("Old",)), removed=("Old.md",))

        assert leads_to(catalog, "a.md") == ["sub/New.md"]

    def test_a_link_by_path_falls_back_to_an_alias_with_a_slash(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("TCP/IP",)))
        put(catalog, entity("t.md", "t", aliases=("TCP/IP",)))
        assert leads_to(catalog, "a.md") == ["t.md"]

        put(catalog, note("TCP/IP.md"))
        assert leads_to(catalog, "a.md") == ["TCP/IP.md"]

        put(catalog, removed=("TCP/IP.md",))
        put(catalog, entity("t.md", "t"))
        assert leads_to(catalog, "a.md") == [None]

    def test_several_notes_that_fit_are_told(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("n",)), note("x/n.md"), note("y/n.md"))

        assert [(link.ambiguous, link.target) for link in catalog.links()] == [(True, "n")]
        assert leads_to(catalog, "a.md") == ["x/n.md"]

    def test_backlinks_give_who_links_here(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", links=("c", "c")), note("b.md", links=("c",)), note("c.md"))
        target = catalog.note("c.md")
        assert target is not None

        holders = catalog.notes_by_key(link.note for link in catalog.links_to([target.key]))

        assert sorted(held.path for held in holders.values()) == ["a.md", "b.md"]

    def test_the_ends_of_a_relation_are_found_and_lost(self, catalog: Catalog) -> None:
        put(catalog, relation("r.md", "Dani", "NeoVim"), entity("Dani.md", "Dani"))
        dani = catalog.note("Dani.md")
        assert dani is not None

        (held,) = catalog.relations_of([dani.key])
        assert (held.source, held.rel, held.target) == ("Dani", "uses", "NeoVim")
        assert (held.source_note, held.target_note) == (dani.key, None)

        put(catalog, entity("tools/NeoVim.md", "NeoVim"), removed=("Dani.md",))
        (held,) = catalog.relations()
        vim = catalog.note("tools/NeoVim.md")
        assert vim is not None
        assert (held.source_note, held.target_note) == (None, vim.key)
        assert catalog.relations_of([vim.key]) == catalog.relations_of([held.note]) == [held]


class TestUnits:
    def test_units_keep_number_and_row_while_their_texts_stay(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"))
        catalog.set_rows({1: 0, 2: 1})
        moved = replace(
            note("a.md"), units=(Unit("note", "H", 5, "one"), Unit("note", "", 9, "two"))
        )

        put(catalog, replace(moved, abstract="changed"))

        units = catalog.units_by_row([0, 1])
        assert [(unit.id, unit.anchor, unit.line) for unit in units.values()] == [
            (1, "H", 5),
            (2, "", 9),
        ]

    def test_changed_texts_make_the_whole_note_pending(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"), note("b.md", "three"))
        catalog.set_rows({1: 0, 2: 1, 3: 2})

        put(catalog, note("a.md", "one", "zwei"))

        assert catalog.pending_texts() == ["one", "zwei"]
        assert [[unit.text for unit in group] for group in catalog.pending_notes()] == [
            ["one", "zwei"]
        ]

    def test_a_unit_number_is_never_used_again(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one"))
        put(catalog, removed=("a.md",))
        put(catalog, note("a.md", "other"))

        catalog.set_rows({1: 0})

        assert catalog.units_by_row([0]) == {}
        assert catalog.pending_texts() == ["other"]

    def test_a_text_that_occurs_twice_is_pending_once(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "same", "same"), note("b.md", "same", "more"))

        assert catalog.pending_texts() == ["same", "more"]
        assert catalog.pending_texts(limit=1) == ["same"]
        assert len(catalog.pending_notes(limit=1)) == 1

    def test_lost_vectors_make_everything_pending(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"))
        catalog.set_rows({1: 1, 2: 0}, facts={"rows": "x", "ann": "y"})
        assert catalog.embedded() == [(0, 2), (1, 1)]

        forgotten = catalog.forget_vectors({"rows": "x"})

        assert forgotten
        assert catalog.pending_texts() == ["one", "two"]
        assert (catalog.facts()["rows"], catalog.facts()["ann"]) == ("", "")

    def test_vectors_that_others_put_there_are_not_forgotten(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"))
        catalog.set_rows({1: 1, 2: 0}, facts={"rows": "new", "ann": "y"})

        assert not catalog.forget_vectors({"rows": "old"})
        assert not catalog.forget_vectors({"ann": "x"})

        assert catalog.pending_count() == 0
        assert (catalog.facts()["rows"], catalog.facts()["ann"]) == ("new", "y")

    def test_rows_written_anew_are_those_of_the_units_given(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"), note("b.md", "three"))
        catalog.set_rows({1: 2, 2: 1, 3: 0}, facts={"rows": "old"})

        catalog.renew_rows([3, 9, 1], lambda: {"rows": "new"})

        assert catalog.embedded() == [(0, 3), (2, 1)]
        assert catalog.facts()["rows"] == "new"

    def test_all_notes_come_a_few_at_a_time(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two"), note("b.md", "three"), note("c.md", "four"))

        found = [[[one.text for one in each] for each in some] for some in catalog.all_notes(2)]

        assert found == [[["one", "two"], ["three"]], [["four"]]]

    def test_neighbours_end_with_the_note(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "one", "two", "three"), note("b.md", "four"))

        assert catalog.neighbours([1, 2, 3, 4, 99]) == {
            1: (None, 2),
            2: (1, 3),
            3: (2, None),
            4: (None, None),
        }

    def test_rows_are_chosen_by_kind_type_and_support(self, catalog: Catalog) -> None:
        put(
            catalog,
            note("n.md", "text"),
            entity("e.md", "e"),
            entity("u.md", "u", unsupported=True),
        )
        catalog.set_rows({1: 12, 2: 11, 3: 10})

        assert catalog.rows_wanted(Wanted()) == [11, 12]
        assert catalog.rows_wanted(Wanted(unsupported=True)) == [10, 11, 12]
        assert catalog.rows_wanted(Wanted(kinds=("note",))) == [12]
        assert catalog.rows_wanted(Wanted(types=("tool",))) == [11]
        assert catalog.rows_wanted(Wanted(kinds=("note",), types=("tool",))) == []

    def test_units_come_by_number_note_and_place(self, catalog: Catalog) -> None:
        turn = Unit("turn", "^t-1", 4, "Dani: hello", "Dani", "2026-03-06")
        talk = Note("b.md", "conversation", "conversation", "", "b", units=(turn,))
        put(catalog, talk, note("a.md", "one"))

        held = catalog.units_by_id([1, 77])[1]
        assert (held.kind, held.anchor, held.line) == ("turn", "^t-1", 4)
        assert (held.speaker, held.date, held.text) == ("Dani", "2026-03-06", "Dani: hello")
        assert catalog.units_of([held.note]) == [held]
        assert catalog.ordered_units() == [
            ("a.md", 0, "one", None),
            ("b.md", 0, "Dani: hello", None),
        ]

    def test_text_that_was_not_utf8_is_kept_readable(self, catalog: Catalog) -> None:
        put(catalog, note("a.md", "bad \udcff byte and \0", links=("\udcff",)))

        assert catalog.find_names("\udcff") == []
        assert catalog.notes_by_id("\udcff") == []
        assert catalog.pending_texts() == ["bad ? byte and \0"]
        assert [unit for unit, _ in catalog.search_words("byte")] == [1]


@pytest.mark.parametrize("name", ["generation", "scanned_ns", "next_note", "next_unit"])
@pytest.mark.parametrize("value", ["", "x", "-1", "1.5"])
def test_a_number_that_is_none_is_damage(tmp_path: Path, name: str, value: str) -> None:
    with open_catalog(tmp_path, mode="write") as catalog:
        catalog.database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

        with pytest.raises(DamagedIndexError, match="what it says of itself"):
            catalog.facts()

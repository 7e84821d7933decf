"""Search by words: the right order, any query is just text, and both ways of counting agree."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_memory.core.note import Note, Unit, UnitKind
from vault_memory.index.catalog import Catalog, open_catalog
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.lexical import _score_in_bulk, _score_one_by_one
from vault_memory.index.manifest import Stamp
from vault_memory.index.postings import ENTRY, merged_in_bulk, merged_one_by_one
from vault_memory.index.rows import Wanted

STAMP = Stamp(1, 2, 3, b"\x00" * 32)
CODE = (
    "don't use ask-codex in src/main.py or CLAUDE.md; memory:safe; C++ (beta); 100% GB/s;"
    " foo AND bar; e-mail a@b.io"
)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """An empty catalogue that is open for writing."""
    return open_catalog(tmp_path, mode="write")


def put(catalog: Catalog, path: str, *texts: str, kind: UnitKind = "note", date: str = "") -> None:
    """Add a note with one unit for each text."""
    units = tuple(Unit(kind, "", 1, text, "", date) for text in texts)
    catalog.apply([(Note(path, "note", kind, "", path, units=units), STAMP)])


def scores(catalog: Catalog, query: str, wanted: Wanted | None = None) -> dict[int, float]:
    """The score of every unit of the wanted kinds that holds a word."""
    return catalog.by_words(query, wanted).scores.best(10_000)


def found(catalog: Catalog, query: str, wanted: Wanted | None = None) -> list[str]:
    """The paths of what is found, best first."""
    units = catalog.units_by_id(unit for unit, _ in catalog.search_words(query, wanted))
    notes = catalog.notes_by_key(unit.note for unit in units.values())
    return [notes[units[unit].note].path for unit, _ in catalog.search_words(query, wanted)]


@pytest.mark.parametrize(
    "query",
    [
        "don't",
        "don\u2019t",
        "ask-codex",
        "src/main.py",
        "main.py",
        "CLAUDE.md",
        "memory:safe",
        "C++",
        "(beta",
        "100%",
        "GB/s",
        "foo AND bar",
        "a@b.io",
        "email",
    ],
)
def test_a_query_with_signs_finds_the_text_that_has_them(catalog: Catalog, query: str) -> None:
    put(catalog, "n.md", CODE)
    put(catalog, "other.md", "nothing of the sort")

    assert found(catalog, query) == ["n.md"]


@pytest.mark.parametrize(
    "query",
    ['"unterminated', "NEAR", "*", "^", "", "   ", "-x", "'; DROP TABLE x; --", "[[", "\\", "\0"],
)
def test_a_query_is_only_text(catalog: Catalog, query: str) -> None:
    put(catalog, "n.md", CODE)

    assert found(catalog, query) == []


def test_an_exact_word_comes_before_what_resembles_it(catalog: Catalog) -> None:
    put(catalog, "a.md", "a plain C program and a C compiler")
    put(catalog, "b.md", "a C++ program and what it needs")

    assert found(catalog, "C++") == ["b.md"]


def test_the_score_is_bm25(catalog: Catalog) -> None:
    put(catalog, "a.md", "heron heron pond", "pond reed reed reed reed")

    (unit, score), *others = catalog.search_words("herons")

    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 1.9 / (2 + 0.9 * (1 - 0.4 + 0.4 * 3 / 4))
    assert (unit, others) == (1, [])
    assert score == pytest.approx(expected)


def test_a_turn_is_found_by_what_was_said_before_it_and_by_its_day(catalog: Catalog) -> None:
    put(
        catalog, "c.md", "Ana: a kestrel", "Bo: where", "Ana: there", kind="turn", date="2023-05-08"
    )

    assert [unit for unit, _ in catalog.search_words("kestrel")] == [1, 2]
    assert sorted(scores(catalog, "8 May")) == [1, 2, 3]


def test_other_units_are_found_by_their_own_text_only(catalog: Catalog) -> None:
    put(catalog, "n.md", "a kestrel", "where")

    assert [unit for unit, _ in catalog.search_words("kestrel")] == [1]


def test_numbers_are_those_of_the_kinds_that_are_searched(catalog: Catalog) -> None:
    put(catalog, "n.md", "heron", "reed", kind="entity")
    alone = scores(catalog, "heron")
    for number in range(5):
        put(catalog, f"t{number}.md", f"heron talk {number}", kind="turn")

    assert scores(catalog, "heron", Wanted(kinds=("entity",))) == alone
    assert len(scores(catalog, "heron")) == 6


def test_equal_scores_come_by_path_and_not_by_arrival(catalog: Catalog) -> None:
    for path in ("c.md", "a.md", "b.md"):
        put(catalog, path, "heron")

    assert found(catalog, "heron") == ["a.md", "b.md", "c.md"]
    assert len(catalog.search_words("heron", limit=2)) == 2
    assert catalog.search_words("heron", limit=1) == catalog.search_words("heron")[:1]


def test_what_is_not_wanted_takes_no_place(catalog: Catalog) -> None:
    for number in range(9):
        put(catalog, f"a{number}.md", "heron heron", kind="source")
    put(catalog, "z.md", "heron and much else that is long", kind="source")
    catalog.apply([(Note("z.md", "note", "tool", "", "z", units=catalog_unit()), STAMP)])

    wanted = Wanted(types=("tool",))
    best = catalog.search_words("heron", wanted, limit=1)

    assert [unit for unit, _ in best] == [11]


def catalog_unit() -> tuple[Unit, ...]:
    """One long unit with one heron."""
    return (Unit("source", "", 1, "heron and much else that is rather long"),)


def test_a_query_of_stop_words_is_looked_for_as_a_phrase(catalog: Catalog) -> None:
    put(catalog, "a.md", "that is not to be or it is to be")
    put(catalog, "b.md", "the question: to be or not to be")
    put(catalog, "c.md", "heron")

    assert found(catalog, "To be, or not to be") == ["b.md"]
    assert found(catalog, "not or") == ["a.md", "b.md"]
    assert found(catalog, "whose") == []


@pytest.mark.parametrize("word", ["the", "_", "to be ", "\ufdfa", "ﷺ_"])
def test_a_query_without_terms_is_no_damage_however_long(catalog: Catalog, word: str) -> None:
    put(catalog, "a.md", "to be or not to be")

    assert found(catalog, word * 100_000) in ([], ["a.md"])


def test_one_character_of_a_script_without_spaces_is_found_anywhere(catalog: Catalog) -> None:
    put(catalog, "a.md", "私の猫は寝る")
    put(catalog, "b.md", "白い猫")
    put(catalog, "c.md", "犬")

    assert found(catalog, "猫") == ["b.md", "a.md"]
    assert found(catalog, "猫は") == ["a.md"]


def test_more_units_than_a_chunk_holds_are_all_found_and_lost(catalog: Catalog) -> None:
    put(catalog, "big.md", *["heron"] * 2500)
    put(catalog, "small.md", "heron")
    assert len(scores(catalog, "heron")) == 2501

    put(catalog, "big.md", *["heron"] * 1200, "reed")

    assert len(scores(catalog, "heron")) == 1201
    assert len(scores(catalog, "reed")) == 1


ENTRIES = st.dictionaries(
    st.sampled_from([*range(1, 50), 1_000, 100_000]),
    st.tuples(st.integers(1, 0xFFFF), st.integers(1, 255), st.integers(0, 4)),
    max_size=30,
)


@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=5), st.sets(st.integers(0, 4), min_size=1))
def test_both_ways_of_counting_give_the_same_numbers(
    terms: list[dict[int, tuple[int, int, int]]], codes: set[int]
) -> None:
    postings = [
        b"".join(ENTRY.pack(unit, *rest) for unit, rest in sorted(entries.items()))
        for entries in terms
    ]

    many, highest = _score_in_bulk(postings, codes, 100, 30.5)
    few, same = _score_one_by_one(postings, codes, 100, 30.5)

    assert highest == same
    assert len(many) == len(few)
    assert [many.of(unit) for unit in (*range(60), 1_000, 100_000)] == [
        few.of(unit) for unit in (*range(60), 1_000, 100_000)
    ]
    for most in (1, 5, 100):
        assert many.best(most) == few.best(most)


def test_a_form_of_a_word_counts_as_the_word_and_the_word_itself_comes_first(
    catalog: Catalog,
) -> None:
    put(catalog, "other.md", "насос и курица")
    put(catalog, "same.md", "насос и курицу")

    assert found(catalog, "курицу") == ["same.md", "other.md"]
    whole = catalog.by_words("курицу").highest
    assert all(0 < score <= whole for _, score in catalog.search_words("курицу"))


def test_the_beginning_of_a_word_stands_for_it_when_nothing_is_called_so(catalog: Catalog) -> None:
    put(catalog, "hash.md", "the change 9f3c2ab71e04d5586b0c7d1a")
    put(catalog, "other.md", "the change 9f3c77777777")

    assert found(catalog, "9f3c2ab") == ["hash.md"]
    assert found(catalog, "9f3c") == ["hash.md", "other.md"]
    assert found(catalog, "9f3") == []
    put(catalog, "short.md", "9f3c")
    assert found(catalog, "9f3c") == ["short.md"]


def test_a_beginning_of_many_words_stands_for_none(catalog: Catalog) -> None:
    put(catalog, "many.md", *(f"9f3c{number:03}e" for number in range(100)))

    assert found(catalog, "9f3c") == []
    assert found(catalog, "9f3c042") == ["many.md"]


def test_an_index_of_other_words_is_neither_searched_nor_changed(tmp_path: Path) -> None:
    with open_catalog(tmp_path, mode="write") as catalog:
        put(catalog, "a.md", "boat")
        with catalog.database.writing():
            catalog.database.run("UPDATE meta SET value = '1 old' WHERE key = 'words'")

        with pytest.raises(DamagedIndexError, match="cut by another version"):
            found(catalog, "boat")
        with pytest.raises(DamagedIndexError, match="cut by another version"):
            put(catalog, "a.md", "ship")
    with open_catalog(tmp_path) as catalog:
        assert found(catalog, "boat") == ["a.md"], "where nothing can be written it is as it is"


@pytest.mark.parametrize("units", [[1, 4_000_000_000], [1, 4_000_000_000, 2]])
def test_postings_of_units_that_never_were_are_damage(catalog: Catalog, units: list[int]) -> None:
    put(catalog, "a.md", "herons wade", "herons fish")
    entries = b"".join(ENTRY.pack(unit, 1, 1, 4) for unit in units)
    catalog.database.run("UPDATE postings SET entries = ? WHERE term = 'heron'", (entries,))

    with pytest.raises(DamagedIndexError, match="full text is damaged"):
        scores(catalog, "herons")


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 255)), max_size=80))
def test_entries_of_several_terms_are_merged_the_same_with_and_without_numpy(
    held: list[tuple[int, int]],
) -> None:
    entries = b"".join(ENTRY.pack(unit, 10 + unit, often, unit % 5) for unit, often in held)

    merged = merged_in_bulk(entries)

    assert merged == merged_one_by_one(entries)
    assert [one[0] for one in ENTRY.iter_unpack(merged)] == sorted({unit for unit, _ in held})

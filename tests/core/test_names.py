"""A name may hold anything; its file can be written everywhere and leads back to the name."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_memory.core.entity import TYPES
from vault_memory.core.identity import fold, nfc
from vault_memory.core.names import relation_stem, safe_stem, true_name
from vault_memory.errors import UsageError

FORBIDDEN = '/\\:*?"<>|#^[]'
NAMES = st.one_of(
    st.text(max_size=60),
    st.text(alphabet='aAé.% ()#/-"', max_size=20),
    st.text(alphabet="記x", min_size=50, max_size=250),
).filter(lambda name: bool(name.strip()))


def test_names_that_look_alike_in_a_file_system_have_files_of_their_own() -> None:
    names = ["C", "C++", "C#", "A B", "A-B", "a_b", "TCP/IP", "../x", "TCP-IP", "C-", "..-x"]
    taken: set[str] = set()

    for name in names:
        stem = safe_stem(name, type="tool", taken=taken)
        assert true_name(stem, [name], type="tool") == name
        taken.add(fold(stem))

    assert len(taken) == len(names)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("NeoVim", "NeoVim"),
        ("C++", "C++"),
        ("50 % off", "50 % off"),
        ("TCP/IP", "TCP-IP"),
        ("C#", "C-"),
        ("a%%b", "a--b"),
        (".env", "-env"),
        ("Acme Inc.", "Acme Inc"),
        ("trailing ", "trailing"),
        ("...", "-"),
        ("tab\there", "tab-here"),
        ("nul", "nul-"),
        ("Com1.log", "Com1-.log"),
        ("COM¹", "COM¹-"),
        ("Console", "Console"),
        ("[[link|shown]]", "--link-shown--"),
        ("caf\udce9", "caf-"),
        ("a\u00a0b", "a b"),
    ],
)
def test_what_a_file_or_link_cannot_hold_is_replaced(name: str, stem: str) -> None:
    assert safe_stem(name, type="concept") == stem


@pytest.mark.parametrize("name", ["the long sentence of a model " * 14, "記" * 120])
def test_a_long_name_is_cut_on_a_character_and_ends_with_a_hash(name: str) -> None:
    stem = safe_stem(name, type="concept")

    assert len(stem.encode()) <= 180
    assert name.startswith(stem[:-9])
    assert true_name(stem, [name], type="concept") == nfc(name)


def test_long_names_that_begin_alike_have_files_of_their_own() -> None:
    assert safe_stem("x" * 300, type="tool") != safe_stem("x" * 301, type="tool")


def test_one_name_of_two_types_is_told_apart_by_a_suffix() -> None:
    stem = safe_stem("Mercury", type="tool", taken={"mercury"})

    assert stem == "Mercury (tool)"
    assert true_name(stem, ["Mercury"], type="tool") == "Mercury"


def test_a_difference_in_case_or_unicode_form_alone_gets_the_suffix() -> None:
    assert safe_stem("MERCURY", type="tool", taken={"mercury"}) == "MERCURY (tool)"
    assert safe_stem("Cafe\u0301", type="tool", taken={fold("café")}) == "Café (tool)"


def test_a_suffix_that_is_taken_too_gives_way_to_a_hash() -> None:
    taken = {"mercury", "mercury (tool)"}

    stem = safe_stem("Mercury", type="tool", taken=taken.__contains__)

    assert stem.startswith("Mercury ")
    assert len(stem) == len("Mercury ") + 8
    assert true_name(stem, ["Mercury"], type="tool") == "Mercury"


def test_when_every_name_is_taken_that_is_said() -> None:
    with pytest.raises(UsageError, match="taken"):
        safe_stem("Mercury", type="tool", taken=lambda _: True)


@pytest.mark.parametrize("name", ["", " ", "\n\t"])
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        safe_stem(name, type="tool")
    with pytest.raises(UsageError, match="empty"):
        relation_stem("Dani", "uses", name)


def test_the_stem_is_the_name_when_the_first_alias_did_not_make_it() -> None:
    assert true_name("NeoVim", ["nvim"], type="tool") == "NeoVim"
    assert true_name("NeoVim", [], type="tool") == "NeoVim"
    assert true_name("Mercury (tool)", ["Mercury"], type="project") == "Mercury (tool)"
    assert true_name("TCP-IP", ["net", "TCP/IP"], type="tool") == "TCP-IP"
    assert true_name("-", [""], type="tool") == "-"


def test_a_file_found_in_decomposed_form_has_its_name_composed() -> None:
    assert true_name("Cafe\u0301", [], type="concept") == "Café"


@given(NAMES, st.sampled_from(TYPES), st.sampled_from([0, 1, 2]))
@example(" .0", "tool", 0)
def test_every_name_gets_a_file_that_leads_back_to_it(name: str, kind: str, rounds: int) -> None:
    taken: set[str] = set()
    for _ in range(rounds):
        taken.add(fold(safe_stem(name, type=kind, taken=taken)))

    stem = safe_stem(name, type=kind, taken=taken)

    assert fold(stem) not in taken
    assert true_name(stem, [name], type=kind) == nfc(name)
    assert_safe(stem)


@given(NAMES, NAMES)
def test_a_relation_gets_a_file_that_can_be_written(source: str, target: str) -> None:
    assert_safe(relation_stem(source, "connected_to", target))


def test_a_second_relation_with_the_same_ends_is_numbered() -> None:
    first = relation_stem("Dani", "uses", "C#")
    second = relation_stem("Dani", "uses", "C#", taken={fold(first)})
    third = relation_stem("Dani", "uses", "C#", taken={fold(first), fold(second)})

    assert [first, second, third] == ["Dani uses C-", "Dani uses C- (2)", "Dani uses C- (3)"]


def test_a_long_relation_keeps_its_number() -> None:
    first = relation_stem("x" * 200, "uses", "y" * 200)
    second = relation_stem("x" * 200, "uses", "y" * 200, taken={fold(first)})

    assert second.endswith(" (2)")
    assert len(second.encode()) <= 180


def assert_safe(stem: str) -> None:
    assert stem
    assert stem == unicodedata.normalize("NFC", stem)
    assert len(stem.encode()) <= 180
    assert not set(stem) & set(FORBIDDEN)
    assert "%%" not in stem
    assert all(unicodedata.category(character) not in {"Cc", "Cs"} for character in stem)
    assert not stem.startswith((".", " "))
    assert not stem.endswith((".", " "))
    assert stem.partition(".")[0].lower() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}


def test_a_stem_made_of_a_name_is_known_without_a_type_too() -> None:
    assert true_name("a-b", ["a/b"]) == "a/b"
    assert true_name("Mercury (tool)", ["Mercury"]) == "Mercury (tool)"


@pytest.mark.parametrize(("letters", "whole"), [(180, True), (181, False)])
def test_a_name_is_cut_above_a_hundred_and_eighty_bytes(letters: int, whole: bool) -> None:
    stem = safe_stem("x" * letters, type="tool")

    assert (stem == "x" * letters) is whole
    assert len(stem) == 180

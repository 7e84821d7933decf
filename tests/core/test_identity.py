"""Ids are the hashes that the format describes, whatever form a name comes in."""

import hashlib
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.identity import (
    digest12,
    entity_id,
    fold,
    line_id,
    nfc,
    origin_key,
    relation_id,
    turn_id,
)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_an_entity_is_its_type_and_casefolded_name() -> None:
    assert entity_id("tool", "NeoVim") == sha("tool\nneovim")


def test_case_and_unicode_form_of_a_name_make_no_other_entity() -> None:
    assert entity_id("person", "Zoe\u0301 STRASSE") == entity_id("person", "zo\u00e9 stra\u00dfe")


def test_a_relation_is_its_ends_verb_and_ordinal() -> None:
    assert relation_id("aa", "uses", "bb") == sha("relation\naa\nuses\nbb\n1")
    assert relation_id("aa", "uses", "bb", 2) == sha("relation\naa\nuses\nbb\n2")


def test_an_origin_gives_one_key_and_a_line_for_each_provenance_and_polarity() -> None:
    assert origin_key("abc123") == sha("abc123")
    assert line_id("abc123", "human", "supports") == sha("abc123\nhuman\nsupports")
    assert line_id("abc123", "human", "contradicts") != line_id("abc123", "human", "supports")


def test_a_turn_is_its_record_or_else_its_place_in_the_session() -> None:
    assert turn_id("u-1") == "t-" + sha("u-1")
    assert turn_id("abc123", "4") == "t-" + sha("abc123\n4")


def test_bytes_that_were_not_utf8_are_hashed_too() -> None:
    assert len(digest12("caf\udce9")) == 12
    assert digest12("caf\udce9") != digest12("caf\udce8")


@given(st.text())
def test_folding_is_done_once_and_for_all(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_every_unicode_form_of_a_text_gives_the_same_hash(text: str) -> None:
    assert digest12(unicodedata.normalize("NFD", text)) == digest12(nfc(text))


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_gives_what_the_long_way_gives(text: str) -> None:
    long_way = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    assert fold(text) == long_way

"""Frontmatter of a thousand real notes: what is not edited stays, to the byte."""

from pathlib import Path

import pytest

from vault_memory.notes.frontmatter import Frontmatter, parse
from vault_memory.notes.frontmatter_edit import set_values
from vault_memory.notes.frontmatter_lines import read_lines
from vault_memory.notes.frontmatter_yaml import read_yaml
from vault_memory.notes.scalars import REMOVE, auto, flow_list
from vault_memory.notes.text import decode_bytes, encode_text


@pytest.fixture(scope="module")
def fronts(shared: Path) -> list[Frontmatter]:
    notes = sorted((shared / "vaults" / "docs").rglob("*.md"))
    return [parse(decode_bytes(note.read_bytes())) for note in notes]


def test_nearly_all_notes_have_frontmatter_that_may_be_edited(fronts: list[Frontmatter]) -> None:
    editable = [front for front in fronts if front.present and front.ok and front.keys]

    assert len(editable) > 0.95 * len(fronts) > 500


def test_setting_each_key_to_its_own_value_changes_no_byte(fronts: list[Frontmatter]) -> None:
    for front in fronts:
        data = encode_text(front.text)
        for key in front.keys:
            if key.text is not None:
                after = set_values(front.text, {key.name: auto(key.text)})
            else:
                after = (
                    set_values(front.text, {key.name: flow_list(front.get_list(key.name))})
                    if (key.items is not None)
                    else front.text
                )
            assert encode_text(after) == data


def test_adding_a_key_and_removing_it_gives_the_bytes_back(fronts: list[Frontmatter]) -> None:
    for front in fronts:
        if not (front.present and front.ok):
            continue
        order = [key.name for key in front.keys]
        after = set_values(
            front.text, {"kite": auto("a: b")}, order=[*order[:1], "kite", *order[1:]]
        )

        assert parse(after).get("kite") == "a: b"
        assert encode_text(set_values(after, {"kite": REMOVE})) == encode_text(front.text)


def test_removing_a_key_takes_exactly_its_lines(fronts: list[Frontmatter]) -> None:
    for front in fronts:
        for key in front.keys if front.ok else ():
            after = set_values(front.text, {key.name: REMOVE})

            assert after == front.text[: key.start] + front.text[key.end :]
            assert parse(after).key(key.name) is None


def test_the_fast_way_says_what_yaml_says(fronts: list[Frontmatter]) -> None:
    fast = 0
    for front in fronts:
        keys = read_lines(front.text, front.start, front.end) if front.present else None
        if keys is not None:
            fast += 1
            assert (keys, ()) == read_yaml(front.text, front.start, front.end)

    assert fast > len(fronts) // 2

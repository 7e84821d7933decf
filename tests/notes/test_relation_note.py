"""A relation note is written as the format shows it; what it relates is its frontmatter."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notes.examples import AGENT, SAID
from vault_memory.core.evidence import EvidenceLine, new_line
from vault_memory.core.identity import nfc, relation_id
from vault_memory.core.names import relation_stem, safe_stem
from vault_memory.core.note import Ends, Note
from vault_memory.notes.belief_note import observe
from vault_memory.notes.decode import decode
from vault_memory.notes.evidence_lines import read_evidence
from vault_memory.notes.reading import read
from vault_memory.notes.relation_note import description, encode

PATH = "relations/Dani uses NeoVim.md"
EXAMPLE = """\
---
id: "81d0c2f3b6aa"
type: relation
from: "[[Dani]]"
rel: uses
to: "[[NeoVim]]"
confidence: 0.9078
alpha: 9.85
beta: 1
prior: explicit
provenance: human
self: 0.05
valid_from: 2026-03-06
valid_until:
created: 2026-03-06
updated: 2026-03-09
---
[[Dani]] uses [[NeoVim]].

The relation's description, if any: free text.

## Evidence
- 2026-03-06 supports human 0.8 [[conversation-005#^t-1a2b3c4d5e6f]] \
"I moved everything to NeoVim" (s:9b1d02e7c4a1) ^e3f9a2c41d07
- 2026-03-09 supports agent 0.05 [[conversation-006#^t-77aa01f2b3c4]] (s:c0ffee12ab34) \
^b81c0d4e5512
"""


def example(*lines: EvidenceLine) -> str:
    return encode(
        source="Dani",
        rel="uses",
        target="NeoVim",
        lines=lines,
        id="81d0c2f3b6aa",
        today="2026-03-06",
        description="The relation's description, if any: free text.",
        valid_from="2026-03-06",
    )


def note_of(text: str, path: str = PATH) -> Note:
    return decode(path, text.encode())


def test_a_new_note_is_the_example_of_the_format() -> None:
    assert example(SAID, AGENT) == EXAMPLE


def test_the_second_line_makes_the_example_of_the_first() -> None:
    first = example(SAID)

    assert "confidence: 0.9074\nalpha: 9.8\nbeta: 1\n" in first
    assert "self:" not in first
    assert observe(first, [AGENT]) == EXAMPLE


def test_the_example_is_read_whole() -> None:
    note = note_of(EXAMPLE)

    assert (note.kind, note.type, note.id) == ("relation", "relation", "81d0c2f3b6aa")
    assert note.ends == Ends("Dani", "uses", "NeoVim")
    assert note.name == "Dani uses NeoVim"
    assert note.findings == ()
    standing = note.standing
    assert standing is not None
    assert (standing.alpha, standing.self_part) == (Decimal("9.85"), Decimal("0.05"))
    assert (standing.valid_from, standing.valid_until) == ("2026-03-06", "")
    assert standing.last_support == "2026-03-09"


def test_its_unit_is_the_sentence_with_the_description() -> None:
    units = note_of(EXAMPLE).units

    assert [(unit.kind, unit.line, unit.text, unit.date) for unit in units] == [
        (
            "relation",
            20,
            "Dani uses NeoVim: The relation's description, if any: free text.",
            "2026-03-06",
        )
    ]


def test_without_a_description_the_unit_is_the_sentence() -> None:
    text = encode(
        source="Dani",
        rel="prefers_editor",
        target="NeoVim",
        lines=[],
        id="0" * 12,
        today="2026-03-06",
    )

    assert [unit.text for unit in note_of(text).units] == ["Dani prefers editor NeoVim."]
    assert "\nrel: prefers_editor\n" in text
    assert "\n[[Dani]] prefers editor [[NeoVim]].\n" in text


def test_the_description_is_what_follows_the_sentence() -> None:
    assert description(read(PATH, EXAMPLE.encode())) == (
        "The relation's description, if any: free text."
    )
    by_hand = '---\ntype: relation\nfrom: "[[A]]"\nrel: uses\nto: "[[B]]"\n---\nJust words.\n'
    assert description(read(PATH, by_hand.encode())) == "Just words."
    assert description(read(PATH, by_hand.replace("Just words.\n", "").encode())) == ""


def test_what_it_relates_is_no_link_of_the_note_but_prose_has_links() -> None:
    text = EXAMPLE.replace("free text", "see [[Vim]]").replace("valid_until:", 'see: "[[Ed]]"')

    assert [link.target for link in note_of(text).links] == ["Ed", "Dani", "NeoVim", "Vim"]


def test_true_names_are_shown_where_files_have_others() -> None:
    text = encode(
        source="C-",
        rel="compiles_to",
        target="CIL -a-",
        lines=[],
        id="0" * 12,
        today="2026-03-06",
        source_name="C#",
        target_name="CIL [a]",
    )
    note = note_of(text)

    assert 'from: "[[C-|C#]]"\n' in text
    assert note.ends is not None
    assert (note.ends.source, note.ends.target) == ("C-", "CIL -a-")
    assert note.name == "C# compiles_to CIL (a)"


@pytest.mark.parametrize(
    ("given", "target"),
    [
        ('"[[Dani]]"', "Dani"),
        ("'[[people/Dani|D]]'", "people/Dani"),
        ("Dani", "Dani"),
        ("[[Dani]]", "Dani"),
        ('"[[Dani.md]]"', "Dani.md"),
    ],
)
def test_ends_written_by_hand_are_understood(given: str, target: str) -> None:
    text = f'---\ntype: relation\nfrom: {given}\nrel: uses\nto: "[[NeoVim]]"\n---\n'

    assert note_of(text).ends == Ends(target, "uses", "NeoVim")


def test_a_relation_that_relates_nothing_is_a_finding_and_no_error() -> None:
    note = note_of("---\ntype: relation\nto:\n---\nwords\n", "relations/x.md")

    assert note.ends is None
    assert note.name == "x"
    assert [(one.rule, one.line) for one in note.findings] == [
        ("relation-end-missing", 1),
        ("relation-end-missing", 3),
        ("relation-verb-missing", 1),
    ]
    assert [unit.text for unit in note.units] == ["x: words"]


def test_a_verb_of_another_form_is_a_finding() -> None:
    text = EXAMPLE.replace("rel: uses", "rel: Works with")

    assert [(one.rule, one.line) for one in note_of(text).findings] == [("relation-verb", 5)]
    assert "works_with" in note_of(text).findings[0].message


def test_without_an_id_it_is_what_its_ends_are_named() -> None:
    note = note_of(EXAMPLE.replace('id: "81d0c2f3b6aa"\n', ""))

    assert note.id == relation_id("dani", "uses", "neovim")


def test_days_that_are_none_are_findings() -> None:
    text = EXAMPLE.replace("valid_from: 2026-03-06", "valid_from: spring")

    assert [(one.rule, one.line) for one in note_of(text).findings] == [("date-invalid", 13)]


NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(["C#", "a|b", "[[x]]", "a]b", "%%", "x" * 200]),
).filter(lambda name: bool(name.strip()))


@given(NAMES, NAMES, st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_what_is_encoded_is_decoded(source: str, target: str, words: str) -> None:
    stems = [safe_stem(name, type="tool") for name in (source, target)]
    line = new_line("o", date="2026-03-06")

    text = encode(
        source=stems[0],
        rel="uses",
        target=stems[1],
        lines=[line],
        id="0" * 12,
        today="2026-03-06",
        source_name=nfc(source),
        target_name=nfc(target),
        description=words,
    )
    note = note_of(text, f"relations/{relation_stem(source, 'uses', target)}.md")

    assert note.ends == Ends(stems[0], "uses", stems[1])
    assert read_evidence(text, 0).lines == (line,)
    assert note.standing is not None
    assert note.standing.alpha == Decimal("9.8")
    assert note.findings == ()


def test_a_sentence_at_the_very_end_is_the_whole_text() -> None:
    text = b'---\ntype: relation\nfrom: "[[A]]"\nrel: uses\nto: "[[B]]"\n---\n[[A]] uses [[B]].'

    note = decode("relations/a.md", text)

    assert [unit.text for unit in note.units] == ["A uses B."]

"""An entity note is written as the format shows it, read back whole, and grows by evidence."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notes.examples import SAID
from vault_memory.core.entity import TYPES, Entity
from vault_memory.core.evidence import new_line
from vault_memory.core.identity import entity_id, nfc
from vault_memory.core.names import safe_stem
from vault_memory.core.note import Note
from vault_memory.errors import NoteError
from vault_memory.notes.belief_note import observe, settle
from vault_memory.notes.decode import decode
from vault_memory.notes.entity_note import Tiers, encode, tiers
from vault_memory.notes.evidence_lines import read_evidence
from vault_memory.notes.reading import read

NEOVIM = Entity(
    type="tool",
    name="NeoVim",
    abstract="Modal text editor that Dani has used since March 2026.",
    overview="A paragraph or so: what a ranking and a reader need.",
    content="Everything else, free text.",
    aliases=("nvim",),
)
EXAMPLE = """\
---
id: "5f2c91ab03de"
type: tool
abstract: Modal text editor that Dani has used since March 2026.
aliases: [nvim]
confidence: 0.9074
alpha: 9.8
beta: 1
prior: explicit
provenance: human
created: 2026-03-06
updated: 2026-03-06
tags: [entity/tool]
---
# NeoVim

## Overview
A paragraph or so: what a ranking and a reader need.

## Content
Everything else, free text.

## Evidence
- 2026-03-06 supports human 0.8 [[conversation-005#^t-1a2b3c4d5e6f]] \
"I moved everything to NeoVim" (s:9b1d02e7c4a1) ^e3f9a2c41d07
"""


def note_of(text: str, path: str = "entities/tool/NeoVim.md") -> Note:
    return decode(path, text.encode("utf-8", "surrogateescape"))


def tiers_of(text: str) -> Tiers:
    return tiers(read("entities/tool/NeoVim.md", text.encode()))


def rules(note: Note) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in note.findings]


def test_a_new_note_is_the_example_of_the_format() -> None:
    text = encode(NEOVIM, [SAID], stem="NeoVim", today="2026-03-06", id="5f2c91ab03de")

    assert text == EXAMPLE


def test_the_example_is_read_whole() -> None:
    note = note_of(EXAMPLE)

    assert (note.kind, note.type, note.id) == ("entity", "tool", "5f2c91ab03de")
    assert (note.name, note.aliases, note.title) == ("NeoVim", ("nvim",), "NeoVim")
    assert note.abstract == "Modal text editor that Dani has used since March 2026."
    assert (note.created, note.updated) == ("2026-03-06", "2026-03-06")
    assert note.standing is not None
    assert (note.standing.alpha, note.standing.beta) == (Decimal("9.8"), Decimal(1))
    assert (note.standing.prior, note.standing.provenance) == ("explicit", "human")
    assert note.findings == ()
    assert note.links == ()


def test_the_tiers_are_units_and_evidence_is_none() -> None:
    units = note_of(EXAMPLE).units

    assert [(unit.kind, unit.anchor, unit.line, unit.text) for unit in units] == [
        ("entity", "", 4, "NeoVim: Modal text editor that Dani has used since March 2026."),
        (
            "entity",
            "Overview",
            18,
            "NeoVim: A paragraph or so: what a ranking and a reader need.",
        ),
        ("entity", "Content", 21, "NeoVim: Everything else, free text."),
    ]


def test_the_tiers_are_read_as_written() -> None:
    assert tiers_of(EXAMPLE) == Tiers(NEOVIM.overview, NEOVIM.content)


def test_whatever_else_a_person_wrote_belongs_to_the_content() -> None:
    head = "---\ntype: tool\n---\n# NeoVim\nhead\n"
    text = f"{head}## Overview\no\n### deep\np\n## Mine\nm\n## Content\nc\n"

    assert tiers_of(text) == Tiers("o\n### deep\np", "head\n\n## Mine\nm\n\nc")


def test_the_heading_of_a_concept_by_another_word_is_its_name_too() -> None:
    text = "---\ntype: entity\ntitle: A planet\naliases: [Mercury]\n---\n# Mercury\nhot\n"

    reading = read("entities/concept/Mercury (concept).md", text.encode())

    assert tiers(reading).content == "hot"


def test_weights_of_any_precision_leave_nothing_stale() -> None:
    odd = [new_line(f"o{n}", date="2026-03-06", weight=Decimal("0.12345")) for n in range(9)]

    assert rules(note_of(observe("---\ntype: tool\n---\n", odd))) == []


def test_a_second_line_changes_what_it_means_to_change() -> None:
    agent = new_line("other", date="2026-03-09", provenance="agent")

    after = observe(EXAMPLE, [agent])

    changed = {
        (old, new)
        for old, new in zip(EXAMPLE.splitlines(), after.splitlines(), strict=False)
        if old != new
    }
    assert "confidence: 0.9078\nalpha: 9.85\nbeta: 1\n" in after
    assert "provenance: human\nself: 0.05\ncreated: 2026-03-06\nupdated: 2026-03-09\n" in after
    assert len(read_evidence(after, 0).lines) == 2
    assert ("abstract: x", "abstract: x") not in changed
    assert after.startswith(EXAMPLE[: EXAMPLE.index("confidence")])


def test_a_line_that_is_there_changes_nothing() -> None:
    assert observe(EXAMPLE, [SAID]) == EXAMPLE
    assert observe(EXAMPLE, [SAID._replace(id="0" * 12, date="2026-12-01")]) == EXAMPLE
    assert observe(EXAMPLE.replace('id: "5f2c91ab03de"\n', ""), [SAID], id="x") == EXAMPLE.replace(
        'id: "5f2c91ab03de"\n', ""
    )


def test_evidence_one_by_one_or_at_once_gives_the_same_note() -> None:
    lines = [new_line(f"s{n}", date=f"2026-03-0{n}") for n in (3, 1, 2)]
    new = encode(NEOVIM, [], stem="NeoVim", today="2026-03-05")

    one_by_one = new
    for line in lines:
        one_by_one = observe(one_by_one, [line])

    assert one_by_one == observe(new, lines)
    assert "created: 2026-03-01\nupdated: 2026-03-03\n" in one_by_one


def test_a_note_made_by_hand_keeps_its_bytes_and_gets_an_id() -> None:
    text = "---\r\n# who\r\ntype: 'person'   # mine\r\nconfidence: 0.40\r\n---\r\nheron"

    after = observe(text, [new_line("o", date="2026-03-06")], id="0123456789ab")

    assert after == (
        '---\r\nid: "0123456789ab"\r\n# who\r\n'
        "type: 'person'   # mine\r\nconfidence: 0.4444\r\n"
        'alpha: 4.8\r\nbeta: 6\r\nprior: "4:6"\r\nprovenance: human\r\n'
        "created: 2026-03-06\r\nupdated: 2026-03-06\r\n---\r\nheron\r\n\r\n"
        f"## Evidence\r\n{after.splitlines()[-1]}"
    )


def test_a_note_with_its_type_alone_is_a_good_note() -> None:
    note = note_of("---\ntype: person\n---\n", "people/Ana.md")

    assert (note.kind, note.type, note.name) == ("entity", "person", "Ana")
    assert note.id == entity_id("person", "Ana")
    assert note.standing is not None
    assert note.standing.mean == 0.9
    assert note.standing.prior == "explicit"
    assert [unit.text for unit in note.units] == ["Ana"]
    assert note.findings == ()


def test_the_prior_stays_a_name_when_it_gives_the_base() -> None:
    inferred = "---\ntype: tool\nalpha: 6\nbeta: 4\nprior: inferred\n---\n"
    other = "---\ntype: tool\nalpha: 8.0\nbeta: 2.0\n---\n"
    line = new_line("o", date="2026-03-06")

    assert "alpha: 6.8\nbeta: 4\nprior: inferred\n" in observe(inferred, [line])
    assert 'alpha: 8.8\nbeta: 2.0\nprior: "8:2"\n' in observe(other, [line])
    assert "prior: explicit\n" in observe("---\ntype: tool\n---\n", [line])


def test_an_entity_is_read_as_a_concept() -> None:
    note = note_of("---\ntype: entity\n---\n", "sub/New.md")

    assert note.type == "concept"
    assert note.id == entity_id("concept", "New")


def test_identity_is_in_the_note_and_an_old_name_still_names_it() -> None:
    note = note_of(
        "---\nid: ent-0001\nname: Old\ntype: entity\nalpha: 9\nbeta: 1\n---\nheron\n",
        "sub/New.md",
    )

    assert (note.id, note.name, note.aliases) == ("ent-0001", "New", ("Old",))
    assert [unit.text for unit in note.units] == ["New: heron"]


def test_a_name_no_file_can_hold_is_the_first_alias() -> None:
    entity = Entity("tool", "TCP/IP", "The protocols of the internet.", aliases=("net",))
    stem = safe_stem(entity.name, type="tool")

    text = encode(entity, [], stem=stem, today="2026-03-06")
    note = note_of(text, f"entities/tool/{stem}.md")

    assert "aliases: [TCP/IP, net]\n" in text
    assert (note.name, note.aliases) == ("TCP/IP", ("net",))


def test_numbers_that_are_none_are_findings_with_their_line() -> None:
    note = note_of("---\nname: Bad\ntype: entity\nconfidence: yes\nalpha: lots\nbeta: -3\n---\n")

    assert rules(note) == [
        ("frontmatter-number", 4),
        ("frontmatter-number", 5),
        ("frontmatter-number", 6),
    ]
    assert note.standing is not None
    assert note.standing.mean == 0.9


def test_keys_that_say_nothing_sensible_are_findings() -> None:
    note = note_of(
        "---\ntype: tool\nconfidence: 1.5\nalpha: 3\nprior: strong\nprovenance: web\n---\n"
    )

    assert rules(note) == [
        ("confidence-range", 3),
        ("counts-incomplete", 4),
        ("prior-unknown", 5),
        ("provenance-unknown", 6),
    ]
    assert note.standing is not None
    assert note.standing.provenance == ""


@pytest.mark.parametrize(
    "key", ["confidence: yes", "alpha: lots", "beta: -3", "confidence: 90", "alpha: 3", "prior: ??"]
)
def test_what_cannot_be_counted_with_is_never_written_over(key: str) -> None:
    note = f"---\ntype: tool\n{key}\n---\n"

    with pytest.raises(NoteError, match=r"^notes/A\.md:3: not written to: "):
        observe(note, [SAID], path="notes/A.md")


def test_a_count_within_a_conflict_is_not_told_as_missing() -> None:
    sides = "<<<<<<< HEAD\nalpha: 8\n=======\nalpha: 6\n>>>>>>> laptop\n"

    note = note_of(f"---\ntype: tool\n{sides}beta: 2\n---\n")

    assert rules(note) == [("frontmatter-conflict", 3)]


def test_counts_that_differ_from_the_evidence_are_mended() -> None:
    stale = EXAMPLE.replace("alpha: 9.8", "alpha: 20").replace("updated: 2026-03-06", "updated:")

    assert rules(note_of(stale)) == [("counts-stale", 7)]
    assert settle(stale) == EXAMPLE
    standing = note_of(stale).standing
    assert standing is not None
    assert standing.alpha == Decimal("9.8")


def test_a_stale_cache_of_anything_is_found_and_mended() -> None:
    for old, new in (
        ("provenance: human\n", "provenance: agent\n"),
        ("provenance: human\n", ""),
        ("beta: 1\n", "beta: 1\nself: 0.05\n"),
        ("created: 2026-03-06\n", "created: 2026-03-08\n"),
        ("confidence: 0.9074\n", ""),
    ):
        stale = EXAMPLE.replace(old, new)
        assert [rule for rule, _ in rules(note_of(stale))] == ["counts-stale"], new
        mended = settle(stale)
        assert note_of(mended).findings == ()
        assert sorted(mended.splitlines()) == sorted(EXAMPLE.splitlines())


def test_a_confidence_edited_by_hand_is_a_persons_word_and_stays() -> None:
    edited = EXAMPLE.replace("0.9074", "0.4")

    assert rules(note_of(edited)) == [("confidence-edited", 6)]
    assert settle(edited) == edited


def test_an_honest_note_needs_no_settling() -> None:
    assert settle(EXAMPLE) == EXAMPLE
    assert settle("---\ntype: tool\nalpha: 1\nbeta: 9\nconfidence: 0.7\n---\n") == (
        "---\ntype: tool\nalpha: 1\nbeta: 9\nconfidence: 0.7\n---\n"
    )


def test_odd_evidence_is_found() -> None:
    line = EXAMPLE.splitlines()[-1]
    odd = EXAMPLE + f"{line}\n- nonsense\n\n## Evidence\n{line}\n"

    assert rules(note_of(odd)) == [
        ("evidence-malformed", 26),
        ("evidence-duplicate", 25),
        ("evidence-duplicate", 29),
        ("evidence-sections", 28),
    ]


def test_a_new_line_of_a_struck_origin_is_struck_at_once() -> None:
    struck = observe(
        "---\ntype: tool\n---\n",
        [new_line("o", date="2026-03-06")._replace(struck=True)],
    )

    after = observe(struck, [new_line("o", date="2026-03-07", polarity="contradicts")])

    lines = read_evidence(after, 0).lines
    assert [line.struck for line in lines] == [True, True]
    assert "alpha: 9\nbeta: 1\n" in after
    note = note_of(after)
    assert note.standing is not None
    assert note.standing.unsupported


def test_a_speaker_nobody_knows_is_told_and_gives_way_to_the_evidence() -> None:
    text = "---\ntype: tool\nprovenance: my uncle # really\n---\n"

    after = observe(text, [SAID])

    assert rules(note_of(text)) == [("provenance-unknown", 3)]
    assert "provenance: human # really\n" in after
    assert rules(note_of(after)) == []


@pytest.mark.parametrize("struck", [True, False])
def test_where_no_support_counts_the_provenance_is_left_as_it_is(struck: bool) -> None:
    line = SAID._replace(struck=struck, polarity="supports" if struck else "contradicts")

    for key in ("provenance: external\n", ""):
        after = observe(f"---\ntype: tool\n{key}---\n", [line])
        assert after.count("provenance") == after.count("provenance: external\n") == bool(key)


def test_a_line_struck_by_itself_does_not_strike_its_origin() -> None:
    single = new_line("o", date="2026-03-06")._replace(struck=True, singly=True)

    after = observe("---\ntype: tool\n---\n", [single])
    after = observe(after, [new_line("o", date="2026-03-07", polarity="contradicts")])

    assert [line.struck for line in read_evidence(after, 0).lines] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "---\ntype: tool\ntype: person\n---\n",
        "---\ntype: [tool\n---\n",
        "---\ntype: tool\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    ],
)
def test_a_note_only_a_person_can_resolve_is_not_written_to(text: str) -> None:
    with pytest.raises(NoteError, match=r"x\.md:"):
        observe(text, [SAID], path="x.md")


@pytest.mark.parametrize(
    "content",
    [
        f"text\n\n## Evidence\n{EXAMPLE.splitlines()[-1].replace('0.8', '999')}",
        "```\nopen",
        "<!-- open",
        "%% open",
        "x\n---\ny",
        "<<<<<<< a\n=======\n>>>>>>> b",
    ],
)
def test_text_that_is_given_cannot_forge_evidence_or_hide_it(content: str) -> None:
    entity = replace(NEOVIM, content=content, overview=content)

    text = encode(entity, [SAID], stem="NeoVim", today="2026-03-06")

    assert read_evidence(text, 0).lines == (SAID,)
    assert note_of(text).findings == ()


def test_links_in_given_text_stay_links() -> None:
    text = encode(replace(NEOVIM, content="see [[Dani]]"), [], stem="NeoVim", today="2026-03-06")

    assert [link.target for link in note_of(text).links] == ["Dani"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NAMES = st.one_of(TEXTS, st.sampled_from(["C#", "#tag", "[[x]]", "%%", "<!--", "$a$", "`", " x"]))
LINES = ["text", "", "# h", "## Evidence", "---", "===", "```", "~~~", "%%", "<!--", "$$", "> ```"]
MORE = ["- item", "    code", "[[x]]", "<pre>", "<<<<<<<", "=======", ">>>>>>>", "`", "  ```"]
HARD = st.lists(st.sampled_from([*LINES, *MORE]), max_size=6).map("\n".join)
ENTITIES = st.builds(
    Entity,
    type=st.sampled_from(TYPES),
    name=NAMES.filter(lambda name: bool(name.strip())),
    abstract=TEXTS,
    overview=st.one_of(TEXTS, HARD),
    content=st.one_of(TEXTS, HARD),
    aliases=st.lists(TEXTS.filter(lambda alias: bool(alias.strip())), max_size=3).map(tuple),
)


@given(ENTITIES)
def test_what_is_encoded_is_decoded(entity: Entity) -> None:
    stem = safe_stem(entity.name, type=entity.type)

    text = encode(entity, [SAID], stem=stem, today="2026-03-06")
    note = note_of(text, f"entities/{entity.type}/{stem}.md")

    assert (note.type, note.name) == (entity.type, nfc(entity.name))
    assert note.id == entity_id(entity.type, entity.name)
    assert note.abstract == " ".join(entity.abstract.split())
    assert set(note.aliases) == {nfc(alias) for alias in entity.aliases} - {note.name, stem}
    assert read_evidence(text, 0).lines == (SAID,)
    assert note.standing is not None
    assert note.standing.alpha == Decimal("9.8")
    assert note.findings == ()


def test_an_id_is_quoted_whatever_it_is() -> None:
    text = encode(NEOVIM, [], stem="NeoVim", today="2026-03-06", id="abcdefabcdef")

    assert text.startswith('---\nid: "abcdefabcdef"\n')

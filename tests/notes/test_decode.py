"""A note is of the kind its type says, wherever it lies; nothing in it is ever an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.entity import TYPES
from vault_memory.core.note import Note
from vault_memory.notes.decode import decode
from vault_memory.notes.source_note import Source, encode
from vault_memory.notes.text import MAX_NOTE_BYTES


def note_of(text: str, path: str = "a/Note.md") -> Note:
    return decode(path, text.encode())


def texts(note: Note) -> list[str]:
    return [unit.text for unit in note.units]


def rules(note: Note) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in note.findings]


@pytest.mark.parametrize(
    ("written", "kind", "type_"),
    [
        ("tool", "entity", "tool"),
        ("entity", "entity", "concept"),
        ("relation", "relation", "relation"),
        ("conversation", "conversation", "conversation"),
        ("source", "source", "source"),
        ("meeting", "note", "note"),
        ("Tool", "note", "note"),
        ("[tool]", "note", "note"),
        ("", "note", "note"),
    ],
)
def test_the_kind_of_a_note_is_its_type(written: str, kind: str, type_: str) -> None:
    note = note_of(f"---\ntype: {written}\n---\nheron\n", "anywhere/at/All.md")

    assert (note.kind, note.type, note.name) == (kind, type_, "All")


def test_a_persons_note_is_read_by_its_sections() -> None:
    note = note_of(
        "---\naliases: [Trip, 2026]\ncreated: 2026-03-01\nsee: '[[Map]]'\n---\n# Norway\nfjords\n\n"
        "## Food\nfish at [[Bergen]]\n### Drinks\nakvavit\n",
        "trips/norway.md",
    )

    assert (note.kind, note.name, note.title, note.id) == ("note", "norway", "Norway", "")
    assert note.aliases == ("Trip", "2026")
    assert note.standing is None
    assert [(unit.anchor, unit.line, unit.text, unit.date) for unit in note.units] == [
        ("Norway", 7, "Norway: fjords", "2026-03-01"),
        ("Food", 10, "Norway > Food: fish at [[Bergen]]", "2026-03-01"),
        ("Drinks", 12, "Norway > Food > Drinks: akvavit", "2026-03-01"),
    ]
    assert [(link.target, link.line) for link in note.links] == [("Map", 4), ("Bergen", 10)]


def test_values_are_the_text_that_a_person_sees() -> None:
    note = note_of(
        "---\ntitle: 2026-03-01\ncreated: 2026-03-01\nmodified: 2026-03-01T09:05:28-06:00\n"
        "aliases: [1.0, 2026-03-01, no]\n---\nNorway trip.\n",
        "2026-03-01.md",
    )

    assert (note.name, note.title) == ("2026-03-01", "2026-03-01")
    assert note.aliases == ("1.0", "2026-03-01", "no")
    assert note.updated == "2026-03-01T09:05:28-06:00"
    assert texts(note) == ["2026-03-01: Norway trip."]
    assert note.findings == ()


def test_a_daily_note_is_of_the_day_it_is_named_by() -> None:
    assert [unit.date for unit in note_of("x", "2026-03-01.md").units] == ["2026-03-01"]
    assert [unit.date for unit in note_of("x", "March.md").units] == [""]


@pytest.mark.parametrize("text", ["", "\n\n", "# Title\n", "---\ntitle: Title\n---\n", "---\n---"])
def test_an_empty_note_is_found_by_its_name(text: str) -> None:
    note = note_of(text, "Empty.md")

    assert texts(note) == ["Title" if "Title" in text else "Empty"]


def test_long_text_is_cut_into_pieces() -> None:
    note = note_of("# T\n" + "A sentence of words. " * 200)

    assert len(note.units) > 2
    assert all(unit.text.startswith("T: A sentence") for unit in note.units)
    assert all(len(unit.text) <= 1003 for unit in note.units)


def test_the_region_of_a_conflict_is_left_out_and_told() -> None:
    note = note_of("# T\nkept\n\n<<<<<<< a\nmine\n=======\n[[theirs]]\n>>>>>>> b\n\nalso kept\n")

    assert texts(note) == ["T: kept\n\n" + note.units[0].text.partition("kept\n\n")[2]]
    assert not any("mine" in text or "theirs" in text for text in texts(note))
    assert "also kept" in texts(note)[-1]
    assert note.links == ()
    assert rules(note) == [("conflict-markers", 4)]


def test_a_conflict_in_the_frontmatter_is_told_once() -> None:
    note = note_of("---\na: 1\n<<<<<<< a\nb: 1\n=======\nb: 2\n>>>>>>> b\n---\ntext\n")

    assert rules(note) == [("frontmatter-conflict", 3)]
    assert texts(note) == ["Note: text"]


def test_frontmatter_that_does_not_parse_costs_only_itself() -> None:
    note = note_of("---\na: [1\ntype: tool\n---\nheron [[Dani]]\n")

    assert note.kind == "note"
    assert texts(note) == ["Note: heron [[Dani]]"]
    assert [link.target for link in note.links] == ["Dani"]
    assert note.findings[0].severity == "error"


def test_bytes_that_are_not_utf8_are_told_and_the_rest_is_read() -> None:
    note = decode("caf\udce9.md", b"---\ntitle: a\n---\nfine\ncaf\xe9 [[x\xe9]]\n")

    assert note.name == "caf\ufffd"
    assert note.path == "caf\udce9.md"
    assert texts(note) == ["a: fine\ncaf\ufffd [[x\ufffd]]"]
    assert rules(note) == [("not-utf8", 5)]


def test_a_note_that_is_too_large_is_its_name_and_a_finding() -> None:
    note = decode("a/Big.md", b"x" * (MAX_NOTE_BYTES + 1))

    assert texts(note) == ["Big"]
    assert rules(note) == [("note-too-large", 0)]


def test_a_conversation_is_read_by_turns() -> None:
    note = note_of(
        '---\ntype: conversation\ndate: "2026-03-06T10:30:00Z"\nsession_id: "abc"\ntitle: "JWT"\n'
        "---\n# Conversation 005\n\n## Summary\nWhat was done.\n\n"
        "### User\n10:30 ^t-1a2b3c4d5e6f\n\nuse JWT, \\[\\[not a link]]\n\n"
        "### Assistant\n10:31 ^t-77aa01f2b3c4\n\n> [!tool]- Read `auth.py`\n> ```\n> code\n> ```\n",
        "conversations/conversation-005.md",
    )

    assert (note.name, note.title, note.session) == ("conversation-005", "JWT", "abc")
    assert note.abstract == "What was done."
    assert note.links == ()
    assert [(unit.kind, unit.anchor, unit.speaker, unit.text) for unit in note.units] == [
        ("turn", "^t-1a2b3c4d5e6f", "User", "User: use JWT, [[not a link]]"),
        ("turn", "^t-77aa01f2b3c4", "Assistant", "Assistant: Read `auth.py`"),
    ]
    assert [unit.date for unit in note.units] == ["2026-03-06T10:30Z", "2026-03-06T10:31Z"]
    assert note.findings == ()


def test_a_conversation_in_which_nobody_speaks_is_its_title_and_summary() -> None:
    note = note_of("---\ntype: conversation\n---\n## Summary\nNothing.\n", "conversation-006.md")

    assert texts(note) == ["conversation-006: Nothing."]
    assert rules(note) == [("session-id-missing", 1)]


def test_a_source_is_kept_whole_and_read_by_sections() -> None:
    source = Source(
        source_id="9b1d02e7c4a1",
        title="JWT: a guide #1",
        origin="https://example.org/jwt",
        provenance="external",
        ingested="2026-03-06",
        text="\ufeffintro\r\n\r\n## Use\r\nsign it",
    )

    text = encode(source)
    note = note_of(text, "sources/JWT- a guide -1.md")

    assert text == (
        '---\ntype: source\nsource_id: "9b1d02e7c4a1"\ntitle: "JWT: a guide #1"\n'
        'origin: "https://example.org/jwt"\nprovenance: external\ningested: 2026-03-06\n'
        "updated: 2026-03-06\n---\n# JWT: a guide \\#1\n\nintro\n\n## Use\nsign it\n"
    )
    assert (note.kind, note.session, note.title) == ("source", "9b1d02e7c4a1", "JWT: a guide #1")
    assert texts(note) == ["JWT: a guide #1: intro", "JWT: a guide #1 > Use: sign it"]
    assert {unit.kind for unit in note.units} == {"source"}
    assert note.findings == ()


def test_a_source_without_its_id_is_a_finding() -> None:
    assert rules(note_of("---\ntype: source\n---\n")) == [("source-id-missing", 1)]


KINDS = st.sampled_from([*TYPES, "entity", "relation", "conversation", "source", "note", ""])
HEADS = ["id: x", "from: [", "to: {}", "rel: 1", "alpha: ~", "confidence: 9", "<<<<<<< a", "\t"]
BODIES = ["=======", ">>>>>>> b", "---", "## Evidence", "- 2026", "```", "%%", "[[a", "### User"]
ODD = st.sampled_from([*HEADS, *BODIES, "10:30 ^t-"])
LINES = st.lists(st.one_of(ODD, st.text(max_size=20)), max_size=10)


@given(KINDS, LINES, st.lists(ODD, max_size=5))
def test_whatever_a_note_holds_it_is_read(kind: str, body: list[str], head: list[str]) -> None:
    text = "\n".join(["---", f"type: {kind}", *head, "---", *body])
    data = text.encode("utf-8", "surrogatepass")

    note = decode("x.md", data)

    assert note.units
    for unit in note.units:
        unit.text.encode()
        assert 1 <= unit.line <= text.count("\n") + 1
    assert all(0 <= finding.line <= text.count("\n") + 1 for finding in note.findings)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_note(data: bytes) -> None:
    note = decode("x.md", data)

    assert note.units
    for link in note.links:
        link.target.encode()


def test_a_link_to_bytes_that_are_no_text_can_be_written_anywhere() -> None:
    (link,) = decode("a.md", b"[x](%FF.md#%FE)").links

    assert (link.target, link.anchor) == ("\ufffd.md", "\ufffd")


def test_what_lies_deeper_in_evidence_is_no_text_of_its_own() -> None:
    note = decode("a.md", b"---\ntype: tool\n---\n## Evidence\n### Older\nold\n## After\nnew\n")

    assert [unit.text for unit in note.units] == ["a > After: new"]


@pytest.mark.parametrize("head", ["", '---\ntype: source\nsource_id: "aa"\n---\n'])
def test_a_section_called_evidence_is_text_where_there_is_no_belief(head: str) -> None:
    note = note_of(f"{head}# Study\n\n## Evidence\nFerries are slow: [[Harbour]].\n")

    assert texts(note) == ["Study > Evidence: Ferries are slow: [[Harbour]]."]
    assert [link.target for link in note.links] == ["Harbour"]


@pytest.mark.parametrize("more", [0, 1])
def test_a_note_is_read_up_to_eight_mebibytes(more: int) -> None:
    note = decode("a.md", b"x" + b" " * (8 * 1024 * 1024 - 1 + more))

    assert [finding.rule for finding in note.findings] == ["note-too-large"][:more]


@pytest.mark.parametrize("more", [0, 1])
def test_frontmatter_is_read_up_to_two_hundred_and_fifty_six_kibibytes(more: int) -> None:
    keys = "type: tool\n"
    comment = "#" * (256 * 1024 - len(keys) - 1 + more) + "\n"

    note = note_of(f"---\n{keys}{comment}---\n")

    assert [finding.rule for finding in note.findings] == ["frontmatter-too-large"][:more]
    assert note.type == ("note" if more else "tool")


def test_the_id_of_a_source_is_quoted_whatever_it_is() -> None:
    text = encode(Source("abcdefabcdef", "T", "a.md", "external", "2026-03-06", "x"))

    assert text.startswith('---\ntype: source\nsource_id: "abcdefabcdef"\n')

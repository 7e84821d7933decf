"""A confidence edited by hand becomes evidence in the note, and only then is it a cache again."""

from vault_memory.core.evidence import new_line
from vault_memory.core.identity import origin_key
from vault_memory.notes.adopt import Adopted, adopt_edit
from vault_memory.notes.belief_note import observe, settle
from vault_memory.notes.decode import decode
from vault_memory.notes.evidence_lines import read_evidence

NOTE = observe(
    "---\r\ntype: tool\r\n---\r\nheron\r\n",
    [new_line("abc", date="2026-03-06", quote="said")],
)
KEY = origin_key("edit:ana")


def adopted(text: str) -> Adopted:
    return adopt_edit(text, person="ana", date="2026-04-01", path="x.md")


def edited(text: str, confidence: str) -> str:
    before = next(line for line in text.splitlines() if line.startswith("confidence:"))
    return text.replace(before, f"confidence: {confidence}")


def test_a_note_nobody_edited_stays_as_it_is() -> None:
    assert adopted(NOTE) == Adopted(NOTE)
    assert adopted(NOTE.replace("alpha: 9.8", "alpha: 12")).text == NOTE.replace(
        "alpha: 9.8", "alpha: 12"
    )
    assert adopted("---\ntype: tool\nconfidence: 0.2\n---\n").text == (
        "---\ntype: tool\nconfidence: 0.2\n---\n"
    )


def test_an_edit_becomes_one_human_line() -> None:
    result = adopted(edited(NOTE, "0.6"))

    assert result.notice == ""
    assert "confidence: 0.6\r\n" in result.text
    assert "beta: 6.5333\r\n" in result.text
    assert "updated: 2026-04-01\r\n" in result.text
    line = read_evidence(result.text, 0).lines[-1]
    assert (line.origin, line.polarity, line.provenance) == (KEY, "contradicts", "human")
    assert decode("x.md", result.text.encode()).findings == ()
    assert settle(result.text) == result.text


def test_a_second_edit_takes_the_place_of_the_first() -> None:
    once = adopted(edited(NOTE, "0.6")).text

    twice = adopted(edited(once, "0.95")).text

    assert [line.origin for line in read_evidence(twice, 0).lines].count(KEY) == 1
    assert twice == adopted(edited(NOTE, "0.95")).text


def test_an_edit_back_to_what_the_evidence_gives_leaves_no_line() -> None:
    once = adopted(edited(NOTE, "0.6")).text

    back = adopted(edited(once, "0.9074")).text

    assert len(read_evidence(back, 0).lines) == 1
    assert sorted(back.splitlines()) == sorted(NOTE.splitlines())


def test_the_older_edit_goes_with_its_own_line_end() -> None:
    once = adopted(edited(NOTE.replace("\r\n", "\n"), "0.6")).text + "\nmore\n"

    twice = adopted(edited(once, "0.5")).text

    assert len(read_evidence(twice, 0).lines) == 2
    assert twice.endswith("\n\nmore\n")


def test_what_falls_short_is_said() -> None:
    result = adopted(edited(NOTE, "1"))

    assert result.notice.startswith("confidence 1 was adopted as 0.9")
    assert decode("x.md", result.text.encode()).findings == ()


def test_a_missing_final_newline_stays_missing() -> None:
    for newline in ("\n", "\r\n"):
        note = NOTE.replace("\r\n", newline).rstrip()
        once = adopted(edited(note, "0.6")).text
        twice = adopted(edited(once, "0.95")).text

        assert once == adopted(edited(NOTE, "0.6")).text.replace("\r\n", newline).rstrip()
        assert twice == adopted(edited(NOTE, "0.95")).text.replace("\r\n", newline).rstrip()
        assert adopted(edited(note + newline, "0.6")).text == once + newline

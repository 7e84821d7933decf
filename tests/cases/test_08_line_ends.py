"""Reported: line ends, blanks after a fence or a missing last newline hide the frontmatter."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, contents

NOTES = {
    "crlf": b"---\r\ntype: tool\r\nconfidence: 0.5\r\n---\r\nbody\r\n",
    "cr": b"---\rtype: tool\rconfidence: 0.5\r---\rbody\r",
    "end": b"---\ntype: tool\nconfidence: 0.5\n---",
    "end of crlf": b"---\r\ntype: tool\r\nconfidence: 0.5\r\n---",
    "blanks": b"--- \ntype: tool\nconfidence: 0.5\n---\t \nbody",
    "mixed": b"---\r\ntype: tool\nconfidence: 0.5\r\n---\nbody\r\nmore\n",
    "other mix": b"---\ntype: tool\r\nconfidence: 0.5\n---\r\nbody\nmore",
    "no body": b"---\ntype: tool\nconfidence: 0.5\n---\n",
}


def newline_of(data: bytes) -> bytes:
    first = data.splitlines(keepends=True)[0]
    return first[len(first.rstrip()) :].lstrip(b" \t")


@pytest.mark.parametrize("name", NOTES)
def test_every_note_gives_its_type_and_confidence(holding: Holding, name: str) -> None:
    shell = holding({f"{name}.md": NOTES[name]})

    [entity] = shell.ask("graph", "list")["entities"]

    assert (entity["name"], entity["type"]) == (name, "tool")
    assert entity["belief"]["confidence"] == 0.5
    assert shell.run("check").exit_code == 0


@pytest.mark.parametrize("name", NOTES)
def test_a_write_keeps_every_line_end_and_a_missing_last_one(holding: Holding, name: str) -> None:
    before = NOTES[name]
    shell = holding({f"{name}.md": before})

    shell.ask("graph", "observe", name)

    after = contents(shell.folder)[f"{name}.md"]
    changed = changed_lines(before, after)
    ends = {line[len(line.rstrip(b"\r\n")) :] for line in changed.added[:-1]}
    own = newline_of(before)
    assert changed.removed[0] == before.splitlines(keepends=True)[2]
    assert changed.removed[1:] == ([before.splitlines()[-1]] if not after.endswith(own) else [])
    assert ends <= {own, changed.removed[0][len(changed.removed[0].rstrip()) :]}
    assert after.endswith((b"\n", b"\r")) is before.endswith((b"\n", b"\r"))
    assert len(after.split(b"---")) == 3
    assert shell.ask("graph", "show", name)["belief"]["alpha"] == 5.8


def test_the_reported_notes(given: Given) -> None:
    shell = given(8, init=True)
    before = contents(shell.folder)
    names = ["crlf", "eof", "mixed", "trailing"]

    listed = shell.ask("graph", "list")["entities"]
    for name in names:
        shell.ask("graph", "observe", name)

    assert [one["name"] for one in listed] == names
    assert {one["belief"]["confidence"] for one in listed} == {0.5}
    after = contents(shell.folder)
    for name in names:
        changed = changed_lines(before[f"{name}.md"], after[f"{name}.md"])
        assert changed.removed[0].rstrip() == b"confidence: 0.5"
        assert {line.rstrip() for line in changed.removed[1:]} <= {b"---", b"body"}
    assert after["crlf.md"].count(b"\n") == after["crlf.md"].count(b"\r\n")
    assert not after["eof.md"].endswith(b"\n")
    assert not after["trailing.md"].endswith(b"\n")

"""Reported: editing one key sorts keys, drops comments and rewrites quotes and lists."""

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, contents, git

NOTE = """\
---
# who this is
zeta: last but first
type: person   # one of 17
abstract: 'Pilot of the harbour'   # shown
tags:
  - person
  - "team/core"

  # between items
  -   loose
aliases: [Nadia,   "N. Ferro"]


confidence: 0.9   # as of spring
alpha:    9
beta:  1
prior: 'explicit'
long: "a long line that a dumper set to eighty columns would fold into two lines and so"
quote: |
  keeps
    its indent

folded: >-
  one
  line
nested:
    deep: {a: 1,b: 2}
    list:
    - x
'a key': 1
# the last word
---
Text.
"""


def test_an_observation_changes_its_own_lines_and_no_other(holding: Holding) -> None:
    shell = holding({"people/Nadia Ferro.md": NOTE})

    shell.ask("graph", "observe", "nadia")

    changed = changed_lines(NOTE.encode(), (shell.folder / "people/Nadia Ferro.md").read_bytes())
    assert changed.removed == [b"confidence: 0.9   # as of spring\n", b"alpha:    9\n"]
    assert changed.added == [
        b'id: "aded694fcd48"\n',
        b"confidence: 0.9074   # as of spring\n",
        b"alpha:    9.8\n",
        b"provenance: human\n",
        b"created: 2026-03-12\n",
        b"updated: 2026-03-12\n",
        b"\n",
        b"## Evidence\n",
        b"- 2026-03-12 supports human 0.8 (s:327fbb63f24b) ^63f8d540ac9d\n",
    ]


def test_one_key_is_a_diff_of_one_line(holding: Holding) -> None:
    shell = holding({"people/Nadia Ferro.md": NOTE})
    words = ("--name", "Nadia Ferro", "--type", "person", "--abstract", "Pilot of the harbour")
    shell.ask("graph", "add-entity", *words)
    before = contents(shell.folder)["people/Nadia Ferro.md"]

    shell.ask("graph", "add-entity", *words[:-1], "She guides ships", "--update")

    changed = changed_lines(before, contents(shell.folder)["people/Nadia Ferro.md"])
    assert changed.removed == [b"abstract: 'Pilot of the harbour'   # shown\n"]
    assert changed.added == [b"abstract: 'She guides ships'   # shown\n"]


def test_what_says_the_same_already_keeps_its_bytes(holding: Holding) -> None:
    shell = holding({"people/Nadia Ferro.md": NOTE})
    shell.ask("graph", "observe", "Nadia")
    git(shell.folder, "init", "-q")
    git(shell.folder, "add", "-A")
    git(shell.folder, "commit", "-qm", "all")

    shell.ask("graph", "observe", "Nadia")
    shell.ask("check", "--fix")
    shell.ask("rebuild")

    assert git(shell.folder, "status", "--porcelain") == ""


def test_the_reported_note_is_left_alone_and_keeps_its_form(given: Given) -> None:
    shell = given(2, init=True)
    note = shell.folder / "entities" / "nadia.md"
    before = note.read_bytes()

    assert shell.run("graph", "observe", "nadia").exit_code == 3
    assert note.read_bytes() == before

    typed = before.replace(b"zeta:", b"type: person\nzeta:")
    note.write_bytes(typed)
    shell.ask("graph", "observe", "N. Ferro")
    changed = changed_lines(typed, note.read_bytes())
    assert changed.removed == [b"confidence: 0.8\n", b"alpha: 8.0\n"]

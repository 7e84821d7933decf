"""Reported: of a key that stands twice only the last counts, and quoted keys are broken."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, contents, findings

TWICE = """\
---
type: tool
abstract: Kite of silk.
aliases: [Silk]
confidence: 0.9
alpha: 9
beta: 1
aliases:
  - Red one
---
"""
QUOTED = """\
---
"type": tool
'abstract': "Kite of silk."
"x:key": abc
"confidence": 0.9
'alpha': 9
beta: 1
"prior" : explicit
"# no comment": 1
---
"""
VERBS = [
    ("graph", "observe", "Kite"),
    ("graph", "observe", "Red one"),
    (
        *("graph", "add-entity", "--name", "Kite", "--type", "tool", "--update"),
        *("--abstract", "Another."),
    ),
    ("graph", "relate", "Kite", "--rel", "flies_in", "--target", "Wind"),
    ("graph", "relate", "Wind", "--rel", "lifts", "--target", "Kite"),
]


def test_of_a_key_that_stands_twice_no_value_is_lost(holding: Holding) -> None:
    shell = holding({"Kite.md": TWICE})

    shown = [shell.ask("graph", "show", name) for name in ("Silk", "Red one")]

    assert [one["path"] for one in shown] == ["Kite.md", "Kite.md"]
    assert findings(shell) == [("Kite.md", 8, "frontmatter-duplicate-key")]
    [told] = shell.run("check").out.splitlines()
    assert "'aliases' stands here and in line 4" in told


@pytest.mark.parametrize("words", VERBS)
def test_nothing_writes_before_a_person_chose(holding: Holding, words: tuple[str, ...]) -> None:
    shell = holding({"Kite.md": TWICE, "Wind.md": "---\ntype: concept\n---\n"})
    before = contents(shell.folder)

    answer = shell.run("--json", *words)

    assert (answer.exit_code, answer.error["code"]) == (1, "bad_note")
    assert answer.error["error"].startswith("Kite.md:8:1: ")
    assert contents(shell.folder) == before
    assert shell.run("check", "--fix").exit_code == 4
    assert contents(shell.folder) == before


def test_quoted_keys_stay_quoted(holding: Holding) -> None:
    shell = holding({"Kite.md": QUOTED})

    shell.ask("graph", "observe", "Kite")

    changed = changed_lines(QUOTED.encode(), contents(shell.folder)["Kite.md"])
    assert changed.removed == [b'"confidence": 0.9\n', b"'alpha': 9\n"]
    assert changed.added[1:3] == [b'"confidence": 0.9074\n', b"'alpha': 9.8\n"]
    assert shell.run("check").exit_code == 0


def test_the_reported_note(given: Given) -> None:
    shell = given(6, init=True)
    note = shell.folder / "dup.md"

    assert findings(shell) == [("dup.md", 5, "frontmatter-duplicate-key")]

    note.write_bytes(note.read_bytes().replace(b"name:", b"type: tool\nname:"))
    before = contents(shell.folder)
    refused = shell.run("graph", "observe", "dup")
    assert refused.exit_code == 1
    assert refused.err.startswith("dup.md:6:1: ")
    assert contents(shell.folder) == before

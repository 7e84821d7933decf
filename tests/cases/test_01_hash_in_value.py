"""Reported: a rewrite of frontmatter drops everything after `` #`` in a plain value."""

import yaml

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, findings
from tests.command import Shell

NOTE = """\
---
type: project
abstract: Ferry that carries the mail
confidence: 0.80
alpha: 8.0
beta: 2.0
released: after #812 and #815 landed
first: "#812 first"
anchor: page#top
list: [a, b] # two
x-crew: {deck: emea, engine: 2}
---
# Mail boat

Rolls.
"""
VERBS = {
    "observe": ("graph", "observe", "Mail boat"),
    "add-entity": (
        *("graph", "add-entity", "--name", "Mail boat", "--type", "project", "--update"),
        *("--abstract", "Boat with #3 on its bow"),
    ),
    "relate": ("graph", "relate", "Mail boat", "--rel", "calls_at", "--target", "Pier"),
    "check": ("check", "--fix"),
}
OWN = (
    b'id: "',
    b"abstract: ",
    b"confidence: ",
    b"alpha: ",
    b"beta: ",
    b"prior: ",
    b"provenance: ",
    b"created: ",
    b"updated: ",
)


def harbour(holding: Holding) -> Shell:
    pier = "---\ntype: concept\nabstract: Where boats lie.\n---\n"
    return holding({"Mail boat.md": NOTE, "Pier.md": pier})


def test_writing_changes_only_lines_of_the_tool(holding: Holding) -> None:
    shell = harbour(holding)
    note = shell.folder / "Mail boat.md"

    for words in VERBS.values():
        assert shell.run(*words).exit_code in {0, 4}

    changed = changed_lines(NOTE.encode(), note.read_bytes())
    head, _, evidence = b"".join(changed.added).partition(b"\n## Evidence\n")
    assert changed.removed == [
        b"abstract: Ferry that carries the mail\n",
        b"confidence: 0.80\n",
        b"alpha: 8.0\n",
    ]
    assert all(line.startswith(OWN) for line in head.splitlines())
    assert evidence.startswith(b"- 2026-03-12 supports human 0.8 ")


def test_what_the_tool_writes_itself_is_quoted(holding: Holding) -> None:
    shell = harbour(holding)

    shell.ask(*VERBS["add-entity"])

    text = (shell.folder / "Mail boat.md").read_text()
    assert 'abstract: "Boat with #3 on its bow"\n' in text
    assert yaml.safe_load(text.split("---\n")[1])["abstract"] == "Boat with #3 on its bow"
    assert shell.ask("graph", "show", "Mail boat")["abstract"] == "Boat with #3 on its bow"


def test_a_value_that_ends_at_a_hash_is_told_with_its_line(holding: Holding) -> None:
    shell = harbour(holding)

    assert findings(shell) == [("Mail boat.md", 7, "frontmatter-comment")]


def test_the_reported_note_keeps_its_text(given: Given) -> None:
    shell = given(1, init=True)
    note = shell.folder / "entities" / "release-train.md"
    before = note.read_bytes()

    assert findings(shell) == [("entities/release-train.md", 7, "frontmatter-comment")]
    for words in (("observe", "Release Train"), ("relate", "Release Train", *["--rel", "x"])):
        target = ("--target", "MEMORY") if words[0] == "relate" else ()
        shell.ask("graph", *words, *target)

    changed = changed_lines(before, note.read_bytes())
    assert changed.removed == [b"confidence: 0.80\n", b"alpha: 8.0\n"]
    assert b"#812" not in b"".join(changed.added)

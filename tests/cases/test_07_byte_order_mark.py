"""Reported: a byte order mark hides the frontmatter, and a writer puts a second block before it."""

from dataclasses import replace

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, contents, write

MARK = b"\xef\xbb\xbf"
NOTE = b"---\ntype: tool\nabstract: Iron hook.\nconfidence: 0.7\nalpha: 7\nbeta: 3\n---\n# Anchor\n"


def test_a_mark_changes_nothing_of_what_is_read(holding: Holding) -> None:
    shell = holding({"Anchor.md": NOTE})
    plain = shell.ask("graph", "show", "Anchor")

    write(shell.folder, {"Anchor.md": MARK + NOTE})

    assert shell.ask("graph", "show", "Anchor") == plain
    assert shell.run("check").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("graph", "observe", "Anchor"),
        (
            *("graph", "add-entity", "--name", "anchor", "--type", "tool", "--update"),
            *("--abstract", "Heavy hook."),
        ),
    ],
)
def test_a_write_keeps_the_mark_and_the_one_block(holding: Holding, words: tuple[str, ...]) -> None:
    shell = holding({"Anchor.md": MARK + NOTE})

    shell.ask(*words)

    after = contents(shell.folder)["Anchor.md"]
    assert after.startswith(MARK + b"---\n")
    assert after.count(b"---\n") == 2
    assert after.count(MARK) == 1
    assert changed_lines(MARK + NOTE, after).removed[-2:] == [b"confidence: 0.7\n", b"alpha: 7\n"]


def test_the_mark_of_a_note_without_frontmatter_is_no_text(holding: Holding) -> None:
    shell = holding({"Plain.md": MARK + b"# Harbour wall\n\nStone.\n"})

    [hit] = shell.ask("graph", "search", "--kind", "note", "--limit", "1", "harbour wall")["hits"]

    assert hit["path"] == "Plain.md"
    assert "\ufeff" not in hit["text"]


def test_the_reported_note(given: Given) -> None:
    shell = given(7, init=True)
    before = (shell.folder / "Bom.md").read_bytes()

    shown = shell.ask("graph", "show", "Bom")
    shell.ask("graph", "observe", "Bom")

    after = (shell.folder / "Bom.md").read_bytes()
    assert (shown["belief"]["alpha"], shown["belief"]["beta"]) == (7.0, 3.0)
    assert after[:3] == MARK
    assert after.count(b"\n---") == before.count(b"\n---") == 1
    assert replace(shell, environ={}).ask("graph", "show", "Bom")["belief"]["alpha"] == 7.8

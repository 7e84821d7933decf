"""Reported: empty notes win every query or crash, and what lies late in a huge one is not found."""

import math
from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths
from tests.command import Shell

EMPTY = {
    "nothing.md": "",
    "blank.md": "\n\n  \n",
    "newline.md": "\n",
    "bom.md": "\ufeff",
    "head.md": "---\nmood: calm\n---\n",
    "fences.md": "---\n---\n",
    "fence.md": "---\n",
    "comment.md": "%% hidden %%\n",
    "title.md": "# \n",
    "entity.md": "---\ntype: tool\n---\n",
    "relation.md": "---\ntype: relation\n---\n",
    "conversation.md": "---\ntype: conversation\n---\n",
    "source.md": "---\ntype: source\n---\n",
    "\N{ROCKET}.md": "",
}
PLAIN = "plain words about boats and ropes. "
LINES = "Plain words about boats and ropes, line after line.\n"


def huge(size: int, unit: str = PLAIN) -> str:
    """Text of that many bytes that says something else at its end."""
    return unit * (size // len(unit)) + "\n\nthe kittiwake nests here\n"


def test_an_empty_note_is_found_by_its_name_and_wins_nothing_else(holding: Holding) -> None:
    shell = holding(EMPTY | {"Heron.md": "A grey heron stands in the shallow water.\n"})

    rebuilt = shell.ask("rebuild")
    hits = shell.ask("graph", "search", "--kind", "all", "--limit", "50", "grey bird in water")

    assert rebuilt["notes"]["added"] == len(EMPTY) + 2
    assert hits["hits"][0]["path"] == "Heron.md"
    assert all(math.isfinite(hit["score"]) for hit in hits["hits"])
    assert all(0 <= hit["score"] <= hits["hits"][0]["score"] for hit in hits["hits"])
    for path in ("nothing.md", "blank.md", "head.md", "entity.md"):
        assert found_paths(shell, path.removesuffix(".md"))[0] == path
    assert shell.ask("status")["index"]["digest"]
    assert findings(shell) == [
        ("conversation.md", 1, "session-id-missing"),
        ("relation.md", 1, "relation-end-missing"),
        ("relation.md", 1, "relation-end-missing"),
        ("relation.md", 1, "relation-verb-missing"),
        ("source.md", 1, "source-id-missing"),
    ]


def test_a_vault_of_empty_notes_alone_answers(holding: Holding) -> None:
    shell = holding(dict.fromkeys(EMPTY, ""))
    before = contents(shell.folder)

    assert shell.run("rebuild").exit_code == 0
    for words in (("graph", "search"), ("graph", "query", "--episodes"), ("search",)):
        assert shell.run(*words, "anything").exit_code == 0
    assert shell.run("check").exit_code == 0
    assert contents(shell.folder) == before


@pytest.mark.parametrize(("unit", "line"), [(PLAIN, 3), (LINES, None)])
def test_what_stands_at_the_end_of_a_huge_note_is_found(
    holding: Holding, unit: str, line: int | None
) -> None:
    text = huge(2_000_000, unit)
    shell = holding({"big.md": text, "Pier.md": "Wood.\n"})

    shell.ask("rebuild")
    [hit] = shell.ask("graph", "search", "--kind", "note", "--limit", "1", "kittiwake")["hits"]

    assert hit["path"] == "big.md"
    assert "the kittiwake nests here" in hit["text"]
    assert hit["line"] <= (line or text.count("\n"))
    assert set(hit["found_by"]) >= {"lexical"}


def test_units_grow_with_the_text_and_no_faster(holding: Holding) -> None:
    shell = holding({"big.md": huge(200_000)})
    once = shell.ask("rebuild")["units"]

    (shell.folder / "big.md").write_text(huge(400_000))
    twice = shell.ask("rebuild")["units"]

    assert 1.9 < twice / once < 2.1


def test_a_note_over_the_bound_costs_itself_alone(holding: Holding) -> None:
    shell = holding({"over.md": "x" * (8 * 1024 * 1024 + 1), "Heron.md": "A grey heron.\n"})

    rebuilt = shell.ask("rebuild")

    assert [(one["path"], one["rule"]) for one in rebuilt["findings"]] == [
        ("over.md", "note-too-large")
    ]
    assert found_paths(shell, "grey heron")[0] == "Heron.md"
    assert found_paths(shell, "over")[0] == "over.md"


def made_big(shell: Shell) -> Path:
    big = shell.folder / "big.md"
    big.write_text(PLAIN * 60_000 + "\n\nthe kittiwake nests here\n")
    return big


def test_the_reported_notes(given: Given) -> None:
    shell = given(46)
    made_big(shell)

    rebuilt = shell.ask("rebuild")

    assert rebuilt["notes"]["added"] == 4
    assert found_paths(shell, "kittiwake")[0] == "big.md"
    for name in ("empty", "blank", "fmonly"):
        assert found_paths(shell, name)[0] == f"{name}.md"
    assert findings(shell) == []

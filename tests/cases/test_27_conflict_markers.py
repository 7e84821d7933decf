"""Reported: a note with conflict markers is read as if it were whole, or rewritten."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths, git
from tests.command import Shell

SIDES = "<<<<<<< HEAD\n{}\n||||||| base\n{}\n=======\n{}\n>>>>>>> laptop\n"
HEAD = "---\ntype: tool\nabstract: Rope with a knot.\n"
IN_BODY = f"{HEAD}---\nTop part.\n\n{SIDES.format('crimson', 'pale', 'turquoise')}\nBy [[Pier]].\n"
IN_HEAD = f"{HEAD}{SIDES.format('alpha: 8', 'alpha: 7', 'alpha: 6')}beta: 2\n---\nThe body.\n"
IN_CODE = f"# On merging\n\n```\n{SIDES.format('a', 'b', 'c')}```\n\n    {'<' * 7} HEAD\n"


def test_a_conflict_is_told_with_file_and_line_and_code_is_none(holding: Holding) -> None:
    shell = holding({"a/Body.md": IN_BODY, "Head.md": IN_HEAD, "On merging.md": IN_CODE})

    assert [one for one in findings(shell) if one[2] != "link-unresolved"] == [
        ("Head.md", 4, "frontmatter-conflict"),
        ("a/Body.md", 7, "conflict-markers"),
    ]
    told = {(one["path"], one["line"]) for one in shell.ask("status")["findings"]}
    assert told == {("Head.md", 4), ("a/Body.md", 7)}


def test_both_sides_are_left_out_and_the_rest_is_read(holding: Holding) -> None:
    shell = holding({"Body.md": IN_BODY, "Pier.md": "Wood.\n"})

    hits = shell.ask("graph", "search", "--kind", "all", "crimson turquoise HEAD")["hits"]
    walk = shell.ask("graph", "traverse", "--depth", "1", "Body")

    assert not any("lexical" in hit["found_by"] for hit in hits)
    assert not any("crimson" in hit["text"] or "<<<" in hit["text"] for hit in hits)
    assert found_paths(shell, "top part")[0] == "Body.md"
    assert [edge["to"] for edge in walk["edges"]] == ["Pier"]
    assert shell.ask("graph", "show", "Body")["abstract"] == "Rope with a knot."


@pytest.mark.parametrize("text", [IN_BODY, IN_HEAD])
def test_nothing_writes_to_a_conflicted_note(holding: Holding, text: str) -> None:
    shell = holding({"Knot.md": text, "Pier.md": "---\ntype: concept\n---\n"})
    before = contents(shell.folder)
    add = ("--name", "Knot", "--type", "tool", "--abstract", "Another.", "--update")

    answers = [
        shell.run("--json", "graph", "observe", "Knot"),
        shell.run("--json", "graph", "add-entity", *add),
        shell.run("--json", "graph", "relate", "Knot", "--rel", "at", "--target", "Pier"),
        shell.run("--json", "graph", "relate", "Pier", "--rel", "has", "--target", "Knot"),
    ]

    assert {answer.exit_code for answer in answers} == {1}
    assert {answer.error["code"] for answer in answers} == {"bad_note"}
    assert all(answer.error["error"].startswith("Knot.md:") for answer in answers)
    assert shell.run("check", "--fix").exit_code == 4
    assert shell.run("check", "--adopt").exit_code == 4
    assert contents(shell.folder) == before


def test_reading_leaves_git_clean(holding: Holding) -> None:
    shell = holding({"Body.md": IN_BODY, "Head.md": IN_HEAD})
    git(shell.folder, "init", "-q")
    git(shell.folder, "add", "-A")
    git(shell.folder, "commit", "-qm", "all")

    for words in (
        ("rebuild",),
        ("rebuild", "--full"),
        ("status",),
        ("graph", "search", "rope"),
        ("graph", "query", "--episodes", "rope"),
        ("graph", "traverse", "Body"),
        ("graph", "show", "Head"),
        ("graph", "list"),
        ("search", "rope"),
        ("check",),
    ):
        assert shell.run(*words).exit_code in {0, 4}

    assert git(shell.folder, "status", "--porcelain", "--ignored") == "!! .vaultmem/\n"


def test_two_clones_that_relate_one_entity_merge_without_a_conflict(
    holding: Holding, tmp_path: Path
) -> None:
    notes = {name: f"---\ntype: concept\nabstract: {name}.\n---\n" for name in ("Hub", "A", "B")}
    shell = holding({f"{name}.md": text for name, text in notes.items()})
    git(shell.folder, "init", "-q", "-b", "main")
    git(shell.folder, "add", "-A")
    git(shell.folder, "commit", "-qm", "all")
    git(shell.folder, "clone", "-q", ".", str(tmp_path / "other"))
    other = replace(shell, folder=tmp_path / "other")

    for one, target in ((shell, "A"), (other, "B")):
        one.ask("graph", "relate", "Hub", "--rel", "has", "--target", target)
        git(one.folder, "add", "-A")
        git(one.folder, "commit", "-qm", target)
    git(shell.folder, "pull", "-q", "--no-rebase", "--no-edit", str(other.folder), "main")

    assert findings(shell) == []
    listed = shell.ask("graph", "list")["relations"]
    assert [(one["from"], one["to"]) for one in listed] == [("Hub", "A"), ("Hub", "B")]
    assert (shell.folder / "Hub.md").read_text() == notes["Hub"]


def refused(shell: Shell, name: str) -> bool:
    return shell.run("graph", "observe", name).exit_code != 0


def test_the_reported_notes(given: Given) -> None:
    shell = given(27, init=True)
    before = contents(shell.folder)

    rebuilt = shell.ask("rebuild")
    hits = shell.ask("graph", "search", "--kind", "all", "HEAD laptop")["hits"]

    assert [(one["path"], one["line"]) for one in rebuilt["findings"]] == [("ent.md", 4)]
    assert "ent.md:4: " in shell.run("status").out
    assert not any("lexical" in hit["found_by"] for hit in hits if hit["path"] == "ent.md")
    assert refused(shell, "ent")
    assert contents(shell.folder) == before

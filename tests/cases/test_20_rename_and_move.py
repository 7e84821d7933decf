"""Reported: a note that was moved or renamed by other means comes twice, or loses its belief."""

from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths, git
from tests.command import Shell

HERON = ("--name", "Heron", "--type", "event", "--abstract", "Grey bird that fishes at dusk.")


def aviary(holding: Holding) -> Shell:
    """A vault in git with an entity of the tool, a relation to it and a link to it."""
    shell = holding({"Ref.md": "Saw [[Heron]].\n", "Pond.md": "---\ntype: concept\n---\n"})
    shell.ask("graph", "add-entity", *HERON, "--source", "a walk")
    shell.ask("graph", "relate", "Heron", "--rel", "fishes_in", "--target", "Pond")
    shell.ask("rebuild")
    git(shell.folder, "init", "-q")
    git(shell.folder, "add", "-A")
    git(shell.folder, "commit", "-qm", "all")
    return shell


def move(shell: Shell, old: str, new: str) -> None:
    (shell.folder / new).parent.mkdir(parents=True, exist_ok=True)
    git(shell.folder, "mv", old, new)


@pytest.mark.parametrize("new", ["birds/grey/Heron.md", "heron.md", "Grey heron.md", "x/Ardea.md"])
def test_a_moved_entity_keeps_id_and_belief_and_is_written_where_it_is(
    holding: Holding, new: str
) -> None:
    shell = aviary(holding)
    old = "entities/event/Heron.md"
    before = shell.ask("graph", "show", "Heron")

    move(shell, old, new)
    rebuilt = shell.ask("rebuild")
    found = found_paths(shell, "grey bird that fishes at dusk")
    shown = shell.ask("graph", "show", before["id"])
    observed = shell.ask("graph", "add-entity", *HERON, "--source", "another walk")

    assert (rebuilt["notes"]["added"], rebuilt["notes"]["removed"]) == (1, 1)
    assert found.count(new) == 1
    assert old not in found
    assert (shown["path"], shown["belief"]) == (new, before["belief"])
    assert [line["id"] for line in shown["evidence"]] == [line["id"] for line in before["evidence"]]
    assert (observed["created"], observed["changed"]) == ([], [new])
    assert old not in contents(shell.folder)


@pytest.mark.parametrize("new", ["birds/Heron.md", "heron.md"])
def test_a_moved_entity_keeps_its_edges(holding: Holding, new: str) -> None:
    shell = aviary(holding)

    move(shell, "entities/event/Heron.md", new)
    shell.ask("rebuild")

    edges = shell.ask("graph", "traverse", "--depth", "1", "Heron")["edges"]
    assert {(edge["direction"], edge["rel"]) for edge in edges} == {
        ("out", "fishes_in"),
        ("in", "links_to"),
    }
    assert findings(shell) == []


def test_a_text_that_moved_is_not_embedded_again(holding: Holding) -> None:
    shell = aviary(holding)

    move(shell, "entities/event/Heron.md", "birds/Heron.md")
    move(shell, "Ref.md", "diary/Ref.md")
    rebuilt = shell.ask("rebuild")

    assert rebuilt["embedded"] == 0


def test_a_moved_relation_and_folder_stay_what_they_are(holding: Holding) -> None:
    shell = aviary(holding)
    relation = "relations/Heron fishes_in Pond.md"
    before = shell.ask("graph", "show", "Heron", "fishes_in", "Pond")

    move(shell, relation, "links/One.md")
    move(shell, "entities", "things")
    words = ("relate", "Heron", "--rel", "fishes_in", "--target", "Pond", "--source", "a book")
    observed = shell.ask("graph", *words)

    assert observed["changed"] == ["links/One.md"]
    assert shell.ask("graph", "show", before["id"])["path"] == "links/One.md"
    assert shell.ask("graph", "show", "Heron")["path"] == "things/event/Heron.md"
    assert not Path(shell.folder, "entities").exists()


def test_the_reported_notes(given: Given) -> None:
    shell = given(20, init=True)
    git(shell.folder, "init", "-q")
    git(shell.folder, "add", "-A")
    shell.ask("rebuild")

    move(shell, "Old.md", "sub/New.md")
    shell.ask("rebuild")
    [hit] = shell.ask("graph", "search", "heron")["hits"]
    words = ("--name", "Old", "--type", "concept", "--abstract", "A heron.")
    [edge] = shell.ask("graph", "traverse", "Ref")["edges"]
    added = shell.ask("graph", "add-entity", *words)

    assert (hit["path"], hit["belief"]["alpha"]) == ("sub/New.md", 9.0)
    assert edge["to_path"] == "sub/New.md"
    assert (added["created"], added["changed"]) == ([], ["sub/New.md"])
    text = contents(shell.folder)["sub/New.md"]
    assert text.startswith(b"---\nid: ent-0001\nname: Old\n")
    assert added["belief"]["alpha"] == 9.8

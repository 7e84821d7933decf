"""Reported: deleted notes stay in the index, take the places of live ones, or crash on open."""

import shutil

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import found_paths

BIRDS = {f"bird-{n}.md": f"Pelican number {n} sleeps on the pier.\n" for n in range(6)}
QUERY = "where does the pelican sleep"


@pytest.mark.parametrize("rebuild", [True, False])
def test_no_answer_names_a_note_that_is_gone(holding: Holding, *, rebuild: bool) -> None:
    shell = holding(BIRDS)
    shell.ask("rebuild")
    for n in (0, 2, 4):
        (shell.folder / f"bird-{n}.md").unlink()

    if rebuild:
        assert shell.ask("rebuild")["notes"]["removed"] == 3
    hits = shell.ask("graph", "search", "--kind", "note", "--limit", "3", QUERY)["hits"]

    assert {hit["path"] for hit in hits} == {"bird-1.md", "bird-3.md", "bird-5.md"}
    assert shell.run("graph", "show", "bird-0").exit_code == 3
    assert shell.run("graph", "traverse", "bird-0").exit_code == 3


def test_the_last_note_of_a_folder_and_of_the_vault_goes_too(holding: Holding) -> None:
    shell = holding({"only/pelican.md": "Pelican.\n"})
    shell.ask("rebuild")
    assert found_paths(shell, "pelican")[0] == "only/pelican.md"

    shutil.rmtree(shell.folder / "only")
    (shell.folder / "MEMORY.md").unlink()
    rebuilt = shell.ask("rebuild")

    assert (rebuilt["notes"]["removed"], rebuilt["units"]) == (2, 0)
    assert found_paths(shell, "pelican") == []
    assert shell.ask("graph", "query", "--episodes", "pelican")["episodes"] == []
    assert shell.run("search", "pelican").exit_code == 0
    assert shell.ask("rebuild")["notes"] == {"added": 0, "changed": 0, "removed": 0, "unchanged": 0}


def test_a_folder_that_is_gone_takes_its_notes_with_it(holding: Holding) -> None:
    shell = holding({f"{path.split('-')[0]}/{path}": text for path, text in BIRDS.items()})
    shell.ask("rebuild")
    digest = shell.ask("status")["index"]["digest"]

    shutil.rmtree(shell.folder / "bird")
    assert "bird" not in "".join(found_paths(shell, QUERY))
    for path, text in BIRDS.items():
        target = shell.folder / "bird" / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)

    assert shell.ask("rebuild")["embedded"] == 0
    assert shell.ask("status")["index"]["digest"] == digest


def test_the_reported_steps(given: Given) -> None:
    shell = given(21)

    shell.ask("rebuild")
    assert found_paths(shell, "pelican") == ["only.md"]
    (shell.folder / "only.md").unlink()
    assert found_paths(shell, "pelican") == []
    shell.ask("rebuild")
    assert found_paths(shell, "pelican") == []
    assert shell.run("graph", "search", "pelican").out == "Nothing found.\n"

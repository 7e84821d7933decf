"""Any sequence of edits and refreshes ends in the index that a rebuild from nothing makes."""

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.command import Shell
from tests.fakes import Recorder
from tests.flows.conftest import Opened
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.catalog import open_catalog

NAMES = ["Anchor", "Buoy", "Capstan", "Davit", "Zoë", "zoe", "Anchor (tool)", "日本"]
FOLDERS = ["", "entities/tool/", "entities/person/", "deep/er/", "relations/", "conversations/"]
TALK = """\
---
type: conversation
log: 4
session_id: s4
date: 2026-03-01T10:00:00Z
---
### User
10:00 ^t-000000000001

Where is the buoy?

### Assistant
10:01 ^t-000000000002

In the shed.
"""
BODIES = [
    "The mast was painted white in spring.\n",
    "# Mooring\n\nTie it with [[Buoy]] and [[anchor|the iron one]].\n\n## Night\n\nLights on.\n",
    "---\ntype: tool\nabstract: Iron hook on a chain.\naliases: [Hook, Buoy]\n---\n# Anchor\n",
    "---\ntype: person\nabstract: Pilot of the harbour.\nconfidence: 0.4\n---\n",
    '---\ntype: relation\nfrom: "[[Zoë]]"\nrel: uses\nto: "[[Anchor]]"\nalpha: 9\nbeta: 1\n---\n',
    '---\ntype: relation\nfrom: "[[Hook]]"\nrel: part_of\nto: "[[deep/er/Davit]]"\n---\nSteel.\n',
    "---\ntype: [\n---\nCannot be parsed, but [[Capstan]] is read.\n",
    TALK,
    "<<<<<<< ours\nred\n=======\ngreen\n>>>>>>> theirs\nThe rest stays.\n",
    "",
]
QUESTIONS = ["who guides ships", "iron hook", "lights at night", "buoy"]


def edit(vault: Path, chance: random.Random) -> None:
    """One thing that a person, a sync program or git does to a vault."""
    notes = sorted(vault.rglob("*.md"))
    path = vault / f"{chance.choice(FOLDERS)}{chance.choice(NAMES)}.md"
    match chance.choice(["write", "write", "write", "remove", "move", "touch", "append", "same"]):
        case "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(chance.choice(BODIES), "utf-8")
        case "remove" if notes:
            chance.choice(notes).unlink()
        case "move" if notes:
            path.parent.mkdir(parents=True, exist_ok=True)
            chance.choice(notes).rename(path)
        case "touch" if notes:
            chance.choice(notes).touch()
        case "append" if notes:
            with chance.choice(notes).open("a", encoding="utf-8") as file:
                file.write("\nSee [[Davit]].\n")
        case "same" if notes:
            note = chance.choice(notes)
            note.write_bytes(note.read_bytes())
        case _:
            pass


def answers(shell: Shell) -> dict[str, Any]:
    """All that can be asked of a vault, but what tells how often it was asked."""
    status = shell.ask("status")
    index = status.pop("index")
    status.pop("vault")
    found: dict[str, Any] = {"status": status, "digest": index["digest"], "units": index["units"]}
    found["list"] = shell.ask("graph", "list", "--all")
    found["graph"] = shell.ask("graph", "status")
    found["check"] = shell.run("--json", "check").data
    for question in QUESTIONS:
        found[question] = shell.ask("graph", "search", "--kind", "all", question)
        found[f"{question}, followed"] = shell.ask("graph", "query", "--depth", "2", question)
    for name in ("Anchor", "Zoë", "Hook"):
        walked = shell.run("--json", "graph", "traverse", name)
        found[f"from {name}"] = walked.data if walked.exit_code == 0 else walked.exit_code
    return found


@pytest.mark.parametrize("seed", range(3))
def test_edits_taken_in_one_by_one_are_a_rebuild_from_nothing(shell: Shell, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a walk that repeats
    vault, fresh = shell.folder / "vault", shell.folder / "fresh"
    vault.mkdir()
    inside = replace(shell, folder=vault, environ={"VAULTMEM_VAULT": "."})
    for _ in range(30):
        edit(vault, chance)
        match chance.randrange(5):
            case 0:
                inside.ask("rebuild")
            case 1:
                inside.ask("graph", "list")
            case 2:
                inside.ask("graph", "search", chance.choice(QUESTIONS))
            case _:
                pass
    inside.ask("rebuild")

    shutil.copytree(vault, fresh, ignore=shutil.ignore_patterns("index.db*", "*.f32", "*.usearch"))
    anew = replace(inside, folder=fresh)
    rebuilt = anew.ask("rebuild")

    assert rebuilt["embedded"] == 0, "what was embedded once is not embedded again"
    assert answers(inside) == answers(anew)


def test_a_vault_embedded_anew_has_the_same_vectors(inside: Shell) -> None:
    before = inside.ask("status")["index"]["digest"]
    shutil.rmtree(inside.folder / ".vaultmem")

    rebuilt = inside.ask("rebuild")

    assert rebuilt["embedded"] > 20
    assert inside.ask("status")["index"]["digest"] == before


def test_a_full_rebuild_changes_nothing_that_can_be_seen(inside: Shell) -> None:
    before = answers(inside)

    rebuilt = inside.ask("rebuild", "--full")

    assert rebuilt["embedded"] == 0
    assert rebuilt["cached"] == before["units"]
    assert answers(inside) == before


def test_an_index_whose_words_another_version_cut_is_made_again(inside: Shell) -> None:
    before = answers(inside)
    with open_catalog(inside.folder / ".vaultmem", mode="write") as catalog:
        catalog.set_rows({}, facts={"words": "1"})

    found = inside.run("--json", "graph", "search", "iron hook")

    assert found.exit_code == 0
    assert "words were cut by another version" in found.err
    assert answers(inside) == before


def test_a_branch_checked_out_at_once_is_taken_in_and_costs_no_model_twice(
    notes: Path, opened: Opened
) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=d", "-c", "user.email=d@x.example", *words],
            cwd=notes,
            check=True,
            capture_output=True,
        )

    def held(index: VaultIndex) -> list[tuple[str, str]]:
        rebuild(index, full=False, progress=lambda *_: None, elapsed=lambda: 0.0)
        return [(path, text) for path, _, text, _ in index.catalog.ordered_units()]

    git("init", "-q", "-b", "red")
    (notes / ".gitignore").write_text(".vaultmem/\n")
    (notes / "Boat.md").write_text("The boat is red.\n")
    (notes / "Mast.md").write_text("The mast is tall.\n")
    git("add", "-A")
    git("commit", "-qm", "red")
    git("checkout", "-q", "-b", "blu")
    (notes / "Boat.md").write_text("The boat is blu.\n")
    (notes / "Mast.md").rename(notes / "Pole.md")
    git("add", "-A")
    git("commit", "-qm", "blu")
    red = [("Boat.md", "Boat: The boat is red."), ("Mast.md", "Mast: The mast is tall.")]
    blu = [("Boat.md", "Boat: The boat is blu."), ("Pole.md", "Pole: The mast is tall.")]

    with opened() as index:
        recorder = Recorder(index.embedder)
        index.embedder = recorder
        for branch, expected in (("red", red), ("blu", blu), ("red", red), ("blu", blu)):
            git("checkout", "-q", branch)
            assert held(index) == expected

    assert sorted(text for text, _ in recorder.texts) == sorted({text for _, text in red + blu})

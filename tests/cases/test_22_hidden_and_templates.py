"""Reported: dot folders, trash, templates and conflict copies are indexed."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import findings, found_paths, write

OSPREY = "The osprey dives.\n"
UNSEEN = [
    ".trash/Gone.md",
    ".obsidian/plugins/x/README.md",
    ".git/x.md",
    ".claude/worktrees/w1/Real.md",
    "deep/.hidden/x.md",
    ".hidden.md",
    "~$Real.md",
    "node_modules/p/README.md",
    "deep/node_modules/p/README.md",
    "templates/T.md",
    "Vorlagen/Day.md",
    ".vaultmem/x.md",
    "views/x.md",
    "Real.txt",
]
COPIES = [
    "Real (conflicted copy 2026-03-01).md",
    "Real (Dani's conflicted copy 2026-03-01).md",
    "Real.sync-conflict-20260301-101010-ABCDEFG.md",
]


def test_only_visible_notes_are_found(holding: Holding) -> None:
    shell = holding(
        dict.fromkeys((*UNSEEN, "Real.md", "deep/Other.md"), OSPREY)
        | {".obsidian/templates.json": '{"folder": "Vorlagen"}'}
    )

    rebuilt = shell.ask("rebuild")

    assert rebuilt["notes"]["added"] == 3
    assert sorted(found_paths(shell, "osprey")[:2]) == ["Real.md", "deep/Other.md"]
    assert found_paths(shell, "osprey")[2:] == ["MEMORY.md"]
    assert findings(shell) == []


def test_conflict_copies_are_not_read_but_reported(holding: Holding) -> None:
    shell = holding(dict.fromkeys((*COPIES, "Real.md", "On conflict.md"), OSPREY))

    hits = found_paths(shell, "osprey")

    assert set(hits[:2]) == {"Real.md", "On conflict.md"}
    assert not set(hits) & set(COPIES)
    assert findings(shell) == [(path, 0, "sync-copy") for path in sorted(COPIES)]


@pytest.mark.parametrize("pattern", ["drafts", "drafts/**", "**/Draft*.md"])
def test_more_can_be_excluded_at_any_time(holding: Holding, pattern: str) -> None:
    shell = holding({"drafts/Draft one.md": OSPREY, "Real.md": OSPREY})
    assert "drafts/Draft one.md" in found_paths(shell, "osprey")

    write(shell.folder, {".vaultmem.toml": f'vault_format = 1\n[vault]\nexclude = ["{pattern}"]\n'})

    assert "drafts/Draft one.md" not in found_paths(shell, "osprey")
    assert "Real.md" in found_paths(shell, "osprey")


def test_the_reported_notes(given: Given) -> None:
    shell = given(22)
    write(shell.folder, {".git/x.md": "osprey\n"})

    shell.ask("rebuild")

    assert found_paths(shell, "osprey") == ["Real.md"]
    assert findings(shell) == [
        ("Real (conflicted copy 2026-03-01).md", 0, "sync-copy"),
        ("Real.sync-conflict-20260301-101010-ABCDEFG.md", 0, "sync-copy"),
    ]

"""Reported: on a read-only disk or in a sandbox nothing works, since nothing can be written."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents
from tests.command import PROGRAM, Shell

Locked = Callable[[Shell], tuple[str, ...]]
NOTES = {
    "Puffin.md": "---\ntype: event\nabstract: Small bird with a bright beak.\n---\n",
    "Cliff.md": "Here the [[Puffin]] breeds.\n",
}
READS = {
    ("graph", "show", "Puffin"): "Small bird",
    ("graph", "list"): "Puffin",
    ("graph", "search", "bird with a beak"): "Puffin",
    ("graph", "query", "--episodes", "where does it breed"): "Cliff",
    ("graph", "traverse", "Cliff"): "Puffin",
    ("graph", "status"): "Entities:  1",
    ("search", "puffin"): "Nothing found",
    ("check",): "No findings",
    ("status",): "healthy",
    ("where",): "memory",
}
WRITES = [
    ("graph", "observe", "Puffin"),
    ("graph", "add-entity", "--name", "Gull", "--type", "event", "--abstract", "Loud."),
    ("graph", "relate", "Puffin", "--rel", "breeds_at", "--target", "Cliff"),
    ("init",),
    ("check", "--fix"),
]


def refuse(folder: Path, *, write: bool) -> None:
    """Take the right to write from a folder and all in it, or give it back."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200 if write else path.stat().st_mode & ~0o222)


@pytest.fixture
def by_permissions(permitted: tuple[str, ...]) -> Iterator[Locked]:
    """Take away the right to write to a vault, and give what runs a program without it."""
    folders = []

    def lock(shell: Shell) -> tuple[str, ...]:
        folders.append(shell.folder)
        refuse(shell.folder, write=False)
        return permitted

    yield lock
    for folder in folders:
        refuse(folder, write=True)


@pytest.fixture
def by_mount() -> Locked:
    """Give what runs a program that sees the vault on a read-only disk."""
    mounting = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"'

    def lock(shell: Shell) -> tuple[str, ...]:
        words = ("unshare", "-m", "sh", "-c", mounting, str(shell.folder))
        tool = shutil.which("unshare")
        if not tool or subprocess.run([*words, "true"], check=False, stderr=-3).returncode:
            pytest.skip("a read-only mount needs unshare and the rights for it")
        return (*words, *PROGRAM)

    return lock


@pytest.fixture(params=["by_permissions", "by_mount"])
def locked(request: pytest.FixtureRequest) -> Locked:
    """Make a vault that cannot be written to, in one way or another."""
    way: Locked = request.getfixturevalue(request.param)
    return way


def sandboxed(shell: Shell, cache: str) -> Shell:
    """Somebody without a home, whose cache is a folder that cannot be made."""
    (shell.home / "file").write_text("in the way")
    return replace(shell, environ={"HOME": "", "XDG_CACHE_HOME": cache})


def test_with_an_index_everything_that_reads_works_and_nothing_is_written(
    holding: Holding, locked: Locked
) -> None:
    shell = holding(NOTES)
    shell.ask("rebuild")
    program = locked(shell)
    nowhere = sandboxed(shell, str(shell.home / "file" / "cache"))
    before = {path: path.stat().st_mtime_ns for path in shell.folder.rglob("*")}

    for words, said in READS.items():
        answer = nowhere.program(*words, command=program)
        assert answer.exit_code == 0, (words, answer.err)
        assert said in answer.out, words
        assert answer.err == "", words

    assert {path: path.stat().st_mtime_ns for path in shell.folder.rglob("*")} == before


def test_without_an_index_one_is_made_for_the_moment_with_one_line(
    holding: Holding, locked: Locked
) -> None:
    shell = holding(NOTES)
    shutil.rmtree(shell.folder / ".vaultmem")
    program = locked(shell)
    nowhere = sandboxed(shell, str(shell.home / "file" / "cache"))

    found = nowhere.program("graph", "search", "bird with a beak", command=program)
    walked = nowhere.program("--json", "graph", "traverse", "Cliff", command=program)

    assert found.exit_code == 0
    assert "Puffin" in found.out
    told = [line for line in found.err.splitlines() if not line.startswith("stale: ")]
    assert len(told) == walked.err.count("\n") == 1
    assert "indexing in memory for this command only" in found.err
    assert [edge["to"] for edge in walked.data["edges"]] == ["Puffin"]
    assert not (shell.folder / ".vaultmem").exists()


def test_without_an_index_the_cache_keeps_one_where_it_can(
    holding: Holding, locked: Locked
) -> None:
    shell = holding(NOTES)
    shutil.rmtree(shell.folder / ".vaultmem")
    program = locked(shell)
    cached = replace(shell, environ={"XDG_CACHE_HOME": str(shell.home / "cache")})

    first = cached.program("--json", "rebuild", command=program)
    again = cached.program("--json", "rebuild", command=program)

    assert (first.exit_code, first.err, first.data["embedded"]) == (0, "", first.data["units"])
    assert again.data["embedded"] == 0
    assert again.data["notes"]["unchanged"] == 3


@pytest.mark.parametrize("words", WRITES)
def test_what_writes_says_in_one_line_why_it_cannot(
    holding: Holding, locked: Locked, words: tuple[str, ...]
) -> None:
    shell = holding(NOTES)
    if words == ("init",):
        (shell.folder / "ARCHIVE.md").unlink()
        words = ("init", "--vault", str(shell.folder))
    if words == ("check", "--fix"):
        shell.ask("graph", "observe", "Puffin")
        note = shell.folder / "Puffin.md"
        note.write_text(note.read_text().replace("alpha: 9.8", "alpha: 12"))
    before = contents(shell.folder)
    program = locked(shell)

    answer = shell.program(*words, command=program)

    assert answer.exit_code == 1
    assert answer.err.count("\n") == 1
    assert str(shell.folder) in answer.err
    assert "Permission denied" in answer.err or "Read-only file system" in answer.err
    assert contents(shell.folder) == before


def test_the_reported_note(given: Given, locked: Locked) -> None:
    shell = given(32)
    program = locked(shell)

    found = shell.program("graph", "search", "--kind", "all", "puffin", command=program)
    shown = shell.program("graph", "show", "a", command=program)
    refused = shell.program("graph", "observe", "a", command=program)

    assert found.out.splitlines()[0].startswith("1. a (note)")
    assert "puffin" in shown.out
    assert refused.exit_code == 1
    assert refused.err.count("\n") == 1
    assert list(contents(shell.folder)) == ["a.md"]

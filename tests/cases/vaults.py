"""What tests of whole vaults share: notes on disk, and what a command changed in them."""

import difflib
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.command import Shell


@dataclass(frozen=True, slots=True)
class Lines:
    """How a note differs from what it was, its lines with their ends."""

    removed: list[bytes]
    added: list[bytes]


def write(folder: Path, notes: Mapping[str, str | bytes]) -> None:
    """Put notes into a folder, each exactly as given."""
    for path, text in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a vault by path, but derived ones and git's."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".vaultmem", ".git"} & set(path.relative_to(folder).parts)
    }


def changed_lines(before: bytes, after: bytes) -> Lines:
    """The lines that only the old note has, and those that only the new one has."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    removed: list[bytes] = []
    added: list[bytes] = []
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            removed += old[start:end]
            added += new[new_start:new_end]
    return Lines(removed, added)


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, as somebody, and give what it says."""
    who = ("-c", "user.name=Dani", "-c", "user.email=dani@example.org", "-c", "gc.auto=0")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words], check=True, capture_output=True, text=True
    )
    return done.stdout


def findings(shell: Shell) -> list[tuple[str, int, str]]:
    """What ``check`` finds: path, line and rule of each."""
    answer = shell.run("--json", "check")
    assert answer.exit_code in {0, 4}, answer.err
    found = [(one["path"], one["line"], one["rule"]) for one in answer.data["findings"]]
    assert answer.exit_code == (4 if found else 0)
    return found


def found_paths(shell: Shell, query: str, *words: str) -> list[str]:
    """The paths of the hits of a search over all kinds, best first."""
    answer = shell.ask("graph", "search", "--kind", "all", *words, "--", query)
    return [hit["path"] for hit in answer["hits"]]

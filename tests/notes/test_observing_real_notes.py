"""Evidence added to notes that people really wrote changes only the lines the tool owns."""

import difflib
from pathlib import Path

import pytest

from vault_memory.core.evidence import new_line
from vault_memory.core.names import safe_stem, true_name
from vault_memory.notes.belief_note import observe
from vault_memory.notes.decode import decode
from vault_memory.notes.text import decode_bytes, encode_text

OWNED = ("alpha", "beta", "confidence", "id", "prior", "provenance", "created", "updated", "self")


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(keepends=True), after.splitlines(keepends=True))
    return [line[2:] for line in lines if line[0] in "+-"]


@pytest.mark.parametrize(
    "name",
    [
        "01-fm-hash-truncated/vault/entities/release-train.md",
        "02-fm-comments-order-quotes/vault/entities/nadia.md",
        "20-rename-and-move/vault/Old.md",
    ],
)
def test_only_the_lines_the_tool_owns_differ(shared: Path, name: str) -> None:
    before = decode_bytes((shared / "cases" / name).read_bytes())
    line = new_line("abc", date="2026-03-06", quote="said")

    after = observe(before, [line], id="0123456789ab")

    changed = [one for one in changed_lines(before, after) if one.strip()]
    assert changed
    for one in changed:
        assert one.startswith((*(f"{key}:" for key in OWNED), "## Evidence", "- 2026-03-06 "))
    findings = {finding.rule for finding in decode("x.md", encode_text(after)).findings}
    assert "counts-stale" not in findings


def test_bad_numbers_are_told_with_file_and_line(shared: Path) -> None:
    path = shared / "cases/03-fm-scalar-types/vault/bad-confidence.md"

    note = decode("bad-confidence.md", path.read_bytes())

    numbers = [one for one in note.findings if one.rule == "frontmatter-number"]
    assert {one.path for one in numbers} == {"bad-confidence.md"}
    assert [one.line for one in numbers] == [4, 5, 6]


def test_a_note_is_found_by_the_text_of_its_title(shared: Path) -> None:
    path = shared / "cases/03-fm-scalar-types/vault/2026-03-01.md"

    note = decode("2026-03-01.md", path.read_bytes())

    assert (note.name, note.title, note.aliases) == (
        "2026-03-01",
        "2026-03-01",
        ("1.0", "2026-03-01"),
    )


@pytest.mark.parametrize("case", ["13-name-slash-and-traversal", "14-name-too-long"])
def test_every_name_gets_a_file_of_its_own_in_the_vault(shared: Path, case: str) -> None:
    names = (shared / "cases" / case / "names.txt").read_text("utf-8").splitlines()
    taken: set[str] = set()

    for name in names:
        stem = safe_stem(name, type="concept", taken=taken)
        assert "/" not in stem
        assert len(f"{stem}.md".encode()) <= 255
        assert true_name(stem, [name], type="concept") == name
        taken.add(stem.casefold())

    assert len(taken) == len(names)

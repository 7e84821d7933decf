"""A change set shown as git shows it."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.vault.diff import diff
from vault_memory.vault.write import apply


def test_a_changed_line_is_shown_with_its_surroundings() -> None:
    before = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    shown = diff(ChangeSet((Change("a b.md", before, before.replace(b"5", b"five")),)))
    assert shown == (
        "diff --git a/a b.md b/a b.md\n--- a/a b.md\n+++ b/a b.md\n@@ -2,7 +2,7 @@\n"
        " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_a_new_note_comes_from_nothing() -> None:
    assert diff(ChangeSet((Change("a.md", None, b"x\n"),))) == (
        "diff --git a/a.md b/a.md\nnew file mode 100644\n--- /dev/null\n+++ b/a.md\n"
        "@@ -0,0 +1 @@\n+x\n"
    )


def test_a_removed_note_goes_to_nothing() -> None:
    assert diff(ChangeSet((Change("a.md", b"x\ny\n", None),))) == (
        "diff --git a/a.md b/a.md\ndeleted file mode 100644\n--- a/a.md\n+++ /dev/null\n"
        "@@ -1,2 +0,0 @@\n-x\n-y\n"
    )


def test_a_missing_final_newline_is_said() -> None:
    assert diff(ChangeSet((Change("a.md", b"x", b"x\n"),))).endswith(
        "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"
    )


def test_what_stays_the_same_is_not_shown() -> None:
    assert diff(ChangeSet((Change("a.md", b"x", b"x"),))) == ""


def test_a_name_that_would_break_the_line_is_quoted() -> None:
    shown = diff(ChangeSet((Change('a"\n\\b.md', None, b"x\n"),)))
    assert shown.startswith('diff --git "a/a\\"\\012\\\\b.md" "b/a\\"\\012\\\\b.md"\n')


def test_a_long_note_changed_everywhere_is_shown_as_replaced() -> None:
    before = "".join(f"{n}\n" for n in range(5000)).encode()
    after = "".join(f"{n} more\n" for n in range(5000)).encode()
    shown = diff(ChangeSet((Change("a.md", b"head\n" + before, b"head\n" + after),)))
    assert "@@ -1,5001 +1,5001 @@\n head\n-0\n-1\n" in shown


LINES = st.lists(st.sampled_from([b"a", b"b", b"\r", b"c\r", b"\xff", b"", b"@@ -1 +1 @@", b"-"]))
FILES = st.none() | st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from(
    [b"", b"\n"]
))  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(before=FILES, after=FILES)
@example(before=b"b\na\na\nb", after=b"a\nb\na\na\nb\na\na\nb")
def test_git_applies_what_is_shown(
    tmp_path_factory: pytest.TempPathFactory, before: bytes | None, after: bytes | None
) -> None:
    change = Change("d/caf\u00e9.md", before, after)
    folder = tmp_path_factory.mktemp("tree")
    file = folder / change.path
    if before is not None:
        apply(folder, ChangeSet((Change(change.path, None, before),)))
    shown = diff(ChangeSet((change,)))
    command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"]
    if shown:
        subprocess.run(
            command, input=shown.encode("utf-8", "surrogateescape"), cwd=folder, check=True
        )
    assert (file.read_bytes() if file.exists() else None) == after


def test_git_applies_a_long_change(tmp_path: Path) -> None:
    before = "".join(f"{n}\n" for n in range(5000)).encode()
    after = b"new\n" + before.replace(b"00\n", b"hundred\n") + b"end"
    change = Change("a.md", before, after)
    (tmp_path / "a.md").write_bytes(before)
    shown = diff(ChangeSet((change,)))
    subprocess.run(["git", "apply", "-"], input=shown.encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "a.md").read_bytes() == after

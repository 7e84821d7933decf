"""Locks between processes."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.errors import LockedError, StorageError
from vault_memory.vault.layout import DERIVED
from vault_memory.vault.lock import index_lock, vault_lock

Child = Callable[..., "subprocess.Popen[str]"]

HOLD = """
import pathlib, sys
from vault_memory.vault.lock import vault_lock
with vault_lock(pathlib.Path(sys.argv[1]), timeout_seconds=0):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> "subprocess.Popen[str]":
    import sys

    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_what_another_process_holds_is_refused_with_its_number(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    with (
        pytest.raises(LockedError, match=rf"held by process {holder.pid} for longer than 0.05 s"),
        vault_lock(tmp_path, timeout_seconds=0.05),
    ):
        pass
    holder.communicate("")


def test_a_lock_is_free_when_its_holder_let_go(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    holder.communicate("")
    with vault_lock(tmp_path, timeout_seconds=0) as left_over:
        assert not left_over


def test_a_lock_is_free_when_its_holder_was_killed_and_says_so_once(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    holder.kill()
    holder.communicate()
    with vault_lock(tmp_path, timeout_seconds=0) as left_over:
        assert left_over
    with vault_lock(tmp_path, timeout_seconds=0) as left_over:
        assert not left_over


def test_waiting_ends_when_the_holder_lets_go(
    tmp_path: Path, holder: "subprocess.Popen[str]", child: Child
) -> None:
    program = HOLD.replace("timeout_seconds=0", "timeout_seconds=60")
    waiting = child(program.replace("sys.stdin.read()", "pass"), tmp_path)
    holder.communicate("")
    out, err = waiting.communicate(timeout=60)
    assert (out, err) == ("held\n", "")


def test_a_reused_process_number_in_the_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / DERIVED).mkdir()
    (tmp_path / DERIVED / "vault.lock").write_text("1\n")
    with vault_lock(tmp_path, timeout_seconds=0) as left_over:
        assert left_over


def test_an_error_inside_does_not_count_as_a_crash(tmp_path: Path) -> None:
    with pytest.raises(KeyError), vault_lock(tmp_path, timeout_seconds=0):
        raise KeyError
    with vault_lock(tmp_path, timeout_seconds=0) as left_over:
        assert not left_over


def test_the_vault_and_its_index_are_held_apart(tmp_path: Path) -> None:
    with (
        vault_lock(tmp_path, timeout_seconds=0),
        index_lock(tmp_path / DERIVED, timeout_seconds=0),
        pytest.raises(LockedError, match="the index is held"),
        index_lock(tmp_path / DERIVED, timeout_seconds=0),
    ):
        pass  # fmt: skip


def test_a_lock_file_that_was_deleted_is_made_anew(tmp_path: Path) -> None:
    with vault_lock(tmp_path, timeout_seconds=0):
        (tmp_path / DERIVED / "vault.lock").unlink()
    with vault_lock(tmp_path, timeout_seconds=0):
        assert (tmp_path / DERIVED / "vault.lock").exists()


def test_a_derived_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / DERIVED).symlink_to(tmp_path / "out")
    with (
        pytest.raises(StorageError, match="is a link"),
        vault_lock(tmp_path / "vault", timeout_seconds=0),
    ):
        pass
    assert list((tmp_path / "out").iterdir()) == []

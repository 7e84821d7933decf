"""Planning and writing under the lock, with others about."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import ConflictError, LockedError, StorageError
from vault_memory.vault.config import CONFIG_FILE, Config
from vault_memory.vault.layout import DERIVED, Vault
from vault_memory.vault.lock import vault_lock
from vault_memory.vault.read import read_bytes
from vault_memory.vault.replace import is_temporary
from vault_memory.vault.write import commit

if TYPE_CHECKING:
    import subprocess

Child = Callable[..., "subprocess.Popen[str]"]

OPEN = """
import os, pathlib, signal, sys
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.vault.config import Config
from vault_memory.vault.layout import Vault
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit
path = pathlib.Path(sys.argv[1])
vault = Vault(path, None, Config(vault_format=1), path / ".vaultmem")
"""

COUNT = """
def plan():
    before = read_bytes(path, "n.md")
    return ChangeSet((Change("n.md", before, b"%d" % (int(before or b"0") + 1)),))
for _ in range(int(sys.argv[2])):
    commit(vault, plan)
"""

NUMBER = """
def plan():
    taken = sorted(file.name for file in (path / "conversations").iterdir())
    name = f"conversations/conversation-{len(taken) + 1:03d}.md"
    table = read_bytes(path, "ARCHIVE.md")
    return ChangeSet((
        Change(name, None, sys.argv[2].encode()),
        Change("ARCHIVE.md", table, table + name.encode() + b"\\n"),
    ))
commit(vault, plan)
"""

DIE = """
def plan():
    before = read_bytes(path, "MEMORY.md")
    return ChangeSet((
        Change("conversations/new.md", None, b"new"), Change("MEMORY.md", before, b"half"),
    ))
commit(vault, plan, before_rename=lambda _: os.kill(os.getpid(), signal.SIGKILL))
"""


def ended(processes: list["subprocess.Popen[str]"]) -> None:
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err


def temporaries(vault: Vault) -> list[Path]:
    return [file for file in vault.path.rglob("*") if is_temporary(file.name)]


def append(vault: Vault, line: bytes) -> ChangeSet:
    before = read_bytes(vault.path, "MEMORY.md") or b""
    return ChangeSet((Change("MEMORY.md", before, before + line),))


def test_two_processes_that_count_in_one_note_lose_nothing(vault: Vault, child: Child) -> None:
    ended([child(OPEN + COUNT, vault.path, 50) for _ in range(2)])
    assert read_bytes(vault.path, "n.md") == b"100"


def test_processes_that_take_numbers_at_once_take_each_number_once(
    vault: Vault, child: Child
) -> None:
    ended([child(OPEN + NUMBER, vault.path, who) for who in range(8)])
    notes = sorted((vault.path / "conversations").iterdir())
    assert [note.stem for note in notes] == [f"conversation-{n:03d}" for n in range(1, 9)]
    assert {note.read_text() for note in notes} == set("01234567")
    assert (vault.path / "ARCHIVE.md").read_text().count("conversations/") == 8


def test_a_process_killed_before_the_rename_leaves_the_old_notes(
    vault: Vault, child: Child
) -> None:
    old = read_bytes(vault.path, "MEMORY.md")
    process = child(OPEN + DIE, vault.path)
    process.communicate(timeout=60)
    assert process.returncode == -9
    assert read_bytes(vault.path, "MEMORY.md") == old
    assert read_bytes(vault.path, "conversations/new.md") is None
    assert len(temporaries(vault)) == 2


def test_the_next_write_takes_the_lock_of_the_dead_and_sweeps_up(
    vault: Vault, child: Child
) -> None:
    child(OPEN + DIE, vault.path).communicate(timeout=60)
    commit(vault, lambda: ChangeSet((Change("entities/tool/x.md", None, b"x"),)))
    assert temporaries(vault) == []
    assert read_bytes(vault.path, "entities/tool/x.md") == b"x"


def test_an_edit_made_meanwhile_survives_and_ours_is_made_again(vault: Vault) -> None:
    edits = [b"- typed by hand\n"]

    def plan() -> ChangeSet:
        change_set = append(vault, b"- ours\n")
        if edits:
            with (vault.path / "MEMORY.md").open("ab") as editor:
                editor.write(edits.pop())
        return change_set

    commit(vault, plan)
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\n- typed by hand\n- ours\n"


def test_a_note_that_never_rests_is_refused_with_its_name(vault: Vault) -> None:
    def plan() -> ChangeSet:
        change_set = append(vault, b"- ours\n")
        with (vault.path / "MEMORY.md").open("ab") as editor:
            editor.write(b"- theirs\n")
        return change_set

    with pytest.raises(ConflictError, match=r"^MEMORY\.md: .* 3 times") as raised:
        commit(vault, plan, attempts=3)
    assert raised.value.exit_code == 5
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\n" + b"- theirs\n" * 3


def test_a_dry_run_writes_nothing_and_waits_for_nobody(vault: Vault) -> None:
    before = sorted(vault.path.rglob("*"))
    with vault_lock(vault.path, timeout_seconds=0):
        change_set = commit(vault, lambda: append(vault, b"x"), dry_run=True)
    assert change_set == append(vault, b"x")
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\n"
    assert {*vault.path.rglob("*")} - {*before} <= {*(vault.path / DERIVED).rglob("*")} | {
        vault.path / DERIVED
    }


def test_waiting_for_another_process_has_a_limit(vault: Vault) -> None:
    hurried = vault._replace(config=Config(vault_format=1, serve_lock_timeout_secs=0.0))
    with vault_lock(vault.path, timeout_seconds=0), pytest.raises(LockedError, match="by process"):
        commit(hurried, lambda: append(vault, b"x"))
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\n"


def test_a_plan_that_fails_leaves_the_vault_free(vault: Vault) -> None:
    def plan() -> ChangeSet:
        raise ConflictError("no")

    with pytest.raises(ConflictError, match="no"):
        commit(vault, plan)
    commit(vault, lambda: append(vault, b"x"))
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\nx"


def test_notes_that_were_never_made_a_vault_are_not_written(vault: Vault) -> None:
    (vault.path / CONFIG_FILE).unlink()
    with pytest.raises(StorageError, match="vaultmem init --vault"):
        commit(vault, lambda: append(vault, b"x"))
    assert not (vault.path / DERIVED).exists()


def test_a_vault_of_a_newer_format_is_not_written(vault: Vault) -> None:
    newer = vault._replace(config=Config(vault_format=2))
    with pytest.raises(StorageError, match="format 2"):
        commit(newer, lambda: append(vault, b"x"))
    assert read_bytes(vault.path, "MEMORY.md") == b"# Memory\n"


def test_a_vault_on_a_read_only_disk_is_refused_with_path_and_reason(
    nobodys: Path, as_user: Callable[..., str]
) -> None:
    (nobodys / CONFIG_FILE).write_text("vault_format = 1\n")
    (nobodys / CONFIG_FILE).chmod(0o444)
    nobodys.chmod(0o555)
    told = as_user(
        OPEN + "from vault_memory.errors import StorageError\nimport json\n",
        "try: commit(vault, lambda: ChangeSet((Change('a.md', None, b'x'),)))\n"
        "except StorageError as error: print(json.dumps(error.message))\n",
        nobodys,
    )
    nobodys.chmod(0o755)
    assert json.loads(told) == f"{nobodys}/.vaultmem: cannot be written: Permission denied"
    assert [file.name for file in nobodys.iterdir()] == [CONFIG_FILE]

"""Rebuilds that are killed, that meet a full disk, or that many searches watch."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.command import PROGRAM, Shell

KILLED = """
import os, signal, sys
left = int(os.environ["LIVES"])
def live(event, arguments):
    global left
    if event in COUNTED and any(os.environ["PLACE"] in str(each) for each in arguments[:1]):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
    elif event == "fcntl.flock":
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
COUNTED = {"open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "sqlite3.connect"}
sys.addaudithook(live)
from vault_memory.cli.main import run
code = run(["rebuild"])
print(int(os.environ["LIVES"]) - left)
sys.exit(code)
"""
"""A rebuild that kills itself at the nth thing that it does to the derived files."""

LIMITED = ("sh", "-c", 'unset COVERAGE_PROCESS_CONFIG; ulimit -f "$0" && exec "$@"')
"""Runs a program that can write no file longer than so many blocks; not even one on coverage."""

ON_TMPFS = """
set -e
mount -t tmpfs -o size="$1" tmpfs "$2"
cp -r "$3" "$2/memory"
cd "$2/memory"
shift 3
set +e
"$@" rebuild; echo "exit $?"
"$@" graph traverse Dani | head -1
ls .vaultmem
"""
SIDES = {"-wal", "-shm"}


def changed(shell: Shell) -> Path:
    """A vault that was indexed and changed since."""
    (shell.folder / "Rowing club.md").write_text("The boats lie in the shed.\n")
    (shell.folder / "Shed.md").write_text("Oars and boats.\n\n# Door\n\nIt sticks.\n")
    return shell.folder


def answers(shell: Shell) -> list[Any]:
    """What a vault answers after a rebuild."""
    shell.ask("rebuild")
    return [
        shell.ask("status")["index"]["digest"],
        shell.ask("graph", "search", "--kind", "all", "boats"),
    ]


def half_made(folder: Path) -> list[str]:
    """Files that no rebuild leaves where it is not killed."""
    return [path.name for path in folder.rglob("*") if path.suffix in {".tmp", ".new"}]


@pytest.mark.parametrize("known", [True, False])
def test_a_rebuild_that_is_killed_anywhere_leaves_what_answers_right(
    inside: Shell, *, known: bool
) -> None:
    folder = changed(inside)
    if not known:
        for path in (folder / ".vaultmem").glob("[!e]*"):
            path.unlink()
    before = inside.home / "before"
    shutil.copytree(folder, before)

    def killed(lives: int) -> "subprocess.CompletedProcess[bytes]":
        shutil.rmtree(folder)
        shutil.copytree(before, folder)
        return subprocess.run(
            [sys.executable, "-c", KILLED],
            cwd=folder,
            env=inside.variables | {"LIVES": str(lives), "PLACE": "memory"},
            capture_output=True,
            check=False,
            timeout=120,
        )

    unharmed = killed(1_000_000)
    assert unharmed.returncode == 0, unharmed.stderr
    right = answers(inside)
    points = int(unharmed.stdout.splitlines()[-1])

    for lives in range(1, points, max(1, points // 5)):
        assert killed(lives).returncode == -9
        answer = inside.run("--json", "graph", "search", "--kind", "all", "boats")
        assert answer.exit_code == 0, answer.err
        assert answer.data == right[1] or answer.data["stale"]
        assert answer.err.count("\n") <= 1
        assert answers(inside) == right
        assert half_made(folder) == []


@pytest.mark.parametrize("blocks", [8, 100, 300, 400])
def test_a_disk_that_takes_no_more_leaves_the_index_old_or_none(inside: Shell, blocks: int) -> None:
    folder = changed(inside)
    written = {path: path.read_bytes() for path in folder.rglob("*.md")}

    refused = inside.program("rebuild", command=(*LIMITED, str(blocks), *PROGRAM))

    assert refused.exit_code in {0, 1}
    assert refused.err.count("\n") <= 2
    assert "fault" not in refused.err
    assert half_made(folder) == []
    assert {path: path.read_bytes() for path in folder.rglob("*.md")} == written
    after = answers(inside)
    shutil.rmtree(folder / ".vaultmem")
    assert answers(inside) == after


@pytest.mark.parametrize("size", ["100k", "300k", "500k", "2m"])
def test_a_small_disk_that_fills_is_told_and_holds_nothing_half_made(
    inside: Shell, size: str
) -> None:
    tool = shutil.which("unshare")
    if not tool or subprocess.run([tool, "-m", "true"], check=False, stderr=-3).returncode:
        pytest.skip("a disk of its own needs unshare and the rights for it")
    shutil.rmtree(inside.folder / ".vaultmem")
    disk = inside.home / "disk"
    disk.mkdir()
    words = (tool, "-m", "sh", "-c", ON_TMPFS, "sh", size, str(disk), str(inside.folder))

    answer = inside.program(command=(*words, *PROGRAM))

    lines = answer.out.splitlines()
    assert "fault" not in answer.err
    assert "Traceback" not in answer.err
    assert "Dani (person)" in lines or "the disk refused" in answer.err
    assert ("exit 0" in lines) == (size == "2m"), answer.err
    assert not [line for line in lines if line.endswith((".tmp", ".new", ".damaged"))]


def test_searches_while_the_index_is_made_again_answer_right(inside: Shell) -> None:
    right = inside.ask("graph", "search", "--kind", "all", "boats")
    path = inside.folder / ".vaultmem" / "index.db"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)

    running = [
        subprocess.Popen(
            [*PROGRAM, "--json", *words],
            cwd=inside.folder,
            env=inside.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for words in (["rebuild", "--full"], *[["graph", "search", "--kind", "all", "boats"]] * 5)
    ]
    ended = [process.communicate(timeout=120) for process in running]

    assert [process.returncode for process in running] == [0] * 6, ended
    told = [err for _, err in ended if b"made again" in err]
    assert len(told) == 1
    assert inside.ask("graph", "search", "--kind", "all", "boats") == right
    assert half_made(inside.folder) == []


def test_a_home_that_cannot_be_written_changes_no_answer(inside: Shell) -> None:
    right = inside.ask("graph", "search", "--kind", "all", "boats")
    (inside.home / "file").write_text("in the way")
    nowhere = replace(inside, environ={"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull})

    answer = nowhere.program("--json", "graph", "search", "--kind", "all", "boats")

    assert (answer.exit_code, answer.err) == (0, "")
    assert answer.data == right

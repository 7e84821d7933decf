"""What is left when the disk refuses in the middle of a write."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import StorageError
from vault_memory.vault.write import apply

SIZE = 256 * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(disk)]
    if os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_leaves_the_old_notes_and_no_temporary_file(small_disk: Path) -> None:
    (small_disk / "a.md").write_bytes(b"old")
    changes = (
        Change("a.md", b"old", b"x" * (SIZE // 2)),
        Change("b.md", None, b"y" * SIZE),
    )
    with pytest.raises(StorageError, match=r"b\.md: cannot be written: No space left on device"):
        apply(small_disk, ChangeSet(changes))
    assert {file.name: file.read_bytes() for file in small_disk.iterdir()} == {"a.md": b"old"}


def test_a_limit_of_file_size_leaves_the_old_note_and_no_temporary_file(
    tmp_path: Path, child: Callable[..., "subprocess.Popen[str]"]
) -> None:
    (tmp_path / "a.md").write_bytes(b"old")
    program = (
        "import pathlib, resource, signal, sys\n"
        "from vault_memory.core.changes import Change, ChangeSet\n"
        "from vault_memory.errors import StorageError\n"
        "from vault_memory.vault.write import apply\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "was = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, was[1]))\n"
        "change = Change('a.md', b'old', b'x' * 10000)\n"
        "try: apply(pathlib.Path(sys.argv[1]), ChangeSet((change,)))\n"
        "except StorageError as error: print(error)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, was)\n"
    )
    out, err = child(program, tmp_path).communicate()
    assert (out, err) == ("a.md: cannot be written: File too large\n", "")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a.md": b"old"}

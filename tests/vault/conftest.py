"""What the tests of the disk share."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vault_memory.vault.config import Config
from vault_memory.vault.layout import DERIVED, Vault
from vault_memory.vault.scaffold import make_folders, scaffold
from vault_memory.vault.write import apply

NOBODY = 65534

Child = Callable[..., "subprocess.Popen[str]"]
AsUser = Callable[..., str]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault that was just made."""
    path = tmp_path / "memory"
    make_folders(path)
    apply(path, scaffold(path))
    return Vault(path, tmp_path, Config(vault_format=1), path / DERIVED)


@pytest.fixture
def child() -> Child:
    """Start a process of its own that runs a program with arguments."""

    def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A folder that belongs to an ordinary user, even when the tests run as root."""
    path = Path(tempfile.mkdtemp())
    if os.getuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def as_user(child: Child) -> AsUser:
    """Run a program as an ordinary user, whom permissions bind, and give what it printed."""

    drop = f"import os\nif os.getuid() == 0: os.setgid({NOBODY}); os.setuid({NOBODY})\n"

    def run(imports: str, program: str, *arguments: object) -> str:
        process = child(imports + drop + program, *arguments)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out

    return run

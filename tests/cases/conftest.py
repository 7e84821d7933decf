"""What the tests of reported faults share: vaults of given notes, and each report's own input."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.vaults import write
from tests.command import Shell

Holding = Callable[[Mapping[str, str | bytes]], Shell]
Given = Callable[..., Shell]
Reported = Callable[[int], Path]


@pytest.fixture
def holding(shell: Shell) -> Holding:
    """Make a vault of notes, and give somebody in it."""

    def hold(notes: Mapping[str, str | bytes]) -> Shell:
        folder = shell.folder / "memory"
        write(folder, notes)
        shell.ask("init", "--vault", str(folder))
        return replace(shell, folder=folder)

    return hold


@pytest.fixture(scope="session")
def reported(shared: Path) -> Reported:
    """Find the folder of a report by its number."""

    def find(number: int) -> Path:
        [folder] = (shared / "cases").glob(f"{number:02d}-*")
        return folder

    return find


@pytest.fixture
def given(shell: Shell, reported: Reported) -> Given:
    """Copy a report's vault, and give somebody in it; nothing but ``init`` makes it writable."""

    def give(number: int, name: str = "vault", *, init: bool = False) -> Shell:
        folder = shell.folder / name
        shutil.copytree(reported(number) / name, folder)
        if init:
            shell.ask("init", "--vault", str(folder))
        return replace(shell, folder=folder, environ={"VAULTMEM_VAULT": str(folder)})

    return give

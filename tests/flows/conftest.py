"""What the tests of the flows share."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from vault_memory.flows.vault_index import VaultIndex
from vault_memory.vault.config import Config
from vault_memory.vault.layout import DERIVED, Vault

Opened = Callable[..., AbstractContextManager[VaultIndex]]
Clock = Callable[[], int]


@pytest.fixture
def notices() -> list[str]:
    """What an open index told the user."""
    return []


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder for notes."""
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def opened(notes: Path, cache: Path, notices: list[str]) -> Opened:
    """Open the index of the notes; ``clock`` is what it takes for the time."""

    @contextmanager
    def open_(*, clock: Clock | None = None, config: Config | None = None) -> Iterator[VaultIndex]:
        vault = Vault(notes, None, config or Config(), notes / DERIVED)
        with VaultIndex.open(vault, cache=cache, notify=notices.append) as index:
            if clock:
                index.clock_ns = clock
            yield index

    return open_

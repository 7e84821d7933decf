"""A vault made for an evaluation, opened as commands open theirs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import Wanted
from vault_memory.vault.config import Config
from vault_memory.vault.layout import DERIVED, Vault

EPISODES = Wanted(("turn", "source", "note"))
"""What ``graph query --episodes`` looks for."""

Tell = Callable[[str], None]
"""Told in one line what is done."""


@contextmanager
def opened(folder: Path, *, cache: Path, tell: Tell, model: str = "") -> Iterator[VaultIndex]:
    """Open the index of a vault that need not have one yet.

    Args:
        folder: The vault; its derived data lies in it.
        cache: The user's cache folder of this program.
        tell: Told what commands would tell.
        model: The folder of the model; empty for the one that comes with the package.
    """
    folder.mkdir(parents=True, exist_ok=True)
    vault = Vault(folder, None, Config(embedding_model=model), folder / DERIVED)
    with VaultIndex.open(vault, cache=cache, notify=tell) as index:
        yield index


def embed_all(index: VaultIndex, *, tell: Tell) -> None:
    """Bring the index up to its vault, vectors too."""
    answer = rebuild(index, full=False, progress=_silent, elapsed=lambda: 0.0)
    name = index.vault.path.name
    tell(f"{name}: {answer['units']} units, {answer['embedded']} embedded")


def _silent(what: str, done: int, total: int) -> None:
    del what, done, total

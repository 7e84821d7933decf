"""A vault with its index open: what every flow that asks or writes works on."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import ModelError, StorageError
from vault_memory.index.catalog import Catalog, open_catalog
from vault_memory.index.database import DamagedIndexError
from vault_memory.vault.layout import DERIVED, Vault, make_derived
from vault_memory.vault.lock import index_lock

if TYPE_CHECKING:
    from vault_memory.index.embedder import Embedder
    from vault_memory.index.embeddings import Embeddings, TokenKind
    from vault_memory.index.model import ModelFiles
    from vault_memory.index.unit_vectors import UnitVectors

THREADS = 2

TOKENS_FACT = "tokens"
"""What the catalogue calls the identity of the token vectors that every embedded turn has."""

INCOMPLETE = " incomplete"
"""Stands behind it when some were found damaged or gone."""


class VaultIndex:
    """A vault and its open index.

    Attributes:
        vault: The vault.
        catalog: What is known of its notes.
        folder: Where the derived data lies.
        cache: This program's folder in the user's cache.
        writable: Whether derived data can be kept.
        notify: Tells the user something that is no data.
        clock_ns: The wall clock, nanoseconds; compared with the times of files.
        exact: Whether searches compare with every vector; None for what costs less.
    """

    def __init__(
        self,
        vault: Vault,
        catalog: Catalog,
        *,
        folder: Path,
        cache: Path,
        notify: Callable[[str], None],
        writable: bool = True,
    ) -> None:
        self.vault = vault
        self.catalog = catalog
        self.folder = folder
        self.cache = cache
        self.notify = notify
        self.writable = writable
        self.clock_ns: Callable[[], int] = time.time_ns
        self.exact: bool | None = None

    @classmethod
    @contextmanager
    def open(
        cls, vault: Vault, *, cache: Path, notify: Callable[[str], None], keep: bool = False
    ) -> "Iterator[VaultIndex]":
        """Open the index, making it when there is none.

        A damaged one is made anew, with one line that says why. Where nothing can be written an
        index that is there is read as it is, else one is made in a folder that is removed again.

        Args:
            vault: The vault.
            cache: This program's folder in the user's cache.
            notify: Tells the user something that is no data.
            keep: Whether nothing else will do than an index that is written and stays.

        Raises:
            StorageError: The disk refuses, and an index was to be kept.
        """
        folder = vault.derived
        try:
            make_derived(folder)
            catalog = open_catalog(
                folder,
                mode="write",
                mend=lambda reason: notify(f"The index is made again from the notes: {reason}"),
            )
        except StorageError as refused:
            if keep:
                raise
            readable = _readable(vault)
            if readable is None:
                import tempfile

                notify(f"{refused.message}; indexing in memory for this command only")
                with tempfile.TemporaryDirectory(prefix="vaultmem-") as temporary:
                    folder = Path(temporary)
                    with open_catalog(folder, mode="write") as catalog:
                        yield cls(vault, catalog, folder=folder, cache=cache, notify=notify)
                return
            folder, reader = readable
            with reader:
                yield cls(vault, reader, folder=folder, cache=cache, notify=notify, writable=False)
            return
        with catalog:
            yield cls(vault, catalog, folder=folder, cache=cache, notify=notify)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the index while derived data is written."""
        timeout = self.vault.config.serve_lock_timeout_secs
        with index_lock(self.folder, timeout_seconds=timeout):
            yield

    @cached_property
    def model(self) -> "ModelFiles":
        """The embedding model's files, checked.

        Raises:
            ModelError: They are missing or damaged.
        """
        from vault_memory.index.model import find_model

        return find_model(self.vault.config.embedding_model or None, cache=self.cache)

    @cached_property
    def embedder(self) -> "Embedder":
        """What turns text into vectors; loads the model with the first text."""
        from vault_memory.index.embedder import OnnxEmbedder

        return OnnxEmbedder(self.model, cache=self.cache, threads=THREADS)

    @cached_property
    def vectors(self) -> "UnitVectors":
        """The vectors of the units."""
        from vault_memory.index.unit_vectors import UnitVectors

        return UnitVectors(
            self.catalog,
            self.folder,
            self.model.identity,
            notify=self.notify,
            writable=self.writable,
            exact=self.exact,
        )

    @contextmanager
    def embeddings(self) -> "Iterator[Embeddings]":
        """The vectors of all texts that were ever embedded."""
        from vault_memory.index.embeddings import open_embeddings

        with open_embeddings(
            self.folder,
            identity=self.model.identity,
            dimension=self.dimension,
            tokens=self.token_kind,
            mode="write",
            mend=self._embed_again,
        ) as store:
            yield store

    @contextmanager
    def known_embeddings(self) -> "Iterator[Embeddings]":
        """The same to be read only.

        Raises:
            DamagedIndexError: They are damaged or not there.
        """
        from vault_memory.index.embeddings import open_embeddings

        with open_embeddings(
            self.folder,
            identity=self.model.identity,
            dimension=self.dimension,
            tokens=self.token_kind,
        ) as store:
            yield store

    def _embed_again(self, reason: str) -> None:
        self.notify(f"Some texts may be embedded again: {reason}")
        self.lack_tokens()

    def lack_tokens(self) -> None:
        """Say in the catalogue that some turns lost their token vectors, for the next rebuild."""
        state = self.catalog.facts().get(TOKENS_FACT, "")
        if self.writable and state and not state.endswith(INCOMPLETE):
            self.catalog.set_rows({}, facts={TOKENS_FACT: f"{state}{INCOMPLETE}"})

    @property
    def token_kind(self) -> "TokenKind | None":
        """What token vectors turns have; None when the model has no projection for them."""
        from vault_memory.index.embeddings import TokenKind
        from vault_memory.index.model import TOKEN_BYTES

        if not self.model.tokens:
            return None
        return TokenKind(self.model.token_identity, TOKEN_BYTES)

    @cached_property
    def dimension(self) -> int:
        """Numbers in a vector; loads the model unless it is the one that comes with the package."""
        from vault_memory.index.vectors import DIMENSION

        return DIMENSION if self.model.shipped else self.embedder.dimension

    @property
    def model_problem(self) -> str:
        """Why nothing can be embedded; empty when it can."""
        try:
            _ = self.model
        except ModelError as error:
            return error.message
        return ""

    @property
    def model_name(self) -> str | None:
        """Which model embeds, and what it reads; None when there is none that can."""
        from vault_memory.index.model import SHIPPED

        if self.model_problem:
            return None
        if self.model.shipped:
            return f"{SHIPPED.name} (English) {self.model.identity}"
        return f"{self.model.folder.name} {self.model.identity}"


def _readable(vault: Vault) -> tuple[Path, Catalog] | None:
    """The index that is there, where it should be or else in the vault itself."""
    inside = vault.path / DERIVED
    for folder in (vault.derived, *([] if inside.is_symlink() else [inside])):
        with suppress(DamagedIndexError, StorageError):
            return folder, open_catalog(folder)
    return None

"""What is where in a vault, and where what is derived from it is kept."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import StorageError
from vault_memory.vault.config import CONFIG_FILE, Config

VAULT_FORMAT = 1
"""The format of vaults that this program writes; a newer one is only read."""

VAULT_FOLDER = "memory"
"""The vault's folder in the root of its entity."""

MEMORY = "MEMORY.md"
EPHEMERAL = "EPHEMERAL.md"
ARCHIVE = "ARCHIVE.md"
CONVERSATIONS = "conversations"
ENTITIES = "entities"
RELATIONS = "relations"
SOURCES = "sources"
VIEWS = "views"
TEMPLATES = "templates"
TRASH = ".trash"
DERIVED = ".vaultmem"

TOOL_NOTES = frozenset({EPHEMERAL, ARCHIVE})
"""Notes that the tool keeps for itself, at the vault's root: neither indexed nor counted."""


class Vault(NamedTuple):
    """An open vault.

    Attributes:
        path: The folder of notes, absolute.
        root: The root of the entity whose memory it is; None when it was given by itself.
        config: The settings that hold for it.
        derived: Where the index and logs lie; it may not exist yet.
    """

    path: Path
    root: Path | None
    config: Config
    derived: Path


def is_vault(path: Path) -> bool:
    """Whether a folder was made a vault by ``init``."""
    return (path / CONFIG_FILE).is_file()


def require_writable(vault: Vault) -> None:
    """Refuse to write to a vault that was never made one, or that is of a newer format.

    Raises:
        StorageError: The one or the other, with what to do.
    """
    if not is_vault(vault.path):
        raise StorageError(
            "these notes are read only until they are made a vault",
            where=str(vault.path),
            cure=f"Make it one, adding only what is missing: vaultmem init --vault {vault.path}",
        )
    require_known_format(vault.path, vault.config.vault_format)


def require_known_format(vault_path: Path, vault_format: int) -> None:
    """Refuse to write to a vault of a newer format.

    Raises:
        StorageError: The vault's format is newer than `VAULT_FORMAT`.
    """
    if vault_format > VAULT_FORMAT:
        raise StorageError(
            f"the vault has format {vault_format}, and this program writes {VAULT_FORMAT}: "
            "it is read, not written",
            where=str(vault_path / CONFIG_FILE),
            cure="Install a newer vaultmem",
        )


def derived_folder(path: Path, *, cache_home: Path, configured: str = "") -> Path:
    """Where the derived data of a vault lies; nothing is made.

    Args:
        path: The vault.
        cache_home: This program's folder in the user's cache.
        configured: ``[index] dir``, relative to the vault or absolute; empty for none.

    Returns:
        The configured folder, else ``.vaultmem`` in the vault, else, when that cannot be written
        or is a link, a folder in the cache. Outside the vault, each vault has its own, named by
        the vault's real path.
    """
    if configured:
        real = os.path.realpath(path)
        wanted = Path(os.path.normpath(path / configured))
        inside = Path(os.path.realpath(wanted)).is_relative_to(real)
        return wanted if inside and os.path.realpath(wanted) != real else wanted / _own(path)
    inside_vault = path / DERIVED
    if inside_vault.is_symlink() or not _can_be_written(inside_vault):
        return cache_home / "vaults" / _own(path)
    return inside_vault


def _own(path: Path) -> str:
    import hashlib

    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:16]


def _can_be_written(folder: Path) -> bool:
    existing = folder if folder.is_dir() else folder.parent
    return os.access(existing, os.W_OK | os.X_OK)


def make_derived(derived: Path) -> None:
    """Make the folder of derived data, for the user alone, ignored by git from within.

    A link in it was put there by whoever made the vault: what is written through it would replace
    a file of the user's.

    Raises:
        StorageError: The disk refuses, or something lies in the folder that is no file: a link,
            or a pipe, which would never answer.
    """
    ignore = derived / ".gitignore"
    try:
        _refuse_odd(derived)
        if not ignore.is_file():
            derived.mkdir(mode=0o700, parents=True, exist_ok=True)
            ignore.write_text("*\n", encoding="ascii")
    except OSError as error:
        raise StorageError(f"cannot be written: {error.strerror}", where=str(derived)) from None


def _refuse_odd(folder: Path) -> None:
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)):
                odd = "a link, and is not followed" if entry.is_symlink() else "no file"
                raise StorageError(f"is {odd}", where=entry.path, cure="Remove it")

"""Changing settings: a key in the vault's or the user's configuration, and whom to trust."""

from pathlib import Path

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import NoteError, StorageError, UsageError
from vault_memory.vault.config import CONFIG_FILE, USER_FILE
from vault_memory.vault.config_edit import set_value
from vault_memory.vault.layout import Vault
from vault_memory.vault.read import read_bytes
from vault_memory.vault.trust import TRUST_FILE, trust
from vault_memory.vault.write import apply, commit

FORMAT_KEY = "vault_format"
"""Stands among the settings and is none: a number too high would lock the vault."""


def set_in_vault(vault: Vault, key: str, value: str) -> Path:
    """Change one key in the vault's own configuration and return the file.

    Raises:
        UsageError: There is no such key, or it takes no such value.
    """
    commit(vault, lambda: _edited(vault.path, CONFIG_FILE, key, value))
    return vault.path / CONFIG_FILE


def set_in_user(config_folder: Path, key: str, value: str) -> Path:
    """Change one key in the user's own configuration and return the file.

    Raises:
        UsageError: There is no such key, or it takes no such value.
    """
    _make(config_folder)
    apply(config_folder, _edited(config_folder, USER_FILE, key, value))
    return config_folder / USER_FILE


def trust_vault(vault_path: Path, config_folder: Path) -> bool:
    """Trust a vault; return whether it was not trusted before.

    Raises:
        StorageError: The user's configuration folder cannot be made, read or written to.
    """
    _make(config_folder)
    try:
        change_set = trust(vault_path, config_folder)
    except OSError as error:
        raise StorageError(
            f"cannot be read: {error.strerror}", where=str(config_folder / TRUST_FILE)
        ) from None
    apply(config_folder, change_set)
    return bool(change_set.changes)


def _make(config_folder: Path) -> None:
    try:
        config_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot be made: {error.strerror}",
            where=str(config_folder),
            cure="It holds your own settings; XDG_CONFIG_HOME names another place",
        ) from None


def _edited(folder: Path, name: str, key: str, value: str) -> ChangeSet:
    if key == FORMAT_KEY:
        raise UsageError(f"{key} is no setting: it says which programs may write to the vault")
    before = read_bytes(folder, name)
    text = (before or b"").decode("utf-8", "surrogateescape")
    try:
        after = set_value(text, key, value).encode("utf-8", "surrogateescape")
    except NoteError as error:
        raise NoteError(error.problem, where=str(folder / name), cure=error.cure) from None
    if before == after:
        return ChangeSet()
    return ChangeSet((Change(name, before, after),), f"Set {key} to {value}")

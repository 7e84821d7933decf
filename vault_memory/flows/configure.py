"""Changing settings: a key in the vault's or the user's configuration, and whom to trust."""

from pathlib import Path

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.vault.config import CONFIG_FILE, USER_FILE
from vault_memory.vault.config_edit import set_value
from vault_memory.vault.layout import Vault
from vault_memory.vault.read import read_bytes
from vault_memory.vault.trust import trust
from vault_memory.vault.write import apply, commit


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
    config_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    apply(config_folder, _edited(config_folder, USER_FILE, key, value))
    return config_folder / USER_FILE


def trust_vault(vault_path: Path, config_folder: Path) -> bool:
    """Trust a vault; return whether it was not trusted before."""
    config_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    change_set = trust(vault_path, config_folder)
    apply(config_folder, change_set)
    return bool(change_set.changes)


def _edited(folder: Path, name: str, key: str, value: str) -> ChangeSet:
    before = read_bytes(folder, name)
    text = (before or b"").decode("utf-8", "surrogateescape")
    after = set_value(text, key, value).encode("utf-8", "surrogateescape")
    if before == after:
        return ChangeSet()
    return ChangeSet((Change(name, before, after),), f"Set {key} to {value}")

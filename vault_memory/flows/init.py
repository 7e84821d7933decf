"""Making a vault: its folders, its files, a git repository around it when asked for."""

import shutil
import subprocess
from pathlib import Path

from vault_memory.core.answers import InitAnswer
from vault_memory.errors import StorageError
from vault_memory.flows.configure import trust_vault
from vault_memory.vault.config import CONFIG_FILE
from vault_memory.vault.layout import Vault, require_known_format
from vault_memory.vault.lock import vault_lock
from vault_memory.vault.scaffold import FOLDERS, make_folders, scaffold
from vault_memory.vault.write import apply

GRAPH_FOLDERS = ("entities", "relations")


def init(path: Path, *, config_folder: Path, git: bool) -> InitAnswer:
    """Make a folder a vault, adding only what is missing.

    Args:
        path: The vault itself; made when it does not exist.
        config_folder: Where the user's list of trusted vaults lies; this one joins it unless it
            came with settings of somebody else's.
        git: Whether to make it a repository, unless it already lies in one.

    Raises:
        StorageError: The disk refuses, the vault is of a newer format, or there is no git.
    """
    missing = [name for name in FOLDERS if not (path / name).is_dir()]
    make_folders(path)
    with vault_lock(path, timeout_seconds=30):
        change_set = scaffold(path)
        apply(path, change_set)
    notice = None
    if any(change.path == CONFIG_FILE and change.before is None for change in change_set.changes):
        try:
            trust_vault(path, config_folder)
        except StorageError as refused:
            notice = f"The vault is made, but not noted as trusted. {refused.message}"
    new = [change.path for change in change_set.changes if change.before is None]
    created = sorted([f"{name}/" for name in missing] + new)
    changed = [change.path for change in change_set.changes if change.before is not None]
    return InitAnswer(
        vault=str(path),
        created=created,
        changed=changed,
        git=_made_repository(path) if git else False,
        notice=notice,
    )


def init_graph(vault: Vault) -> InitAnswer:
    """Make the folders of layer 0 where they are missing."""
    require_known_format(vault.path, vault.config.vault_format)
    missing = [name for name in GRAPH_FOLDERS if not (vault.path / name).is_dir()]
    make_folders(vault.path)
    return InitAnswer(
        vault=str(vault.path),
        created=[f"{name}/" for name in missing],
        changed=[],
        git=False,
        notice=None,
    )


def _made_repository(path: Path) -> bool:
    git = shutil.which("git")
    if git is None:
        raise StorageError(
            "git is not installed", where=str(path), cure="Install it, or leave out --git"
        )
    inside = subprocess.run(  # noqa: S603 - a fixed command on a folder of the user's
        [git, "-C", str(path), "rev-parse", "--is-inside-work-tree"],
        capture_output=True,
        check=False,
        text=True,
    )
    if inside.stdout.strip() == "true":
        return False
    done = subprocess.run(  # noqa: S603 - the same
        [git, "-C", str(path), "init", "--quiet"], capture_output=True, check=False, text=True
    )
    if done.returncode:
        raise StorageError(f"git init failed: {done.stderr.strip()}", where=str(path))
    return True

"""Which vault is meant, and why."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import NotFoundError, UsageError
from vault_memory.vault.config import Config
from vault_memory.vault.layout import VAULT_FOLDER, is_vault


class Located(NamedTuple):
    """A vault that was found.

    Attributes:
        path: The folder of notes, absolute.
        root: The root of the entity; None when the folder of notes was given by itself.
        reason: What named it, such as ``--vault`` or ``VAULTMEM_ROOT``.
    """

    path: Path
    root: Path | None
    reason: str


def locate(
    *,
    root_option: str,
    vault_option: str,
    environ: Mapping[str, str],
    cwd: Path,
    home: Path,
    user_config: Config,
) -> Located:
    """Find the vault: option, environment, nearest parent folder, configured default.

    Args:
        root_option: ``--root``, the root of an entity; empty for none.
        vault_option: ``--vault``, a folder of notes, made a vault or not; empty for none.
        environ: Where ``VAULTMEM_VAULT`` and ``VAULTMEM_ROOT`` are looked up.
        cwd: Where relative paths and the search upwards begin.
        home: What ``~/`` stands for.
        user_config: The user's own settings, whose ``[vault] root`` is the default.

    Raises:
        NotFoundError: There is none, or what was named does not exist.
        UsageError: Both options were given.
    """
    if root_option and vault_option:
        raise UsageError("--root and --vault name the same thing", cure="Give one of them")
    named = (
        ("--root", root_option, True),
        ("--vault", vault_option, False),
        ("VAULTMEM_VAULT", environ.get("VAULTMEM_VAULT", ""), False),
        ("VAULTMEM_ROOT", environ.get("VAULTMEM_ROOT", ""), True),
    )
    for reason, text, is_root in named:
        if text:
            path = absolute(text, cwd=cwd, home=home)
            return _of_root(path, reason) if is_root else _of_vault(path, reason)
    for folder in (cwd, *cwd.parents):
        if is_vault(folder):
            return Located(folder, _root_of(folder), f"the nearest vault above {cwd}")
        if is_vault(folder / VAULT_FOLDER):
            return Located(folder / VAULT_FOLDER, folder, f"the nearest vault above {cwd}")
    if user_config.vault_root:
        path = absolute(user_config.vault_root, cwd=home, home=home)
        return _of_root(path, "the configured default")
    raise NotFoundError(
        f"No vault in {cwd} or above it", cure="Make one with: vaultmem init, or name one: --vault"
    )


def absolute(text: str, *, cwd: Path, home: Path) -> Path:
    """A path as a person wrote it, made absolute and without ``..``; links in it stay."""
    if text == "~" or text.startswith("~/"):
        text = f"{home}/{text[2:]}"
    return Path(os.path.normpath(cwd / text))


def _of_root(root: Path, reason: str) -> Located:
    path = root / VAULT_FOLDER
    if path.is_dir():
        return Located(path, root, reason)
    if is_vault(root):
        raise NotFoundError(
            f"No vault at {path}", cure=f"{root} is a vault itself: name it with --vault {root}"
        )
    raise NotFoundError(f"No vault at {path}", cure=f"Make one with: vaultmem init {root}")


def _of_vault(path: Path, reason: str) -> Located:
    if path.is_dir():
        return Located(path, _root_of(path), reason)
    raise NotFoundError(f"No vault at {path}", cure=f"Make one with: vaultmem init --vault {path}")


def _root_of(path: Path) -> Path | None:
    return path.parent if path.name == VAULT_FOLDER else None

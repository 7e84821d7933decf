"""Which vaults the user trusts to name programs, addresses and folders outside themselves."""

import json
import os
from pathlib import Path

from vault_memory.core.changes import Change, ChangeSet

TRUST_FILE = "trusted.json"
"""A JSON list of the real paths of trusted vaults, in the user's configuration folder."""


def is_trusted(vault_path: Path, config_folder: Path) -> bool:
    """Whether the user made this vault or trusted it; a list that cannot be read trusts none."""
    try:
        data = (config_folder / TRUST_FILE).read_bytes()
    except OSError:
        return False
    return os.path.realpath(vault_path) in _paths(data)


def trust(vault_path: Path, config_folder: Path) -> ChangeSet:
    """The change to the user's configuration folder that makes a vault trusted."""
    try:
        before = (config_folder / TRUST_FILE).read_bytes()
    except FileNotFoundError:
        before = None
    paths = _paths(before or b"")
    paths.add(os.path.realpath(vault_path))
    after = json.dumps(sorted(paths), indent=1).encode("ascii") + b"\n"
    change = Change(TRUST_FILE, before, after)
    return ChangeSet((change,) if before != after else (), f"Trust {vault_path}")


def _paths(data: bytes) -> set[str]:
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError):
        return set()
    return {path for path in listed if isinstance(path, str)} if isinstance(listed, list) else set()

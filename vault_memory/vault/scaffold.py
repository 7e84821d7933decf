"""What ``init`` puts into a vault: only what is missing, and nothing is overwritten."""

import os
from collections.abc import Iterator
from pathlib import Path

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import StorageError
from vault_memory.notes import archive_table, ephemeral
from vault_memory.vault.config import CONFIG_FILE
from vault_memory.vault.config_edit import set_value
from vault_memory.vault.layout import (
    ARCHIVE,
    CONVERSATIONS,
    DERIVED,
    ENTITIES,
    EPHEMERAL,
    MEMORY,
    RELATIONS,
    SOURCES,
    TEMPLATES,
    TRASH,
    VAULT_FORMAT,
)
from vault_memory.vault.read import read_bytes
from vault_memory.vault.replace import TEMPORARY_GLOB

FOLDERS = (CONVERSATIONS, ENTITIES, RELATIONS, SOURCES)

_NOTES = {
    MEMORY: "# Memory\n",
    EPHEMERAL: f"{ephemeral.HEADING}\n",
    ARCHIVE: archive_table.EMPTY,
}

_IGNORED = (f"{DERIVED}/", f"{TRASH}/", TEMPORARY_GLOB)
_ATTRIBUTES = (
    f"{ENTITIES}/** merge=vaultmem",
    f"{RELATIONS}/** merge=vaultmem",
    f"{CONVERSATIONS}/** merge=vaultmem",
    f"{SOURCES}/** merge=vaultmem",
    f"/{ARCHIVE} merge=vaultmem",
    f"/{EPHEMERAL} merge=vaultmem",
)

_CONFIG = f"""\
# Configuration of this vault. What is commented out shows the default.
vault_format = {VAULT_FORMAT}

[ephemeral]
# max_entries = 5                # sessions in EPHEMERAL.md, 1 to 50

[vault]
# exclude = ["drafts/", "*.tmp.md"]

[graph]
# single_valued = ["prefers_editor"]   # relations that hold one value at a time

[graph.provenance]
# external = 1.0                 # weight of a new evidence line, by who spoke
# human = 0.8
# agent = 0.05
# agent_cap = 1.0                # all agent lines of a belief together, each way

[graph.half_life_days]
# default = 180                  # and by type, such as: preference = 365
"""


def scaffold(vault_path: Path) -> ChangeSet:
    """The changes that make a folder a vault; applied twice, the second time is empty.

    Args:
        vault_path: The folder, which exists (see `make_folders`).
    """
    wanted = {path: text.encode() for path, text in _NOTES.items()}
    if not _has_twin(vault_path, TEMPLATES):
        wanted |= dict(_templates())
    changes = [
        Change(path, None, data)
        for path, data in wanted.items()
        if not os.path.lexists(vault_path / path)
    ]
    for path, lines in ((".gitignore", _IGNORED), (".gitattributes", _ATTRIBUTES)):
        before = read_bytes(vault_path, path)
        changes.append(Change(path, before, _with_lines(before or b"", lines)))
    before = read_bytes(vault_path, CONFIG_FILE)
    changes.append(Change(CONFIG_FILE, before, _config(before)))
    return ChangeSet(
        tuple(change for change in changes if change.before != change.after), "Make a vault"
    )


def make_folders(vault_path: Path) -> None:
    """Make the vault's folder and those in it, which git does not keep while they are empty.

    Raises:
        StorageError: The disk refuses.
    """
    for folder in (vault_path, *(vault_path / name for name in FOLDERS)):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot be made: {error.strerror}", where=str(folder)) from None


def _has_twin(folder: Path, name: str) -> bool:
    """Whether a name that differs in case only is there, which some disks take for the same."""
    return any(other.name != name and other.name.lower() == name for other in folder.iterdir())


def _config(before: bytes | None) -> bytes:
    if not before:
        return _CONFIG.encode()
    import tomllib

    try:
        text = before.decode("utf-8")
        stated = "vault_format" in tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return before
    return before if stated else set_value(text, "vault_format", str(VAULT_FORMAT)).encode()


def _with_lines(before: bytes, wanted: tuple[str, ...]) -> bytes:
    present = {line.strip() for line in before.split(b"\n")}
    missing = [line.encode() for line in wanted if line.encode() not in present]
    if not missing:
        return before
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    gap = newline if before and not before.endswith(b"\n") else b""
    return before + gap + newline.join(missing) + newline


def _templates() -> Iterator[tuple[str, bytes]]:
    """The templates for notes made by hand: in the package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / TEMPLATES, package.parent / TEMPLATES):
        if folder.is_dir():
            for file in sorted(folder.glob("*.md")):
                yield f"{TEMPLATES}/{file.name}", file.read_bytes()
            return

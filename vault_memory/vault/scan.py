"""One walk over a vault: which notes there are, and what tells whether they changed."""

import os
import re
import unicodedata
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import NotFoundError, StorageError
from vault_memory.vault.exclude import Excluded
from vault_memory.vault.layout import TEMPLATES, TOOL_NOTES, VIEWS
from vault_memory.vault.read import read_bytes

_TEMPLATE_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
_SKIPPED_ANYWHERE = frozenset({"node_modules", "$RECYCLE.BIN"})
_SKIPPED_AT_ROOT = frozenset({TEMPLATES, VIEWS, "trash", "_trash"})
_ENDINGS = frozenset({".md", ".MD", ".Md", ".mD"})
_COPY = (
    r"\.sync-conflict-\d{8}-\d{6}-[0-9a-z]{7}\b"
    r"|\([^()]*(?:conflicted copy|case conflict)[^()]*\)"
    r"|_conflict-\d{8}-\d{6}\b"
)


Seen = tuple[str, int, int, int]
"""A note on disk, as a plain tuple because there are many: its path, relative to the vault with
``/`` and as found (bad UTF-8 as surrogates), size, mtime_ns and inode; one of the last three
differs when it changed."""


class Scan(NamedTuple):
    """What a walk over a vault found, each list sorted by path.

    Attributes:
        files: The notes.
        copies: Conflict copies that a sync program left, which are not read.
        links: Symbolic links with a note's name or to a folder, which are not followed.
        unreadable: Folders that could not be listed; what lies in them is unknown, not gone.
    """

    files: list[Seen]
    copies: list[str]
    links: list[str]
    unreadable: list[str]


def scan(vault_path: Path, *, exclude: Sequence[str] = ()) -> Scan:
    """List the notes of a vault by one walk; nothing is opened.

    Left out are names that begin with a dot, editors' lock files, ``node_modules``, trash,
    ``views``, ``templates`` and the template folder of Obsidian's settings, the tool's own notes,
    what is excluded, and everything behind a symbolic link: one that stays in the vault leads
    to what is read anyway, and one that leaves it is not followed.

    Args:
        vault_path: The vault.
        exclude: Globs as in ``[vault] exclude``, see `Excluded`.

    Raises:
        NotFoundError: There is no such folder.
        StorageError: It cannot be listed.
    """
    found = Scan([], [], [], [])
    walk = _Walk(found, Excluded(exclude), _template_folders(vault_path))
    try:
        folders = walk.list_folder(str(vault_path), "")
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(f"No vault at {vault_path}") from None
    except OSError as error:
        raise StorageError(f"cannot be read: {error.strerror}", where=str(vault_path)) from None
    base = f"{vault_path}/"
    while folders:
        folder = folders.pop()
        try:
            folders += walk.list_folder(base + folder, folder + "/")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            found.unreadable.append(folder)
    found.files.sort(key=itemgetter(0))
    for paths in (found.copies, found.links, found.unreadable):
        paths.sort()
    return found


class _Walk(NamedTuple):
    """What is the same for every folder of a walk."""

    found: Scan
    excluded: Excluded
    templates: frozenset[str]

    def list_folder(self, folder: str, prefix: str) -> list[str]:
        """Take the notes of one folder, and give the folders in it that are to be read.

        This is the loop that "nothing changed" costs: it does for a plain note no more than
        it must.
        """
        folders: list[str] = []
        is_odd = bool(self.excluded) or not prefix
        add = self.found.files.append
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                if name[-3:] in _ENDINGS and entry.is_file(follow_symlinks=False):
                    path = prefix + name
                    if (is_odd or name[0] == "~" or "onflict" in name) and self._is_left_out(path):
                        continue
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    add((path, status.st_size, status.st_mtime_ns, status.st_ino))
                elif not entry.is_file(follow_symlinks=False):
                    self._take_folder(entry, prefix, folders)
        return folders

    def _is_left_out(self, path: str) -> bool:
        name = path.rpartition("/")[2]
        if name[:2] == "~$" or path in TOOL_NOTES or self.excluded.matches(path, is_folder=False):
            return True
        if "onflict" in name and re.search(_COPY, name, re.IGNORECASE):
            self.found.copies.append(path)
            return True
        return False

    def _take_folder(self, entry: "os.DirEntry[str]", prefix: str, folders: list[str]) -> None:
        path = prefix + entry.name
        if entry.is_symlink():
            if entry.name[-3:] in _ENDINGS or entry.is_dir():
                self.found.links.append(path)
        elif entry.is_dir(follow_symlinks=False) and not self._is_skipped(entry.name, path):
            folders.append(path)

    def _is_skipped(self, name: str, path: str) -> bool:
        if name in _SKIPPED_ANYWHERE or (name == path and name.lower() in _SKIPPED_AT_ROOT):
            return True
        if self.templates and _folded(path) in self.templates:
            return True
        return bool(self.excluded) and self.excluded.matches(path, is_folder=True)


def _template_folders(vault_path: Path) -> frozenset[str]:
    """The template folders that Obsidian's settings name, as far as they can be read."""
    found = set()
    for file, key in _TEMPLATE_SETTINGS:
        try:
            data = read_bytes(vault_path, file)
        except StorageError:
            continue
        settings = _json(data) if data else None
        named = settings.get(key) if isinstance(settings, dict) else None
        if isinstance(named, str) and named.strip("/ ") not in {"", "."}:
            found.add(_folded(named.strip("/ ")))
    return frozenset(found)


def _json(data: bytes) -> object:
    import json

    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()

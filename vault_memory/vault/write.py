"""Applying a change set: every file is replaced as a whole, and only if nobody changed it since."""

import os
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import ConflictError, StorageError, UsageError
from vault_memory.vault.inside import NOT_FOLLOWED, parent_of
from vault_memory.vault.layout import Vault, require_writable
from vault_memory.vault.lock import vault_lock
from vault_memory.vault.read import read_in
from vault_memory.vault.replace import (
    is_spelled,
    is_temporary,
    place_new,
    sync,
    temporary_name,
    write_aside,
)


class ChangedError(ConflictError):
    """A file is no longer what the change was computed from; nothing was written.

    Attributes:
        path: The file, relative to the vault.
    """

    def __init__(self, path: str) -> None:
        super().__init__("changed meanwhile", where=path, cure="Try again")
        self.path = path


def commit(
    vault: Vault,
    plan: Callable[[], ChangeSet],
    *,
    attempts: int = 5,
    dry_run: bool = False,
    before_rename: Callable[[str], None] | None = None,
) -> ChangeSet:
    """Plan changes and apply them while nobody else of ours writes.

    Args:
        vault: The vault.
        plan: Reads what it needs and computes the changes; called again when a note was changed
            by somebody else in between. No model belongs in it.
        attempts: How often to plan before giving up.
        dry_run: Whether to plan only; nothing is locked or written.
        before_rename: As in `apply`.

    Returns:
        The changes that were (or would be) applied.

    Raises:
        ConflictError: A note was changed by somebody else each time.
        LockedError: Another process held the vault for too long.
        StorageError: The disk refused, or the vault may not be written.
    """
    require_writable(vault)
    if dry_run:
        return plan()
    changed = ""
    timeout = vault.config.serve_lock_timeout_secs
    with vault_lock(vault.path, timeout_seconds=timeout) as left_over:
        if left_over:
            sweep(vault.path)
        for _ in range(attempts):
            change_set = plan()
            try:
                apply(vault.path, change_set, before_rename=before_rename)
            except ChangedError as error:
                changed = error.path
            else:
                return change_set
    raise ConflictError(
        f"was changed by another program each of the {attempts} times it was to be written",
        where=changed,
        cure="Nothing was written; try again when it is still",
    )


def apply(
    vault_path: Path,
    change_set: ChangeSet,
    *,
    before_rename: Callable[[str], None] | None = None,
) -> None:
    """Write a change set to disk, the caller holding the lock.

    All new files are written aside and synced, then all old ones are compared with what the
    changes were computed from, then all are renamed into place: new files first, so that nothing
    names one that is not there, and removals last.

    Args:
        vault_path: The folder that the paths are relative to.
        change_set: What to create, replace and remove.
        before_rename: Called with each path right before it is put in place.

    Raises:
        ChangedError: A file is not what the change was computed from; nothing was written.
        ConflictError: A new name is, on this disk, the name of another file.
        StorageError: The disk refused, or a link stands in the way.
        UsageError: A path does not lie in the vault, or is there twice.
    """
    changes = [change for change in change_set.changes if change.before != change.after]
    if len({change.path for change in changes}) < len(changes):
        raise UsageError("a change set names a path twice")
    changes.sort(key=lambda change: (change.after is None, change.before is not None))
    write = _Write(vault_path, changes)
    try:
        for step in (write.set_aside, write.sync, write.compare):
            for change in changes:
                write.at = change.path
                step(change)
        for change in changes:
            write.at = change.path
            if before_rename:
                before_rename(change.path)
            write.put(change)
        write.sync_folders()
    except OSError as error:
        raise _refused(error, write.at) from None
    finally:
        write.clear()


def sweep(vault_path: Path) -> None:
    """Remove the temporary files of a write whose process was killed."""
    for folder, folders, files in os.walk(vault_path):
        folders[:] = [name for name in folders if name not in {".git", "node_modules"}]
        for name in filter(is_temporary, files):
            with suppress(OSError):
                Path(folder, name).unlink()


class _Write:
    """One change set on its way to the disk."""

    def __init__(self, vault_path: Path, changes: list[Change]) -> None:
        self.at = ""
        self._vault = vault_path
        self._removed = {_folded(c.path): c.path for c in changes if c.after is None}
        self._temporaries: dict[str, str] = {}
        self._replaced: set[str] = set()
        self._folders: dict[str, str] = {}

    def set_aside(self, change: Change) -> None:
        """Write the new bytes beside the file."""
        if change.after is None:
            return
        with parent_of(self._vault, change.path, make=change.before is None) as (folder, name):
            temporary = self._temporaries[change.path] = temporary_name()
            old = name if change.before is not None else ""
            write_aside(folder, temporary, change.after, old=old)

    def sync(self, change: Change) -> None:
        """Have the new bytes on the disk."""
        if change.after is not None:
            with parent_of(self._vault, change.path) as (folder, _):
                sync(folder, self._temporaries[change.path])

    def compare(self, change: Change) -> None:
        """Refuse a change whose file is no longer what it was computed from."""
        try:
            with parent_of(self._vault, change.path) as (folder, name):
                current = read_in(folder, name)
                if current is None:
                    raise StorageError("a folder or device stands in the way", where=change.path)
                if change.before is None and not is_spelled(folder, name):
                    if self._twin_of(change):
                        return
                    raise ConflictError(
                        "is, on this disk, the name of another file", where=change.path
                    )
        except FileNotFoundError:
            current = None
        if current != change.before:
            raise ChangedError(change.path)

    def put(self, change: Change) -> None:
        """Rename the new file into place, or remove the old one."""
        self._folders[change.path.rpartition("/")[0]] = change.path
        with parent_of(self._vault, change.path) as (folder, name):
            if change.after is None:
                if change.path not in self._replaced:
                    os.unlink(name, dir_fd=folder)
                return
            temporary = self._temporaries[change.path]
            if change.before is not None:
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            else:
                self._put_new(folder, temporary, name, change)
        del self._temporaries[change.path]

    def _put_new(self, folder: int, temporary: str, name: str, change: Change) -> None:
        try:
            place_new(folder, temporary, name)
        except FileExistsError:
            twin = self._twin_of(change)
            if not twin or is_spelled(folder, name):
                raise ChangedError(change.path) from None
            with parent_of(self._vault, twin) as (old_folder, old):
                os.rename(temporary, old, src_dir_fd=folder, dst_dir_fd=old_folder)
                os.rename(old, name, src_dir_fd=old_folder, dst_dir_fd=folder)
            self._replaced.add(twin)

    def _twin_of(self, change: Change) -> str:
        """The path that is removed meanwhile and that is, on this disk, the same file."""
        twin = self._removed.get(_folded(change.path), "")
        if not twin:
            return ""
        with (
            parent_of(self._vault, twin) as (old_folder, old),
            parent_of(self._vault, change.path) as (folder, name),
        ):
            one = os.stat(old, dir_fd=old_folder, follow_symlinks=False)
            other = os.stat(name, dir_fd=folder, follow_symlinks=False)
            return twin if os.path.samestat(one, other) else ""

    def sync_folders(self) -> None:
        """Have the names on the disk too, where it can do that for folders."""
        for path in self._folders.values():
            with suppress(OSError), parent_of(self._vault, path) as (folder, _):
                os.fsync(folder)

    def clear(self) -> None:
        """Remove what was written aside and not put in place."""
        for path, temporary in self._temporaries.items():
            with suppress(OSError), parent_of(self._vault, path) as (folder, _):
                os.unlink(temporary, dir_fd=folder)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _refused(error: OSError, path: str) -> StorageError:
    if error.errno in NOT_FOLLOWED:
        return StorageError(
            "a link or file stands in the way, and links are not followed", where=path
        )
    return StorageError(f"cannot be written: {error.strerror}", where=path)

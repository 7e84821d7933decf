"""Hooks of an agent's program: installed in its settings file, looked at, taken out again."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from vault_memory.clients.claude_code import NAME
from vault_memory.clients.hook_commands import HOOKS, Hook, OwnCommand
from vault_memory.clients.hook_settings import Found, installed, own_hooks, uninstalled
from vault_memory.clients.json_text import JsonTextError
from vault_memory.core.answers import HookItem, HooksAnswer
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import ConflictError, StorageError
from vault_memory.notes.text import decode_bytes, encode_text
from vault_memory.vault.diff import diff
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import ChangedError, apply

BACKUP = ".vaultmem-backup"
"""What the name of the copy of a settings file ends in."""

_ATTEMPTS = 5

CommandOf = Callable[[Hook, OwnCommand | None], str]


class Settings(NamedTuple):
    """A settings file, and what hooks in it are to call.

    Attributes:
        path: The file; it may be a link, which stays one.
        scope: Whose it is.
        program: How this program is to be called.
        place: Which vault was named for the hooks, as options; empty when none was.
        near: Which vault to name where neither that nor a hook that stands names one.
    """

    path: Path
    scope: Literal["user", "project"]
    program: str
    place: Sequence[str] = ()
    near: Sequence[str] = ()

    @property
    def real(self) -> Path:
        """The file that is written."""
        return Path(os.path.realpath(self.path))

    def commands(self, text: str) -> CommandOf:
        """Today's command for each hook of a settings text, which keeps what a person added."""
        standing = own_hooks(text) if text.strip("\ufeff \t\r\n") else ()
        near = next((one.own.place for one in standing), tuple(self.near))

        def command_of(hook: Hook, own: OwnCommand | None) -> str:
            fresh = OwnCommand(self.program, tuple(self.place) or near, hook.verb)
            return (own.renewed(self.program, self.place) if own else fresh).line

        return command_of


def install(settings: Settings, *, dry_run: bool) -> HooksAnswer:
    """Put our hooks into the settings, each once; what is not ours keeps every byte.

    The file as it was before the first time is kept beside it.

    Raises:
        JsonTextError: It cannot be parsed, or has not the shape that the client reads.
        ConflictError: Another program changed it each time it was to be written.
        StorageError: The disk refuses.
    """

    def plan(before: bytes | None, backup: bytes | None) -> list[Change]:
        text = decode_bytes(before or b"")
        after = encode_text(installed(text, settings.commands(text)))
        changes = [Change(settings.real.name, before, after)]
        if before is not None and after != before and (backup is None or not _own(text)):
            changes.insert(0, Change(settings.real.name + BACKUP, backup, before))
        return changes

    return _changed(settings, plan, dry_run=dry_run)


def uninstall(settings: Settings, *, dry_run: bool) -> HooksAnswer:
    """Take our hooks out of the settings.

    A file that is as ``install`` left it becomes what it was before, to the byte, and goes if there
    was none. One that was changed since loses our hooks and nothing else.

    Raises:
        JsonTextError: It cannot be parsed.
        ConflictError: Another program changed it each time it was to be written.
        StorageError: The disk refuses.
    """

    def plan(before: bytes | None, backup: bytes | None) -> list[Change]:
        if before is None:
            return []
        found = own_hooks(decode_bytes(before))
        first = decode_bytes(backup or b"")
        if not found or not _was_installed(first, before, found):
            after = encode_text(uninstalled(decode_bytes(before)))
            return [Change(settings.real.name, before, after)]
        if backup is None:
            return [Change(settings.real.name, before, None)]
        again = encode_text(uninstalled(first)) if _own(first) else backup
        gone = [Change(settings.real.name + BACKUP, backup, None)] if again == backup else []
        return [Change(settings.real.name, before, again), *gone]

    return _changed(settings, plan, dry_run=dry_run)


def status(settings: Settings) -> HooksAnswer:
    """Look which of our hooks are installed.

    Raises:
        JsonTextError: The settings cannot be parsed.
        StorageError: They cannot be read.
    """
    return _answer(settings, _read(settings, "") or b"", ())


def _changed(
    settings: Settings,
    plan: Callable[[bytes | None, bytes | None], list[Change]],
    *,
    dry_run: bool,
) -> HooksAnswer:
    folder = settings.real.parent
    for _ in range(_ATTEMPTS):
        before = _read(settings, "")
        try:
            planned = plan(before, _read(settings, BACKUP))
        except JsonTextError as error:
            raise error.at(str(settings.path)) from None
        changes = tuple(change for change in planned if change.before != change.after)
        change_set = ChangeSet(changes, "Change hooks")
        after = next((each.after for each in planned if each.path == settings.real.name), before)
        if dry_run:
            shown = tuple(each for each in changes if each.path == settings.real.name)
            return _answer(settings, after or b"", changes, shown=diff(ChangeSet(shown)))
        try:
            if changes:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            apply(folder, change_set)
        except ChangedError:
            continue
        except OSError as error:
            raise StorageError(f"cannot be made: {error.strerror}", where=str(folder)) from None
        return _answer(settings, after or b"", changes)
    raise ConflictError(
        f"was changed by another program each of the {_ATTEMPTS} times it was to be written",
        where=str(settings.path),
    )


def _read(settings: Settings, ending: str) -> bytes | None:
    real = settings.real
    return read_bytes(real.parent, real.name + ending) if real.parent.is_dir() else None


def _own(text: str) -> bool:
    try:
        return bool(own_hooks(text))
    except JsonTextError:
        return False


def _was_installed(first: str, before: bytes, found: Sequence[Found]) -> bool:
    """Whether installing the commands that stand there would make the file of its backup."""
    standing = {(one.event, one.own.verb): one.command for one in found}

    def command_of(hook: Hook, _: OwnCommand | None) -> str:
        return standing.get((hook.event, hook.verb), "")

    try:
        return encode_text(installed(first, command_of)) == before
    except JsonTextError:
        return False


def _answer(
    settings: Settings, data: bytes, changes: Sequence[Change], *, shown: str | None = None
) -> HooksAnswer:
    text = decode_bytes(data)
    try:
        found = {
            (one.event, one.own.verb): one for one in (own_hooks(text) if text.strip() else ())
        }
    except JsonTextError as error:
        raise error.at(str(settings.path)) from None
    command_of = settings.commands(text)
    backup = settings.real.with_name(settings.real.name + BACKUP)
    return HooksAnswer(
        client=NAME,
        scope=settings.scope,
        settings=str(settings.path),
        hooks=[_item(hook, found.get((hook.event, hook.verb)), command_of) for hook in HOOKS],
        changed=bool(changes),
        backup=str(backup) if backup.is_file() else None,
        notice=None,
        diff=shown,
    )


def _item(hook: Hook, found: Found | None, command_of: CommandOf) -> HookItem:
    wanted = command_of(hook, found.own if found else None)
    if found is None:
        return HookItem(
            event=hook.event,
            matcher=hook.matcher or None,
            command=wanted,
            timeout=hook.timeout,
            state="missing",
        )
    return HookItem(
        event=found.event,
        matcher=found.matcher or None,
        command=found.command,
        timeout=found.timeout,
        state="installed" if found.command == wanted else "outdated",
    )

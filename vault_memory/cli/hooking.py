"""How a command behaves as a hook: where its session is, and what it starts beside it."""

from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.cli.app import App
from vault_memory.errors import NotFoundError, TranscriptError, UsageError

if TYPE_CHECKING:
    from vault_memory.cli.hook_input import Payload

WAIT_FOR_ARCHIVER = 0.6
"""Seconds in which an archiver mostly is done; a container may end with the hook that began it."""

RUNNING_MINUTES = 5
"""A session whose file was written to this recently may still be running."""

_STARTING = frozenset({"startup", "resume", "clear", "fork"})


def transcript_of(payload: "Payload | None", app: App) -> Path:
    """The session's file that a hook was told.

    Raises:
        TranscriptError: It was told none.
        NotFoundError: There is no such file.
    """
    from vault_memory.vault.locate import absolute

    if payload is None:
        raise TranscriptError("standard input is not the JSON object that a hook gives")
    named = payload.get("transcript_path")
    if not isinstance(named, str) or not named:
        raise TranscriptError("the hook names no transcript_path")
    path = absolute(named, cwd=app.cwd, home=app.home)
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):
        pass
    raise NotFoundError("no such transcript", where=named[:200].replace("\0", "\\0"))


def working_folder_of(payload: "Payload | None", app: App) -> Path:
    """The folder that the agent works in."""
    named = (payload or {}).get("cwd")
    return Path(named) if isinstance(named, str) and named.startswith("/") else app.cwd


def archive_detached(app: App, transcript: Path) -> str | None:
    """Start the archiver of a session and wait a moment for what it says; None when it works on.

    Raises:
        NotFoundError: There is no vault.
        StorageError: It may not be written to.
        OSError: The system starts no more processes.
    """
    from vault_memory.cli.detached import start_detached

    words = ["--vault", str(app.writable_vault().path), "archive-session", "--hook"]
    told = ["-v"] if app.verbose else []
    return start_detached(
        [*words, *told, "--transcript", str(transcript)], app.environ, patience=WAIT_FOR_ARCHIVER
    )


def catch_up(app: App, payload: "Payload") -> None:
    """Start archiving, beside this session, those of its project whose end never came.

    Raises:
        OSError: The system starts no more processes.
    """
    from vault_memory.cli.detached import start_detached
    from vault_memory.vault.layout import is_vault

    if payload.get("source") not in _STARTING or not is_vault(app.vault.path):
        return
    words = ["--vault", str(app.vault.path), "archive", "--all-unarchived", "--hook"]
    project = str(working_folder_of(payload, app))
    start_detached([*words, "--project", project, "--idle", str(RUNNING_MINUTES)], app.environ)


def require_payload_or_transcript(app: App) -> None:
    """Refuse to wait for hook JSON that a person would have to type.

    Raises:
        UsageError: Standard input is a terminal.
    """
    if app.typed_at:
        raise UsageError("Name a transcript with --transcript FILE, or give hook JSON on stdin")

"""``vaultmem archive-session``: one session of an agent into the archive."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.cli.render import counted
from vault_memory.core.answers import ArchiveAnswer
from vault_memory.errors import NotFoundError, TranscriptError, UsageError


@click.command("archive-session", cls=VaultCommand)
@click.option(
    "--transcript", default="", metavar="FILE", help="The session's file; - reads it from stdin."
)
@click.option("--hook", is_flag=True, help="Read hook JSON on stdin and always exit 0.")
@click.option("--dry-run", is_flag=True, help="Print the diff, write nothing.")
@click.pass_obj
def archive_session(app: App, *, transcript: str, hook: bool, dry_run: bool) -> None:
    """Archive one session of an agent.

    It becomes a conversation note, a row in ARCHIVE.md and an entry in EPHEMERAL.md.
    Without --transcript the file's path comes from hook JSON on standard input.
    """
    if transcript and not hook:
        _archive(app, *_named(app, transcript), dry_run=dry_run)
        return
    if not hook and sys.stdin.isatty():
        raise UsageError("Name a transcript with --transcript FILE, or give hook JSON on stdin")
    app.hook = True
    payload = _payload(app.stdin)
    _archive(app, *_from_hook(payload, app.cwd), dry_run=dry_run)


def _archive(app: App, data: bytes, name: str, *, dry_run: bool) -> None:
    from vault_memory.flows.archive import archive

    with app.open_writer() as index:
        answer = archive(index, data, name=name, dry_run=dry_run)
    app.say(answer["notice"])
    for what, number in answer["skipped"].items():
        app.detail(f"{number} {what} skipped")
    app.emit(answer, [_sentence(answer), *([answer["diff"]] if answer["diff"] else [])])


def _named(app: App, transcript: str) -> tuple[bytes, str]:
    if transcript == "-":
        return app.stdin, "stdin"
    path = app.cwd / Path(transcript).expanduser()
    try:
        return path.read_bytes(), path.name
    except FileNotFoundError:
        raise NotFoundError(
            "no such transcript", where=transcript, cure="Name the .jsonl file of the session"
        ) from None


def _payload(data: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        raise TranscriptError("standard input is not the JSON that a hook gives") from None
    if not isinstance(payload, dict):
        raise TranscriptError("standard input is not the JSON object that a hook gives")
    return payload


def _from_hook(payload: dict[str, Any], cwd: Path) -> tuple[bytes, str]:
    named = payload.get("transcript_path")
    if not isinstance(named, str) or not named:
        raise TranscriptError("the hook names no transcript_path")
    path = cwd / Path(named).expanduser()
    if not path.is_file():
        raise NotFoundError("no such transcript", where=named)
    return path.read_bytes(), path.name


def _sentence(answer: ArchiveAnswer) -> str:
    if answer["path"] is None:
        return "Nothing archived."
    what = "Archived" if answer["created"] else "Updated" if answer["updated"] else "Unchanged:"
    skipped = sum(answer["skipped"].values())
    odd = f", {counted(skipped, 'record')} skipped" if skipped else ""
    secrets = counted(answer["redacted"], "secret")
    hidden = f", {secrets} redacted" if answer["redacted"] else ""
    return f"{what} {answer['path']}: {counted(answer['messages'], 'message')}{odd}{hidden}"

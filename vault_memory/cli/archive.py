"""``vaultmem archive-session``, ``checkpoint`` and ``archive``: sessions into the archive."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vault_memory.cli.app import App
from vault_memory.cli.hooking import (
    archive_detached,
    require_payload_or_transcript,
    transcript_of,
)
from vault_memory.cli.lazy import VaultCommand
from vault_memory.cli.render import counted
from vault_memory.errors import UsageError

if TYPE_CHECKING:
    from vault_memory.core.answers import ArchiveAllAnswer, ArchiveAnswer
    from vault_memory.core.conversation import Source

transcript_option = click.option(
    "--transcript", default="", metavar="FILE", help="The session's file; - reads it from stdin."
)
hook_option = click.option("--hook", is_flag=True, help="Always exit 0, and print no data.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Print the diff, write nothing.")


@click.command("archive-session", cls=VaultCommand)
@transcript_option
@hook_option
@dry_run_option
@click.pass_obj
def archive_session(app: App, *, transcript: str, hook: bool, dry_run: bool) -> None:
    """Archive one session of an agent.

    It becomes a conversation note, a row in ARCHIVE.md and an entry in EPHEMERAL.md. Without
    --transcript the file's path comes from hook JSON on standard input, and the archiving goes on
    by itself when it takes longer than a moment.
    """
    if transcript:
        _archive(app, transcript, "session", dry_run=dry_run)
        return
    path = _hooked(app, hook=hook)
    if dry_run:
        _archive(app, str(path), "session", dry_run=True)
        return
    try:
        said = archive_detached(app, path)
    except OSError:
        _archive(app, str(path), "session", dry_run=False)
        return
    if said is None:
        app.notice(f"Archiving {path.name} goes on in the background.")
    elif said:
        app.notice(said)


@click.command(cls=VaultCommand)
@transcript_option
@hook_option
@dry_run_option
@click.pass_obj
def checkpoint(app: App, *, transcript: str, hook: bool, dry_run: bool) -> None:
    """Save the conversation so far, before an agent's context is compacted.

    It becomes a conversation note and a row in ARCHIVE.md; the entry in EPHEMERAL.md comes when the
    session is over. Without --transcript the file's path comes from hook JSON on standard input.
    """
    named = transcript or str(_hooked(app, hook=hook))
    _archive(app, named, "checkpoint", dry_run=dry_run)


@click.command(cls=VaultCommand)
@click.option(
    "--all-unarchived", is_flag=True, help="Every session that is not archived, or grew since."
)
@click.option(
    "--since", default="", metavar="DATE", help="Only sessions written to since that day."
)
@click.option("--project", default="", metavar="DIR", help="Only sessions that began in DIR.")
@click.option(
    "--idle",
    type=click.IntRange(min=0),
    default=0,
    metavar="MINUTES",
    help="Leave out sessions written to within the last MINUTES: they may be running.",
)
@hook_option
@click.pass_obj
def archive(
    app: App, *, all_unarchived: bool, since: str, project: str, idle: int, hook: bool
) -> None:
    """Archive the sessions of Claude Code that no hook archived.

    Their files are found where Claude Code keeps them (CLAUDE_CONFIG_DIR is respected), oldest
    first. A subagent's file is never a session. What was interrupted goes on where it stopped.
    """
    del hook
    from vault_memory.cli.progress import Bar
    from vault_memory.clients.claude_code import config_folder, session_files, session_folders
    from vault_memory.flows.archive_files import archive_all
    from vault_memory.vault.locate import absolute

    if not all_unarchived:
        raise UsageError("Say which sessions: --all-unarchived, or archive-session for one")
    projects = config_folder(app.environ, app.home) / "projects"
    folder = absolute(project, cwd=app.cwd, home=app.home) if project else None
    files = session_files(session_folders(projects, project=folder))
    oldest = _nanoseconds(_day(since)) if since else 0
    before = _nanoseconds(app.now - timedelta(minutes=idle)) if idle else None
    with app.open_writer() as index, Bar(enabled=app.shows_progress) as bar:
        answer = archive_all(
            index,
            [file for file in files if file.mtime_ns >= oldest],
            project=None if folder is None or folder.parent == projects else folder,
            before_ns=before,
            progress=partial(bar.show, "Archiving"),
        )
    for passed in answer["passed_over"]:
        app.detail(f"{passed['path']}: {passed['reason']}")
    for failed in answer["failed"]:
        app.say(failed["reason"])
    _answer(app, answer, _sentences(answer, projects))


def _hooked(app: App, *, hook: bool) -> Path:
    if not hook:
        require_payload_or_transcript(app)
    app.hook = True
    return transcript_of(app.payload, app)


def _archive(app: App, transcript: str, source: "Source", *, dry_run: bool) -> None:
    from vault_memory.flows.archive import archive as archive_data
    from vault_memory.flows.archive_files import archive_file
    from vault_memory.vault.locate import absolute

    with app.open_writer() as index:
        if transcript == "-":
            answer = archive_data(index, app.stdin, name="stdin", dry_run=dry_run, source=source)
        else:
            path = absolute(transcript, cwd=app.cwd, home=app.home)
            answer = archive_file(index, path, name=transcript, dry_run=dry_run, source=source)
    app.say(answer["notice"])
    for what, number in answer["skipped"].items():
        app.detail(f"{number} {what} skipped")
    lines = [_sentence(answer, source), *([answer["diff"]] if answer["diff"] else [])]
    if dry_run:
        app.emit(answer, lines)
    else:
        _answer(app, answer, lines)


def _answer(app: App, answer: "ArchiveAnswer | ArchiveAllAnswer", lines: Iterable[str]) -> None:
    """Answer; as a hook on standard error, since what a hook prints may reach the agent."""
    if app.hook:
        for line in lines:
            app.notice(line)
    else:
        app.emit(answer, lines)


def _sentence(answer: "ArchiveAnswer", source: "Source") -> str:
    if answer["path"] is None:
        return "Nothing archived."
    made = "Archived" if source == "session" else "Saved"
    what = made if answer["created"] else "Updated" if answer["updated"] else "Unchanged:"
    skipped = sum(answer["skipped"].values())
    odd = f", {counted(skipped, 'record')} skipped" if skipped else ""
    secrets = counted(answer["redacted"], "secret")
    hidden = f", {secrets} redacted" if answer["redacted"] else ""
    return f"{what} {answer['path']}: {counted(answer['messages'], 'message')}{odd}{hidden}"


def _sentences(answer: "ArchiveAllAnswer", projects: Path) -> Iterator[str]:
    for session in answer["sessions"]:
        yield _sentence(session, "session")
    others = [
        f"{answer['known']} known" if answer["known"] else "",
        f"{answer['recent']} may be running" if answer["recent"] else "",
        f"{len(answer['passed_over'])} without a conversation" if answer["passed_over"] else "",
        f"{len(answer['failed'])} failed" if answer["failed"] else "",
    ]
    told = ", ".join(filter(None, others))
    number = counted(len(answer["sessions"]), "session")
    yield f"{number} archived{f' ({told})' if told else ''}, from {projects}"


def _day(text: str) -> datetime:
    try:
        day = datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - made UTC below
    except ValueError:
        raise UsageError(f"--since takes a day such as 2026-03-01, not {text}") from None
    return day.replace(tzinfo=UTC)


def _nanoseconds(time: datetime) -> int:
    return int(time.timestamp()) * 1_000_000_000

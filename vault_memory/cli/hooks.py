"""``vaultmem hooks``: let an agent's program call this one at its events."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultGroup
from vault_memory.cli.render import counted
from vault_memory.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from vault_memory.core.answers import HooksAnswer
    from vault_memory.flows.hooks import Settings

_OPTIONS = (
    click.option(
        "--client",
        type=click.Choice(["claude-code"]),
        default="claude-code",
        show_default=True,
        help="Whose settings.",
    ),
    click.option("--user", is_flag=True, help="Your settings, for all projects (the default)."),
    click.option("--project", is_flag=True, help="The settings that this project shares."),
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Print the diff, write nothing.")


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group(cls=VaultGroup)
def hooks() -> None:
    """Have an agent's program start, save and archive its sessions by itself.

    Claude Code then calls consume when a session starts, checkpoint before it compacts its context
    and archive-session when the session ends. Nothing else in its settings is touched.
    """


@hooks.command()
@_with_options
@_DRY_RUN
@click.pass_obj
def install(app: App, *, client: str, user: bool, project: bool, dry_run: bool) -> None:
    """Put the hooks into the settings, or bring those that are there up to date.

    A vault that is named (--root, --vault, or the nearest above) is named in them too. The settings
    as they were are kept beside them; settings that cannot be parsed are left alone.
    """
    from vault_memory.flows.hooks import install as put

    del client
    answer = put(_settings(app, user=user, project=project), dry_run=dry_run)
    answer["notice"] = _without_vault(app, answer)
    done = f"Installed {counted(len(answer['hooks']), 'hook')} in" if answer["changed"] else ""
    _answer(app, answer, f"{done or 'All hooks stand already in'} {answer['settings']}")


@hooks.command()
@_with_options
@_DRY_RUN
@click.pass_obj
def uninstall(app: App, *, client: str, user: bool, project: bool, dry_run: bool) -> None:
    """Take the hooks out of the settings; nobody else's are touched.

    Settings that were not changed since become what they were before, to the byte.
    """
    from vault_memory.flows.hooks import uninstall as take_out

    del client
    answer = take_out(_settings(app, user=user, project=project), dry_run=dry_run)
    done = "Took the hooks out of" if answer["changed"] else "No hook of ours stands in"
    _answer(app, answer, f"{done} {answer['settings']}")


@hooks.command()
@_with_options
@click.pass_obj
def status(app: App, *, client: str, user: bool, project: bool) -> None:
    """Show which hooks are installed, and what they call."""
    from vault_memory.flows.hooks import status as look

    del client
    answer = look(_settings(app, user=user, project=project))
    answer["notice"] = _without_vault(app, answer)
    _answer(app, answer, f"{answer['settings']} ({answer['scope']})")


def _answer(app: App, answer: "HooksAnswer", head: str) -> None:
    app.say(answer["notice"])
    app.emit(answer, [answer["diff"]] if answer["diff"] else _lines(answer, head))


def _lines(answer: "HooksAnswer", head: str) -> Iterator[str]:
    yield head
    gone = answer["changed"] and all(hook["state"] == "missing" for hook in answer["hooks"])
    for hook in () if gone else answer["hooks"]:
        call = "" if hook["state"] == "missing" else f": {hook['command']}"
        yield f"  {hook['event']} {hook['state']}{call}"
    if answer["backup"]:
        yield f"As it was before: {answer['backup']}"
    if answer["changed"]:
        yield "Sessions that are open keep the hooks they started with."


def _settings(app: App, *, user: bool, project: bool) -> "Settings":
    from vault_memory.clients.claude_code import project_settings, user_settings
    from vault_memory.flows.hooks import Settings

    if user and project:
        raise UsageError("--user and --project name two places", cure="Give one of them")
    named, near = _places(app)
    return Settings(
        path=project_settings(app.cwd) if project else user_settings(app.environ, app.home),
        scope="project" if project else "user",
        program=_program(app, shared=project),
        place=named,
        near=() if project else near,
    )


def _places(app: App) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options that name the vault: as it was named now, and as it was found from here."""
    try:
        found = app.located
    except NotFoundError:
        if app.root_option or app.vault_option:
            raise
        return (), ()
    from vault_memory.vault.layout import VAULT_FOLDER

    is_root = found.root is not None and found.path == found.root / VAULT_FOLDER
    option = ("--root", str(found.root)) if is_root else ("--vault", str(found.path))
    if app.root_option or app.vault_option:
        return option, option
    return (), option if not found.reason.startswith("the configured") else ()


def _without_vault(app: App, answer: "HooksAnswer") -> str | None:
    """What to say when neither the hooks nor anything else here names a vault."""
    from vault_memory.clients.hook_commands import own_command

    calls = [own_command(hook["command"]) for hook in answer["hooks"]]
    if all(call and call.place for call in calls):
        return None
    try:
        _ = app.located
    except NotFoundError as error:
        return (
            f"{error.problem}, so hooks remember only where they find one. Name one: "
            "vaultmem --root DIR hooks install, or vaultmem config set --user vault.root DIR"
        )
    return None


def _program(app: App, *, shared: bool) -> str:
    """How a hook is to call this program: by its name where others read it, else by its path."""
    from vault_memory.clients.hook_commands import PROGRAM

    found = shutil.which(PROGRAM, path=app.environ.get("PATH"))
    if shared and found:
        return PROGRAM
    called, beside = Path(sys.argv[0]), Path(sys.executable).with_name(PROGRAM)
    for path in (app.cwd / called, beside):
        if path.name == PROGRAM and os.access(path, os.X_OK) and path.is_file():
            return os.path.normpath(path)
    return found or PROGRAM

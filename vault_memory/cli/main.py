"""The command ``vaultmem``: its commands by name, and how every run ends."""

import errno
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from vault_memory import __version__
from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultGroup
from vault_memory.cli.streams import end, leave_stdout, prepare, write_error
from vault_memory.errors import VaultmemError

INTERRUPTED = 130

HOOK_VERBS = frozenset({"consume", "checkpoint", "archive-session"})
"""Commands that an agent's program calls at its events."""

DERIVED_FILES = 2
"""Databases of an index that may be damaged: what notes say, and what was embedded."""


@click.group(
    cls=VaultGroup,
    lazy={
        "init": "vault_memory.cli.init:init",
        "where": "vault_memory.cli.where:where",
        "status": "vault_memory.cli.status:status",
        "rebuild": "vault_memory.cli.rebuild:rebuild",
        "search": "vault_memory.cli.search:search",
        "consume": "vault_memory.cli.consume:consume",
        "archive-session": "vault_memory.cli.archive:archive_session",
        "archive": "vault_memory.cli.archive:archive",
        "checkpoint": "vault_memory.cli.archive:checkpoint",
        "hooks": "vault_memory.cli.hooks:hooks",
        "check": "vault_memory.cli.check:check",
        "config": "vault_memory.cli.config:config",
        "graph": "vault_memory.cli.graph:graph",
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="vaultmem", message="%(prog)s %(version)s")
def root() -> None:
    """Memory for AI agents and their people, kept as plain markdown notes.

    The notes are the truth; everything else can be deleted and rebuilt.
    """


for parameter in root.params:
    if isinstance(parameter, click.Option):
        parameter.hidden = False


def run(arguments: Sequence[str], app: App | None = None) -> int:
    """Run one command and answer its exit code; no error leaves as a traceback.

    Args:
        arguments: The words after the program's name.
        app: Surroundings to run in; the process's own when None.
    """
    app = app or App()
    app.hook = "--hook" in _options(arguments)
    code = _ended(arguments, app)
    return 0 if app.hook or (code and _fed_as_hook(arguments, app)) else code


def _fed_as_hook(arguments: Sequence[str], app: App) -> bool:
    """Whether a command that failed was given the JSON of a hook, which its words do not tell."""
    known = root.list_commands(click.Context(root))
    verb = next((word for word in arguments if word in known), "")
    return verb in HOOK_VERBS and "--transcript" not in arguments and app.payload is not None


def _ended(arguments: Sequence[str], app: App) -> int:
    try:
        return _call(arguments, app)
    except (BrokenPipeError, SystemExit):
        leave_stdout()
        return 1
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last edge of all
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            leave_stdout()
        message, code, exit_code = _ending(error)
        if code == "internal" and app.verbose:
            _print_trace()
        return _tell(app, arguments, message, code, exit_code)


def _print_trace() -> None:
    import traceback

    traceback.print_exc()


def _ending(error: BaseException) -> tuple[str, str, int]:
    """What to say of an error, its stable word and the exit code."""
    match error:
        case VaultmemError():
            ending = (error.message, error.code, error.exit_code)
        case click.UsageError():
            ending = (_usage(error), "usage", 2)
        case click.ClickException():
            ending = (error.format_message(), "error", 1)
        case click.Abort() | KeyboardInterrupt():
            ending = ("Interrupted; what was done is kept.", "interrupted", INTERRUPTED)
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            ending = (f"{where}{error.strerror or error}", "storage", 1)
        case _:
            fault = f"{type(error).__name__}: {error}"
            ending = (f"This is a fault in vaultmem ({fault}). Show it with: -v", "internal", 1)
    return ending


def _call(arguments: Sequence[str], app: App) -> int:
    """Run a command; once more for each derived file that turns out damaged: it is made anew."""
    from vault_memory.index.database import DamagedIndexError

    def call() -> int:
        result = root.main(list(arguments), prog_name="vaultmem", standalone_mode=False, obj=app)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0

    for _ in range(DERIVED_FILES):
        try:
            return call()
        except DamagedIndexError:
            continue
    return call()


def _usage(error: click.UsageError) -> str:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    path = error.ctx.command_path if error.ctx else "vaultmem"
    said = error.format_message()
    if isinstance(error, click.NoSuchOption) and not error.possibilities:
        said = f"{said} Words that begin with a dash go after --."
    return f"{said} See: {path} --help"


def _tell(app: App, arguments: Sequence[str], message: str, code: str, exit_code: int) -> int:
    if app.hook:
        message = f"vaultmem did nothing: {message}"
    if app.json or "--json" in _options(arguments):
        import json

        message = json.dumps({"error": message, "code": code}, ensure_ascii=False)
    write_error(message)
    return exit_code


def _options(arguments: Sequence[str]) -> Sequence[str]:
    """The words that may be options: those before ``--``."""
    words = list(arguments)
    return words[: words.index("--")] if "--" in words else words


def main() -> NoReturn:
    """The entry point of the command."""
    prepare()
    end(run(sys.argv[1:]))

"""``vaultmem consume``: what an agent is told when its session starts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.cli.streams import write_out
from vault_memory.errors import UsageError, VaultmemError

if TYPE_CHECKING:
    from vault_memory.core.answers import ConsumeAnswer

_PLAIN = frozenset({"SessionStart", "UserPromptSubmit", "UserPromptExpansion"})
"""Events of which an agent reads what a hook prints."""

_AS_JSON = frozenset({"PreToolUse", "PostToolUse"})
"""Events of which an agent reads ``additionalContext`` alone."""

_MOST = 1_000
"""Characters of a message to the user."""


@click.command(cls=VaultCommand)
@click.argument("root", required=False)
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    default=0,
    metavar="TOKENS",
    help="Add so many tokens of MEMORY.md at most, what names the work here first.",
)
@click.option("--hook", is_flag=True, help="Always exit 0, and print as the agent's program reads.")
@click.pass_obj
def consume(app: App, *, root: str | None, budget: int, hook: bool) -> None:
    """Print the recent sessions for an agent, quoted, dated and harmless.

    As a hook it is given JSON on standard input and prints what that event lets an agent read; at
    the start of a session it also starts archiving those of the project whose end never came.
    """
    if root:
        app.root_option = root
    app.hook = hook or bool(app.hook_input)
    if app.hook:
        _as_hook(app, budget)
        return
    answer = _told(app, budget)
    app.emit(answer, [answer["text"]])


def _told(app: App, budget: int) -> "ConsumeAnswer":
    from vault_memory.cli.hooking import working_folder_of
    from vault_memory.flows.consume import consume as tell

    return tell(app.vault.path, budget=budget, folder=working_folder_of(app.payload, app))


def _as_hook(app: App, budget: int) -> None:
    payload = app.payload or {}
    event = payload.get("hook_event_name")
    if event is not None and (not isinstance(event, str) or event not in _PLAIN | _AS_JSON):
        raise UsageError(f"no agent reads what a hook prints at {str(event)[:100]}")
    try:
        text = _told(app, budget)["text"]
    except VaultmemError as error:
        if event == "SessionStart":
            _print_json({"systemMessage": f"This session has no memory: {error.message}"[:_MOST]})
        raise
    if event in _AS_JSON:
        context = {"hookEventName": event, "additionalContext": text}
        _print_json({"hookSpecificOutput": context})
    else:
        write_out(text)
    if event == "SessionStart":
        from vault_memory.cli.hooking import catch_up

        catch_up(app, payload)


def _print_json(answer: Mapping[str, object]) -> None:
    import json

    write_out(json.dumps(answer, ensure_ascii=True))

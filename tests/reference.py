"""The command reference: what every ``--help`` prints, in one page.

``python tests/reference.py`` writes ``docs/reference/cli.md``.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from vault_memory.cli.main import root

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"

_HEAD = """\
# Commands

Made from `--help` by `scripts/docs`; tests compare it.

Data goes to standard output, progress and notices to standard error. Global options stand before or
after the name of the command. `--` ends options, and a query is text in which no character is an
operator. With `--json` a command answers with one object, `{"schema_version": 1, "data": {…}}`, and
an error is `{"error": …, "code": …}` on standard error; `json/` has a JSON Schema of each.

| exit code | means |
|---|---|
| 0 | done; also a search that found nothing |
| 1 | error |
| 2 | the words of the command do not fit together |
| 3 | something that was named does not exist |
| 4 | `check` has findings |
| 5 | conflict with what stands, or with a change made meanwhile |
| 130 | interrupted |

A vault is found by `--vault` or `--root`, then `VAULTMEM_VAULT` or `VAULTMEM_ROOT`, then the
nearest folder above that holds one, then the configuration. `vaultmem where` says which and why.
"""


def commands(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """A command and all below it, in their own order, each with its context."""
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from commands(below, context_of(below, name, context))


def context_of(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    """A context in which help is as wide on every machine."""
    return click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=88,
        max_content_width=88,
        color=False,
        **command.context_settings,
    )


def render() -> str:
    """The page."""
    parts = [_HEAD]
    for context in commands(root, context_of(root, "vaultmem", None)):
        help_ = context.command.get_help(context)
        parts.append(f"\n## {context.command_path}\n\n```text\n{help_}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")

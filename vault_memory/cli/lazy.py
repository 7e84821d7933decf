"""Commands that are imported when they are called, and global options that go anywhere."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import click

from vault_memory.cli.app import App


def _set(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def store(context: click.Context, _: click.Parameter, value: Any) -> None:  # noqa: ANN401
        if value:
            setattr(context.ensure_object(App), name, value)

    return store


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """The options that every command understands, before or after its name."""

    def option(field: str, *names: str, **settings: Any) -> click.Option:  # noqa: ANN401
        declared = [f"global_{field}", *names]
        return click.Option(
            declared, expose_value=False, callback=_set(field), hidden=hidden, **settings
        )

    return [
        option(
            "root_option",
            "--root",
            metavar="DIR",
            help="The folder of who remembers: its vault is DIR/memory.",
        ),
        option("vault_option", "--vault", metavar="DIR", help="The vault: any folder of notes."),
        option("json", "--json", is_flag=True, help="One JSON object on standard output."),
        option("quiet", "-q", "--quiet", is_flag=True, help="No notices, no progress."),
        option("verbose", "-v", "--verbose", is_flag=True, help="Say more on standard error."),
    ]


class VaultCommand(click.Command):
    """A command that also takes the global options, which its help leaves out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.params.extend(global_options(hidden=True))


class VaultGroup(click.Group):
    """A group that takes the global options too, whose commands are imported when called.

    Args:
        lazy: Command name to ``module:attribute``.
    """

    command_class = VaultCommand

    def __init__(
        self,
        *args: Any,  # noqa: ANN401
        lazy: dict[str, str] | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options(hidden=True))
        self._lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order they were given."""
        return [*self._lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        module, attribute = self._lazy[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is told with the nearest names."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and self.get_command(ctx, name) is None:
            ctx.fail(unknown(name, self.list_commands(ctx), what="command"))
        return super().resolve_command(ctx, args)


def unknown(name: str, known: Sequence[str], *, what: str) -> str:
    """A sentence for a name that is none of those known."""
    import difflib

    near = difflib.get_close_matches(name, known, n=3)
    hint = f" Did you mean: {', '.join(near)}?" if near else ""
    return f"No such {what}: {name}.{hint}"

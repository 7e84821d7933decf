"""``vaultmem where``: which vault is meant, and why."""

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.core.answers import WhereAnswer


@click.command(cls=VaultCommand)
@click.pass_obj
def where(app: App) -> None:
    """Say which vault is used, and what named it."""
    found = app.located
    root = str(found.root) if found.root else None
    answer = WhereAnswer(vault=str(found.path), root=root, reason=found.reason)
    app.emit(answer, [f"{found.path} ({found.reason})"])

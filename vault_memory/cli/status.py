"""``vaultmem status``: how the vault is, at a glance."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.cli.render import counted
from vault_memory.errors import NotFoundError

if TYPE_CHECKING:
    from vault_memory.core.answers import StatusAnswer

BAR_WIDTH = 20
MOST_FINDINGS = 5


@click.command(cls=VaultCommand)
@click.argument("root", required=False)
@click.pass_obj
def status(app: App, *, root: str | None) -> None:
    """Show health, fullness and state of the index.

    Exits 3 when there is no vault: its health is then down.
    """
    from vault_memory.flows.status import status as look

    if root:
        app.root_option = root
    try:
        opened = app.open_index()
    except NotFoundError as error:
        raise NotFoundError(f"down: {error.problem}", where=error.where, cure=error.cure) from None
    with opened as index:
        answer = look(index, with_digest=app.json)
    app.emit(answer, _lines(answer, colour=app.colour))


def _lines(answer: "StatusAnswer", *, colour: bool) -> Iterator[str]:
    reason = f" ({answer['reason']})" if answer["reason"] else ""
    memory, recent, index = answer["memory"], answer["ephemeral"], answer["index"]
    share = memory["lines"] / memory["limit"]
    yield f"vaultmem: {answer['health']}{reason}"
    yield f"  Vault:         {answer['vault']}"
    yield (
        f"  MEMORY.md:     {memory['lines']}/{memory['limit']} lines "
        f"{_bar(share, colour=colour)} {share:.0%}"
    )
    yield f"  EPHEMERAL.md:  {recent['entries']}/{recent['limit']} sessions"
    yield f"  Conversations: {answer['conversations']}"
    entities = counted(answer["entities"], "entity", "entities")
    yield f"  Graph:         {entities}, {counted(answer['relations'], 'relation')}"
    yield f"  Notes:         {answer['notes']} of your own, {counted(answer['sources'], 'source')}"
    behind = counted(index["stale"], "note")
    stale = f", {behind} stale (vaultmem rebuild)" if index["stale"] else ""
    units = counted(index["units"], "unit")
    yield f"  Index:         {units}, generation {index['generation']}{stale}"
    yield f"  Model:         {index['model'] or 'none: searching by words alone'}"
    for finding in answer["findings"][:MOST_FINDINGS]:
        yield f"  {finding['path']}:{finding['line']}: {finding['message']}"
    more = len(answer["findings"]) - MOST_FINDINGS
    if more > 0:
        yield f"  and {more} more: vaultmem check"


def _bar(share: float, *, colour: bool) -> str:
    filled = min(BAR_WIDTH, round(share * BAR_WIDTH))
    bar = f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}]"
    if not colour:
        return bar
    code = 31 if share >= 0.9 else 33 if share >= 0.75 else 32
    return f"\x1b[{code}m{bar}\x1b[0m"

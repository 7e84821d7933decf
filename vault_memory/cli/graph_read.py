"""``graph status``, ``show``, ``list`` and ``traverse``: looking without a model."""

import click

from vault_memory.cli import render
from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.errors import UsageError


@click.command(cls=VaultCommand)
@click.pass_obj
def status(app: App) -> None:
    """Count entities, relations and links."""
    from vault_memory.flows.graph_status import graph_status

    with app.open_index() as index, index.catalog.snapshot():
        answer = graph_status(index)
    lines = [
        f"Entities:  {answer['entities']}",
        *(f"  {kind}: {number}" for kind, number in answer["types"].items()),
        f"Relations: {answer['relations']}",
        *(f"  {rel}: {number}" for rel, number in answer["rels"].items()),
        f"Links:     {answer['links']}",
    ]
    if answer["unsupported"]:
        lines.append(f"Unsupported beliefs: {answer['unsupported']}")
    app.emit(answer, lines)


@click.command(cls=VaultCommand)
@click.argument("belief", nargs=-1, required=True, metavar="NAME")
@click.option(
    "--tier",
    default="0,1,2",
    show_default=True,
    help="How much: 0 the abstract, 1 the overview, 2 the content.",
)
@click.pass_obj
def show(app: App, *, belief: tuple[str, ...], tier: str) -> None:
    """Show one entity or relation, or another note of that name.

    NAME is a name, an alias, a file's stem, a path in the vault or an id; a relation may also be
    named by three words: FROM REL TO.
    """
    from vault_memory.flows.show import show as show_note

    with app.open_index() as index, index.catalog.snapshot():
        answer = show_note(index, belief, tiers=_tiers(tier), today=app.today)
    app.emit(answer, render.shown(answer))


def _tiers(text: str) -> frozenset[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part in {"0", "1", "2"} for part in parts):
        raise UsageError(f"--tier takes 0, 1, 2 or several with commas, not {text!r}")
    return frozenset(map(int, parts))


@click.command("list", cls=VaultCommand)
@click.option("--type", "type_", default="", help="Only entities of this type.")
@click.option("--all", "unsupported", is_flag=True, help="Also beliefs without any support left.")
@click.pass_obj
def list_(app: App, *, type_: str, unsupported: bool) -> None:
    """List all entities and relations."""
    from vault_memory.flows.list_graph import list_graph

    with app.open_index() as index, index.catalog.snapshot():
        answer = list_graph(index, type_=type_, unsupported=unsupported, today=app.today)
    app.emit(answer, render.listed(answer))


@click.command(cls=VaultCommand)
@click.argument("entity")
@click.option("--depth", default=2, show_default=True, type=click.IntRange(0, 20))
@click.option("--type-filter", default="", help="Show only notes of this type; walk through all.")
@click.option("--all", "unsupported", is_flag=True, help="Also beliefs without any support left.")
@click.pass_obj
def traverse(app: App, *, entity: str, depth: int, type_filter: str, unsupported: bool) -> None:
    """Walk the graph from one note, depth first.

    Each edge shows how sure it is.
    """
    from vault_memory.flows.traverse import traverse as walk

    with app.open_index() as index, index.catalog.snapshot():
        answer = walk(
            index,
            entity,
            depth=depth,
            type_filter=type_filter,
            unsupported=unsupported,
            today=app.today,
        )
    app.emit(answer, render.walk(answer))

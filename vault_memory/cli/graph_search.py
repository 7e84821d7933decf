"""``graph search`` and ``graph query``: finding by meaning and by words."""

import click

from vault_memory.cli import render
from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.core.expansion import DEPTH
from vault_memory.errors import UsageError

KINDS = ("entity", "relation", "note", "source", "conversation")


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(part.strip() for part in text.split(",") if part.strip())
    if kinds == ("all",):
        return KINDS
    wrong = [kind for kind in kinds if kind not in KINDS]
    if wrong or not kinds:
        raise UsageError(f"--kind takes {', '.join(KINDS)} or all, not {text!r}")
    return kinds


@click.command(cls=VaultCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--type", "type_", default="", help="Only entities of this type.")
@click.option("--keyword", default="", help="Only what holds this word in name or abstract.")
@click.option(
    "--kind",
    default="entity,relation",
    show_default=True,
    help="Also note, source, conversation; or all.",
)
@click.option("--all", "unsupported", is_flag=True, help="Also beliefs without any support left.")
@click.option(
    "--exact/--ann",
    default=None,
    help="Compare with every vector, or ask the approximate index; else what costs less.",
)
@click.option("--explain", is_flag=True, help="Say of each hit why it scores what it does.")
@click.pass_obj
def search(
    app: App,
    *,
    query: tuple[str, ...],
    limit: int,
    type_: str,
    keyword: str,
    kind: str,
    unsupported: bool,
    exact: bool | None,
    explain: bool,
) -> None:
    """Find entities and relations by meaning.

    A query is text: no character in it is an operator.
    """
    from vault_memory.flows.graph_search import graph_search

    with app.open_index() as index:
        index.exact = exact
        answer = graph_search(
            index,
            " ".join(query),
            kinds=_kinds(kind),
            type_=type_,
            keyword=keyword,
            limit=limit,
            unsupported=unsupported,
            explain=explain,
            today=app.today,
        )
    app.say_stale(answer["stale"], answer["notice"])
    app.emit(answer, render.searched(answer))


@click.command(cls=VaultCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option(
    "--depth",
    default=DEPTH,
    show_default=True,
    type=click.IntRange(0, 10),
    help="How far to follow relations; 0 for none.",
)
@click.option("--episodes", is_flag=True, help="Also turns of conversations, sources and notes.")
@click.option("--type", "type_", default="", help="Only entities of this type.")
@click.option("--keyword", default="", help="Only what holds this word in name or abstract.")
@click.option("--all", "unsupported", is_flag=True, help="Also beliefs without any support left.")
@click.option(
    "--exact/--ann",
    default=None,
    help="Compare with every vector, or ask the approximate index; else what costs less.",
)
@click.option("--explain", is_flag=True, help="Say of each hit why it scores what it does.")
@click.pass_obj
def query(
    app: App,
    *,
    query: tuple[str, ...],
    limit: int,
    depth: int,
    episodes: bool,
    type_: str,
    keyword: str,
    unsupported: bool,
    exact: bool | None,
    explain: bool,
) -> None:
    """Find by meaning, then follow relations from the best hits."""
    from vault_memory.flows.graph_query import graph_query

    with app.open_index() as index:
        index.exact = exact
        answer = graph_query(
            index,
            " ".join(query),
            depth=depth,
            episodes=episodes,
            type_=type_,
            keyword=keyword,
            limit=limit,
            unsupported=unsupported,
            explain=explain,
            today=app.today,
        )
    app.say_stale(answer["stale"], answer["notice"])
    app.emit(answer, render.queried(answer))

"""``vaultmem search``: lines of the archived conversations."""

from collections.abc import Iterator

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.core.found import ArchiveSearchAnswer

ELSEWHERE = " Notes of every kind are searched by: vaultmem graph search --kind all"


@click.command(cls=VaultCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("-C", "--context", default=0, type=click.IntRange(0, 100), help="Lines around each.")
@click.pass_obj
def search(app: App, *, query: tuple[str, ...], context: int) -> None:
    """Find lines of archived conversations.

    A line is found that holds all words of the query. Case does not matter; no character is an
    operator.
    """
    from vault_memory.flows.search_archives import search_archives

    with app.open_index() as index:
        answer = search_archives(index, " ".join(query), context=context)
    app.emit(answer, _lines(answer))


def _lines(answer: ArchiveSearchAnswer) -> Iterator[str]:
    if not answer["matches"]:
        asked = bool(answer["query"].strip())
        yield f"Nothing found.{ELSEWHERE if asked else ''}"
    around = any(match["before"] or match["after"] for match in answer["matches"])
    for place, match in enumerate(answer["matches"]):
        if around and place:
            yield "--"
        first = match["line"] - len(match["before"])
        for number, text in enumerate(match["before"], first):
            yield f"{match['path']}-{number}- {text}"
        yield f"{match['path']}:{match['line']}: {match['text']}"
        for number, text in enumerate(match["after"], match["line"] + 1):
            yield f"{match['path']}-{number}- {text}"

"""``vaultmem rebuild``: bring the index up to the notes."""

import time
from typing import TYPE_CHECKING

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.cli.progress import Bar
from vault_memory.cli.render import counted

if TYPE_CHECKING:
    from vault_memory.core.answers import RebuildAnswer


@click.command(cls=VaultCommand)
@click.option("--full", is_flag=True, help="Read every note again; known texts stay embedded.")
@click.pass_obj
def rebuild(app: App, *, full: bool) -> None:
    """Index what changed since the last time."""
    from vault_memory.flows.rebuild import rebuild as run

    began = time.monotonic()
    with app.open_index(refresh=False, keep=True) as index, Bar(enabled=app.shows_progress) as bar:
        answer = run(index, full=full, progress=bar.show, elapsed=lambda: time.monotonic() - began)
    for finding in answer["findings"]:
        app.detail(f"{finding['path']}:{finding['line']}: {finding['message']}")
    app.emit(answer, [_sentence(answer)])


def _sentence(answer: "RebuildAnswer") -> str:
    notes = answer["notes"]
    total = notes["added"] + notes["changed"] + notes["unchanged"]
    parts = [f"{notes[what]} {what}" for what in ("added", "changed", "removed") if notes[what]]
    known = f", {answer['cached']} known" if answer["cached"] else ""
    wrong = counted(len(answer["findings"]), "finding")
    odd = f"; {wrong} (vaultmem check)" if answer["findings"] else ""
    return (
        f"{counted(total, 'note')} ({', '.join(parts) or 'nothing changed'}), "
        f"{counted(answer['units'], 'unit')}: {answer['embedded']} embedded{known}; "
        f"{answer['seconds']:.1f} s{odd}"
    )

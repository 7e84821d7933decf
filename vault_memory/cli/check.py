"""``vaultmem check``: what is wrong in a vault, and mending what can be."""

from collections.abc import Iterator

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.core.answers import CheckAnswer

FINDINGS = 4
"""The exit code when findings remain."""


@click.command(cls=VaultCommand)
@click.option("--fix", is_flag=True, help="Mend what can be mended without a person.")
@click.option("--adopt", is_flag=True, help="Make evidence of confidences edited by hand.")
@click.pass_obj
def check(app: App, *, fix: bool, adopt: bool) -> int:
    """Find what is wrong in the notes, and mend it.

    It looks at counts, links, names, frontmatter, conflicts and duplicates.
    Exits 4 when errors or warnings remain.
    """
    from vault_memory.flows.check import check as run

    with app.open_writer() if fix or adopt else app.open_index(refresh=False) as index:
        today = app.today.isoformat()
        person = app.person if adopt else ""
        answer = run(index, fix=fix, adopt=adopt, person=person, today=today)
    app.emit(answer, _lines(answer))
    return FINDINGS if any(f["severity"] != "notice" for f in answer["findings"]) else 0


def _lines(answer: CheckAnswer) -> Iterator[str]:
    yield from (f"Adopted {path}" for path in answer["adopted"])
    yield from (f"Fixed {path}" for path in answer["fixed"])
    for finding in answer["findings"]:
        place = f"{finding['path']}:{finding['line']}" if finding["line"] else finding["path"]
        mend = " (--fix mends it)" if finding["fixable"] else ""
        yield f"{place}: {finding['severity']}: {finding['message']} [{finding['rule']}]{mend}"
    if not answer["findings"]:
        yield "No findings."

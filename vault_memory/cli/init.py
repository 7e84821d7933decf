"""``vaultmem init``: make a vault."""

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultCommand
from vault_memory.errors import UsageError


@click.command(cls=VaultCommand)
@click.argument("root", required=False)
@click.option("--git", is_flag=True, help="Make it a git repository too, unless it lies in one.")
@click.pass_obj
def init(app: App, *, root: str | None, git: bool) -> None:
    """Make a vault, adding only what is missing.

    It is made in ROOT/memory, where ROOT belongs to the agent, person or team that remembers; or
    with --vault DIR in a folder of notes. VAULTMEM_ROOT or VAULTMEM_VAULT names it as well.
    """
    from vault_memory.flows.init import init as make
    from vault_memory.vault.layout import VAULT_FOLDER
    from vault_memory.vault.locate import absolute

    named = [text for text in (root, app.root_option, app.vault_option) if text]
    if len(named) > 1:
        raise UsageError("ROOT, --root and --vault name the same thing", cure="Give one of them")
    environ = app.environ
    vault = app.vault_option or ("" if named else environ.get("VAULTMEM_VAULT", ""))
    place = vault or (named[0] if named else environ.get("VAULTMEM_ROOT", "") or ".")
    folder = absolute(place, cwd=app.cwd, home=app.home)
    path = folder if vault else folder / VAULT_FOLDER
    answer = make(path, config_folder=app.config_folder, git=git)
    app.say(answer["notice"])
    lines = [f"Created {path}" for path in answer["created"]]
    lines += [f"Changed {path}" for path in answer["changed"]]
    app.emit(answer, [f"Vault: {answer['vault']}", *(lines or ["Nothing was missing."])])

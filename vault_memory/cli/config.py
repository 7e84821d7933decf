"""``vaultmem config``: settings, where they come from, and changing them."""

from decimal import Decimal

import click

from vault_memory.cli.app import App
from vault_memory.cli.lazy import VaultGroup
from vault_memory.core.answers import ConfigChange, ConfigItem, ConfigPath, Trust
from vault_memory.errors import UsageError

user_option = click.option("--user", is_flag=True, help="Your own settings, for all vaults.")


@click.group(cls=VaultGroup)
def config() -> None:
    """Look at and change settings.

    An option wins over VAULTMEM_<SECTION>_<KEY>, that over .vaultmem.toml in the vault, that over
    your own config.toml, that over the default.
    """


def _items(app: App) -> dict[str, ConfigItem]:
    return {
        name: ConfigItem(value=_plain(value), source=source)
        for name, (value, source) in app.settings.items()
    }


def _plain(value: object) -> str | int | float | bool | list[str] | None:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, str | int | float | bool):
        return value
    return None


def _text(item: ConfigItem) -> str:
    value = item["value"]
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, list) else str(value)


@config.command("list")
@click.pass_obj
def list_(app: App) -> None:
    """List every setting with its value and where that comes from."""
    items = _items(app)
    width = max(map(len, items))
    app.emit(items, [f"{name:<{width}}  {_text(i)}  ({i['source']})" for name, i in items.items()])


@config.command()
@click.argument("key")
@click.pass_obj
def get(app: App, *, key: str) -> None:
    """Print one setting."""
    from vault_memory.vault.config_edit import key_named

    items = _items(app)
    if key not in items:
        key_named(key)
        raise UsageError(f"{key} is a section of settings", cure="List them: vaultmem config list")
    app.emit({key: items[key]}, [_text(items[key])])


@config.command("set")
@click.argument("key")
@click.argument("value")
@user_option
@click.pass_obj
def set_(app: App, *, key: str, value: str, user: bool) -> None:
    """Change one setting in the vault's .vaultmem.toml, or with --user in your own."""
    from vault_memory.flows.configure import set_in_user, set_in_vault

    if user:
        path = set_in_user(app.config_folder, key, value)
    else:
        path = set_in_vault(app.writable_vault(), key, value)
    app.emit(ConfigChange(path=str(path), key=key), [f"{key} = {value}  ({path})"])


@config.command()
@user_option
@click.pass_obj
def path(app: App, *, user: bool) -> None:
    """Print where the settings lie."""
    from vault_memory.vault.config import CONFIG_FILE, USER_FILE

    file = app.config_folder / USER_FILE if user else app.vault.path / CONFIG_FILE
    app.emit(ConfigPath(path=str(file)), [str(file)])


@config.command()
@click.pass_obj
def trust(app: App) -> None:
    """Let this vault's settings name programs, addresses and folders outside it."""
    from vault_memory.flows.configure import trust_vault

    changed = trust_vault(app.vault.path, app.config_folder)
    said = "is trusted now" if changed else "was trusted already"
    answer = Trust(vault=str(app.vault.path), trusted=True)
    app.emit(answer, [f"{app.vault.path} {said}"])

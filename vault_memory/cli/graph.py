"""``vaultmem graph``: layer 0, entities and the relations between them."""

import click

from vault_memory.cli.lazy import VaultGroup

READ = "vault_memory.cli.graph_read"
SEARCH = "vault_memory.cli.graph_search"
WRITE = "vault_memory.cli.graph_write"


@click.group(
    cls=VaultGroup,
    lazy={
        "init": f"{WRITE}:init",
        "status": f"{READ}:status",
        "show": f"{READ}:show",
        "list": f"{READ}:list_",
        "search": f"{SEARCH}:search",
        "query": f"{SEARCH}:query",
        "traverse": f"{READ}:traverse",
        "add-entity": f"{WRITE}:add_entity",
        "relate": f"{WRITE}:relate",
        "observe": f"{WRITE}:observe",
    },
)
def graph() -> None:
    """Entities, relations and what is believed of them."""

"""All entities and relations."""

from datetime import date

from vault_memory.core.answers import EntityItem, ListAnswer
from vault_memory.core.entity import TYPES, entity_type
from vault_memory.errors import UsageError
from vault_memory.flows.believing import belief
from vault_memory.flows.relation_items import relation_items
from vault_memory.flows.vault_index import VaultIndex


def list_graph(index: VaultIndex, *, type_: str, unsupported: bool, today: date) -> ListAnswer:
    """List entities by name, then relations by path; a type leaves out the relations.

    Raises:
        UsageError: There is no such type.
    """
    types = checked_types(type_)
    entities = [
        EntityItem(
            id=note.id or None,
            name=note.name,
            type=note.type,
            path=note.path,
            abstract=note.abstract or None,
            belief=belief(index, note, today),
        )
        for note in index.catalog.notes(("entity",), types)
    ]
    relations = [] if types else relation_items(index, index.catalog.relations(), today)
    relations.sort(key=lambda relation: relation["path"])
    entities.sort(key=lambda entity: (entity["name"].casefold(), entity["path"]))
    return ListAnswer(
        entities=[e for e in entities if unsupported or supported(e["belief"])],
        relations=[r for r in relations if unsupported or supported(r["belief"])],
    )


def supported(belief: object) -> bool:
    """Whether a belief as answered has support, or there is none to have it."""
    return not (isinstance(belief, dict) and belief["unsupported"])


def checked_types(type_: str) -> tuple[str, ...]:
    """The entity type asked for, as a choice; empty for any.

    Raises:
        UsageError: There is no such type.
    """
    if not type_:
        return ()
    known = entity_type(type_.strip().lower())
    if known is None:
        raise UsageError(f"No type {type_!r}", cure=f"Types: {', '.join(TYPES)}")
    return (known,)

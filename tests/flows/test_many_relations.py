"""What looking at a graph costs does not grow by a question to the index for each relation."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.flows.conftest import Opened
from vault_memory.flows.list_graph import list_graph
from vault_memory.flows.refresh import refresh
from vault_memory.flows.show import show
from vault_memory.flows.traverse import traverse
from vault_memory.flows.vault_index import VaultIndex

TODAY = date(2026, 3, 12)


def listed(index: VaultIndex) -> int:
    return len(list_graph(index, type_="", unsupported=False, today=TODAY)["relations"])


def shown(index: VaultIndex) -> int:
    return len(show(index, ["Hub"], tiers=(0,), today=TODAY)["relations"] or [])


def write_relations(notes: Path, numbers: range) -> None:
    (notes / "Hub.md").write_text("---\ntype: tool\n---\n")
    for number in numbers:
        (notes / f"Part {number}.md").write_text("---\ntype: event\n---\n")
        (notes / f"Hub has {number}.md").write_text(
            f'---\ntype: relation\nfrom: "[[Hub]]"\nrel: has\nto: "[[Part {number}]]"\n---\n'
        )


@pytest.mark.parametrize("look", [listed, shown])
def test_more_relations_are_no_more_questions(
    notes: Path, opened: Opened, look: Callable[[VaultIndex], int]
) -> None:
    asked: list[list[str]] = []
    with opened() as index:
        for numbers in (range(3), range(3, 30)):
            write_relations(notes, numbers)
            refresh(index)
            asked.append([])
            index.catalog.database._connection.set_trace_callback(asked[-1].append)
            assert look(index) == numbers.stop
            index.catalog.database._connection.set_trace_callback(None)

    few, many = map(len, asked)
    assert 0 < few == many


def test_ends_without_a_note_are_looked_for_once(notes: Path, opened: Opened) -> None:
    asked: list[str] = []
    (notes / "Hub.md").write_text("---\ntype: tool\n---\n")
    for number in range(20):
        (notes / f"Hub has {number}.md").write_text(
            f'---\ntype: relation\nfrom: "[[Hub]]"\nrel: has\nto: "[[Ghost {number}]]"\n---\n'
        )
        (notes / f"{number} has Hub.md").write_text(
            f'---\ntype: relation\nfrom: "[[dir/Ghost {number}]]"\nrel: had\nto: "[[Hub]]"\n---\n'
        )
    with opened() as index:
        refresh(index)
        index.catalog.database._connection.set_trace_callback(asked.append)
        walk = traverse(index, "Hub", depth=3, type_filter="", unsupported=False, today=TODAY)
        index.catalog.database._connection.set_trace_callback(None)

    assert len(walk["edges"]) == 40
    assert {node["name"] for node in walk["nodes"]} == {
        "Hub",
        *(f"Ghost {number}" for number in range(20)),
    }
    assert sum(" FROM relations ORDER BY" in statement for statement in asked) == 1

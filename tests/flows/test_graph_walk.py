"""What relations and links lead to is answered, whatever its kind, with the way it was reached."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from tests.flows.conftest import Opened
from vault_memory.core.expansion import MOST_EDGES
from vault_memory.core.found import QueryAnswer
from vault_memory.flows.graph_query import graph_query
from vault_memory.flows.refresh import refresh

TODAY = date(2026, 3, 12)
ASKED = "Who winds the tower clock?"
LINKED_NOTE = "Sells walnuts and kumquats on Saturdays."


def ask(
    opened: Opened,
    query: str = ASKED,
    *,
    depth: int = 2,
    episodes: bool = True,
    type_: str = "",
    keyword: str = "",
    limit: int = 50,
    unsupported: bool = False,
    explain: bool = False,
) -> QueryAnswer:
    with opened() as index:
        refresh(index)
        return graph_query(
            index,
            query,
            depth=depth,
            episodes=episodes,
            type_=type_,
            keyword=keyword,
            limit=limit,
            unsupported=unsupported,
            explain=explain,
            today=TODAY,
        )


def by_graph(answer: QueryAnswer) -> dict[str, list[str]]:
    hits = [*answer["hits"], *answer["episodes"]]
    return {hit["name"]: hit["via"] for hit in hits if "graph" in hit["found_by"]}


@pytest.fixture
def town(notes: Path) -> Path:
    """The tower's keeper is an entity; what hangs together with him shares no word with it."""
    (notes / "Bram.md").write_text(
        "---\ntype: person\nabstract: He winds the tower clock.\n---\nLives over [[Stall]].\n"
    )
    (notes / "Stall.md").write_text(f"{LINKED_NOTE}\n")
    (notes / "Nut.md").write_text("---\ntype: tool\nabstract: A cracker made of brass.\n---\n")
    (notes / "Stall has Nut.md").write_text(
        '---\ntype: relation\nfrom: "[[Stall]]"\nrel: has\nto: "[[Nut]]"\nconfidence: 0.8\n---\n'
    )
    return notes


def names(hits: Sequence[object]) -> list[object]:
    return [hit["name"] for hit in hits if isinstance(hit, dict)]


def test_a_note_that_is_only_linked_is_an_episode(town: Path, opened: Opened) -> None:
    (town / "talk.md").write_text("Clock towers are tall.\n")

    answer = ask(opened)

    stall = next(hit for hit in answer["episodes"] if hit["name"] == "Stall")
    assert (stall["via"], stall["text"]) == (["Bram.md"], LINKED_NOTE)
    assert "graph" in stall["found_by"]
    assert "Stall" not in names(answer["hits"])


@pytest.mark.usefixtures("town")
def test_a_note_in_between_leads_to_an_entity(opened: Opened) -> None:
    answer = ask(opened, episodes=False)

    assert by_graph(answer)["Nut"] == ["Bram.md", "Stall has Nut.md"]
    assert answer["episodes"] == []


def test_a_note_is_begun_from_like_an_entity(notes: Path, opened: Opened) -> None:
    (notes / "Tower.md").write_text("The keeper winds the tower clock. He is [[Bram]].\n")
    (notes / "Bram.md").write_text("---\ntype: person\nabstract: A quiet man.\n---\n")

    assert by_graph(ask(opened))["Bram"] == ["Tower.md"]


@pytest.mark.usefixtures("town")
def test_what_is_found_both_ways_says_so_and_gains(opened: Opened) -> None:
    alone = ask(opened, "walnuts", depth=0)["episodes"][0]
    both = ask(opened, "walnuts and a clock in the tower")["episodes"][0]

    assert (alone["name"], alone["via"]) == ("Stall", [])
    assert both["name"] == "Stall"
    assert both["found_by"][-1] == "graph"
    assert len(both["found_by"]) > 1


@pytest.mark.usefixtures("town")
def test_filters_hold_for_what_is_reached(opened: Opened) -> None:
    assert names(ask(opened, type_="tool")["hits"]) == ["Nut"]
    assert names(ask(opened, keyword="brass")["hits"]) == ["Nut"]
    assert names(ask(opened, keyword="kumquats")["episodes"]) == ["Stall"]
    assert len(ask(opened, limit=1)["hits"]) == 1


@pytest.mark.usefixtures("town")
def test_the_parts_of_what_is_reached_add_up(opened: Opened) -> None:
    answer = ask(opened, explain=True)

    for hit in [*answer["hits"], *answer["episodes"]]:
        parts = hit["explain"]["parts"]
        assert sum(part["adds"] for part in parts) == pytest.approx(hit["score"], abs=1e-3)
    stall = next(hit for hit in answer["episodes"] if hit["name"] == "Stall")
    graph = next(p for p in stall["explain"]["parts"] if p["signal"] == "graph")
    assert "Bram" in graph["why"]


def test_what_lost_its_support_is_reached_only_if_asked_for(town: Path, opened: Opened) -> None:
    (town / "Nut.md").write_text(
        "---\ntype: tool\nabstract: A cracker made of brass.\n---\n\n## Evidence\n"
        '- ~~2026-03-06 supports human 0.8 [[x]] "q" (s:9b1d02e7c4a1)~~ ^e3f9a2c41d07\n'
    )

    assert "Nut" not in by_graph(ask(opened))
    assert "Nut" in by_graph(ask(opened, unsupported=True))


@pytest.mark.parametrize(("links", "reached"), [(MOST_EDGES, True), (MOST_EDGES + 1, False)])
def test_a_hub_is_not_walked_through(
    notes: Path, opened: Opened, links: int, reached: bool
) -> None:
    (notes / "Bram.md").write_text("---\ntype: person\nabstract: Winds the tower clock.\n---\n")
    far = "".join(f"[[Thing {number}]] " for number in range(links - 1))
    (notes / "Index.md").write_text(f"[[Bram]] {far}\n")
    (notes / "Thing 1.md").write_text("---\ntype: tool\nabstract: Made of brass.\n---\n")
    for number in range(2, links - 1):
        (notes / f"Thing {number}.md").write_text("x\n")
    (notes / "Thing 0.md").write_text("x\n")
    with opened() as index:
        refresh(index)

    assert ("Thing 1" in by_graph(ask(opened, episodes=False))) is reached

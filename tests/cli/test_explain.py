"""``--explain``: why hits score what they do, how probable they are, whom they are not about."""

import pytest

from tests.command import Shell


@pytest.mark.parametrize(
    "words",
    [
        ("search", "--kind", "all", "modal text editor of March 2026"),
        ("query", "--episodes", "which editor does Dani use"),
        ("query", "--episodes", "modal text editor"),
    ],
)
def test_the_parts_of_every_hit_add_up_to_its_score(inside: Shell, words: tuple[str, ...]) -> None:
    found = inside.ask("graph", words[0], "--explain", *words[1:])

    hits = [*found["hits"], *found.get("episodes", [])]
    assert len(hits) > 3
    for hit in hits:
        total = sum(part["adds"] for part in hit["explain"]["parts"])
        assert total == pytest.approx(hit["score"], abs=0.001)
        assert all(part["why"] for part in hit["explain"]["parts"])


def test_what_only_the_graph_led_to_says_over_what(inside: Shell) -> None:
    found = inside.ask("graph", "query", "--explain", "--type", "person", "modal text editor")

    dani = next(hit for hit in found["hits"] if hit["name"] == "Dani")
    why = {part["signal"]: part["why"] for part in dani["explain"]["parts"]}
    assert why["graph"] == "it hangs together with another hit: Dani uses NeoVim"


def test_nothing_is_explained_unasked(inside: Shell) -> None:
    assert "explain" not in inside.ask("graph", "search", "editor")["hits"][0]


def test_each_reason_is_a_line_below_its_hit(inside: Shell) -> None:
    shown = inside.run("graph", "search", "--explain", "--limit", "1", "modal text editor")

    assert shown.out.splitlines()[0].startswith("1. NeoVim (tool)")
    *_, last = shown.out.splitlines()
    assert last.startswith("   +0.")
    assert last.endswith(" it holds the query's “modal”, “text”, “editor”")


@pytest.mark.parametrize("command", ["search", "query"])
def test_the_answer_says_that_nothing_is_about_the_one_asked_for(
    inside: Shell, command: str
) -> None:
    query = "which editor does Zacharias use"

    assert inside.ask("graph", command, query)["about"]["missing"] == ["Zacharias"]
    first = inside.run("graph", command, query).out.splitlines()[0]
    assert first.startswith("None of these is about Zacharias; they speak of ")


def test_nothing_is_said_where_somebody_asked_for_is_found(inside: Shell) -> None:
    assert inside.ask("graph", "query", "which editor does Dani use")["about"]["missing"] == []
    assert inside.run("graph", "query", "what is NeoVim").out.startswith("1. NeoVim")


@pytest.mark.parametrize("words", [("search", "--kind", "all"), ("query", "--episodes")])
def test_every_hit_says_how_probable_it_is(inside: Shell, words: tuple[str, ...]) -> None:
    found = inside.ask("graph", *words, "modal text editor")

    for hits in (found["hits"], found.get("episodes", [])):
        turns = [hit["probability"] for hit in hits if hit["kind"] == "conversation"]
        others = [hit["probability"] for hit in hits if hit["kind"] != "conversation"]
        assert all(0 <= one <= 1 for one in turns + others)
        assert turns == sorted(turns, reverse=True)
        assert others == sorted(others, reverse=True)

"""Whom a query names: entities of the vault and people who speak in its conversations."""

import pytest

from tests.command import Shell

TALK = """---
type: conversation
log: 1
date: "2026-03-01T10:00:00Z"
session_id: "talk"
---
# Conversation 001

### Ana
10:00 ^t-000000000001

We painted the old boat green at the weekend.

### Bo
10:01 ^t-000000000002

I painted a boat once, a blue one.

### User
10:02 ^t-000000000003

Who painted what?
"""


@pytest.fixture
def talk(inside: Shell) -> Shell:
    (inside.folder / "conversations").mkdir(exist_ok=True)
    (inside.folder / "conversations" / "talk.md").write_text(TALK, "utf-8")
    return inside


@pytest.mark.parametrize(
    ("query", "speaker"), [("the boat Ana painted", "Ana"), ("Bo's boat", "Bo")]
)
def test_what_the_one_who_is_named_said_comes_first(talk: Shell, query: str, speaker: str) -> None:
    answer = talk.ask("graph", "query", "--episodes", query)

    assert answer["episodes"][0]["speaker"] == speaker
    assert "name" in answer["episodes"][0]["found_by"]


def test_two_who_are_named_gain_nothing_over_each_other(talk: Shell) -> None:
    answer = talk.ask("graph", "query", "--episodes", "which boat did Ana or Bo paint")

    assert not any("name" in episode["found_by"] for episode in answer["episodes"])


def test_user_is_no_name(talk: Shell) -> None:
    answer = talk.ask("graph", "query", "--episodes", "what did the user ask")

    assert not any("name" in episode["found_by"] for episode in answer["episodes"])


def test_an_entity_that_is_named_is_told_as_asked_for(talk: Shell) -> None:
    answer = talk.ask("graph", "query", "what about NeoVim?")

    assert answer["about"]["asked"] == ["NeoVim"]
    assert answer["hits"][0]["name"] == "NeoVim"
    assert "name" in answer["hits"][0]["found_by"]


SWAPPED = """---
type: conversation
log: 2
date: "2026-04-01T10:00:00Z"
session_id: "swapped"
---
# Conversation 002

### Ana
10:00 ^t-000000000011

My garden is full of tomatoes this year.

### Bo
10:01 ^t-000000000012

I sold my old sailing boat to a fisherman.

### Ana
10:02 ^t-000000000013

The tomatoes taste of nothing, though.

### Bo
10:03 ^t-000000000014

The fisherman paid for the sailing boat in cash.
"""


@pytest.mark.parametrize(
    ("query", "closer"),
    [
        ("To whom did Ana sell her sailing boat?", "Bo"),
        ("To whom did Bo sell his sailing boat?", None),
        ("Who sold a sailing boat?", None),
    ],
)
def test_the_answer_says_when_somebody_else_said_what_is_asked_for(
    inside: Shell, query: str, closer: str | None
) -> None:
    (inside.folder / "conversations" / "swapped.md").write_text(SWAPPED, "utf-8")

    assert inside.ask("graph", "query", "--episodes", query)["about"]["closer"] == closer
    shown = inside.run("graph", "query", "--episodes", query).out
    sentence = "What Bo said fits better than what Ana said, who was asked for."
    assert (sentence in shown.splitlines()) == (closer == "Bo")

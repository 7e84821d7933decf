"""Reported: hyphens, quotes, stars or words such as NEAR in a query are errors or find nothing."""

import pytest

from tests.cases.conftest import Given, Holding, Reported
from tests.command import Shell

TEXT = (
    "don't use code-reviewer in lib/parse.rs or NOTES.md; cache:warm; F# (alpha; 50% off, MB/s; "
    "this AND that; mail ana@b.org; *bold*; $PATH; it's [sic] 1.5\N{MULTIPLICATION SIGN}; 日本語"
)
HELD = [
    *("don't", "code-reviewer", "lib/parse.rs", "NOTES.md", "cache:warm", "F#", "(alpha", "50%"),
    *("MB/s", "this AND that", "ana@b.org", "*bold*", "$PATH", "[sic]", "1.5", "日本語", "it's"),
]
ODD = [
    *('"open', '""', "NEAR", "NEAR(a b)", "AND", "NOT x", "a OR", "*", "^", "", "   ", "-x", "--"),
    *("'; DROP TABLE x; --", "[[", "\\", "text:x", "{a}", "a:b:c", "(", ")))", "+", "\N{BELL}"),
    *("-", "%", "_", "\N{ROCKET}", "path:..", "x" * 5000, "\udc80", "\u202e"),
]
TALK = f"""\
---
type: conversation
log: 1
date: "2026-03-01T10:00:00Z"
session_id: "s"
---
# Conversation 001

### User
10:00 ^t-000000000001

{TEXT}
"""


@pytest.fixture
def told(holding: Holding) -> Shell:
    return holding({"n.md": f"{TEXT}\n", "conversations/conversation-001.md": TALK})


def test_what_stands_there_is_found_by_every_search(told: Shell) -> None:
    for query in HELD:
        words = ("--kind", "note", "--keyword", query, "--", query)
        hits = told.ask("graph", "search", *words)["hits"]
        assert [hit["path"] for hit in hits] == ["n.md"], query
        assert "lexical" in hits[0]["found_by"], query
        matches = told.ask("search", "--", query)["matches"]
        assert [match["line"] for match in matches] == [12], query


def test_no_character_is_an_operator_or_an_error(told: Shell) -> None:
    for number, query in enumerate(ODD):
        by_meaning = (
            ("graph", "search", "--kind", "all", "--keyword", query),
            ("graph", "query", "--episodes"),
        )
        for command in (by_meaning[number % 2], ("search",)):
            answer = told.run("--json", *command, "--", query)
            assert answer.exit_code == 0, (query, answer.err)
            assert answer.data["query"] == query


def test_nothing_is_found_by_nothing(told: Shell) -> None:
    for query in ("", "   "):
        assert told.ask("graph", "search", "--kind", "all", "--", query)["hits"] == []
        assert told.ask("graph", "query", "--episodes", "--", query)["episodes"] == []
        assert told.ask("search", "--", query)["matches"] == []


def test_an_option_must_be_one_before_the_end_of_options(told: Shell) -> None:
    assert told.run("graph", "search", "-x").exit_code == 2
    assert told.run("graph", "search", "--", "-x").exit_code == 0
    assert told.run("graph", "search", "--", "--limit", "1").exit_code == 0


def test_the_reported_queries(given: Given, reported: Reported) -> None:
    shell = given(25)
    lines = (reported(25) / "queries.txt").read_text().splitlines()
    queries = [line.partition("\t")[::2] for line in lines]

    for mark, query in queries:
        words = ("--kind", "all", "--keyword", query, "--", query)
        answer = shell.run("--json", "graph", "search", *words)
        assert answer.exit_code == 0
        if mark == "H":
            assert [hit["path"] for hit in answer.data["hits"]] == ["n.md"], query
    assert len(queries) > 20

"""Reported: dates, ``yes``, ``1.0`` and ``012`` come back as other types, or break the JSON."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import changed_lines, contents, found_paths

DIARY = """\
---
title: 2026-02-05
created: 2026-02-05
modified: 2026-02-05T09:05:28-06:00
country: NO
answer: yes
switch: off
version: 1.10
zip: 01234
clock: 12:30
huge: .inf
nothing: ~
empty:
tags: [2026, yes, null, 0x1F]
aliases: [1.10, 07, NO, 2026-02-06, 12:30]
---
A trip by [[1.10]] along the fjord.
"""
TYPED = """\
---
type: event
abstract: 2026-02-07
aliases: [1.20, on]
created: 2026-02-07
updated: 2026-02-07T10:00:00+02:00
rating: 010
---
Low tide.
"""
SCALARS = ["2026-03-01", "yes", "NO", "~", "null", "1.0", "012", "0x1F", "12:30", ".inf", "1e3"]


@pytest.mark.parametrize("name", ["2026-02-05", "1.10", "07", "no", "2026-02-06", "12:30"])
def test_a_note_is_found_by_the_text_that_stands_in_it(holding: Holding, name: str) -> None:
    shell = holding({"diary/fjord.md": DIARY})

    shown = shell.ask("graph", "show", name)

    assert shown["path"] == "diary/fjord.md"
    assert set(shown["aliases"]) >= {"1.10", "07", "NO", "2026-02-06", "12:30"}
    assert shell.run("graph", "show", "1.1").exit_code == 3


def test_json_shows_dates_and_words_as_they_stand(holding: Holding) -> None:
    shell = holding({"diary/fjord.md": DIARY, "tide.md": TYPED})

    [event] = shell.ask("graph", "list")["entities"]
    shown = shell.ask("graph", "show", "ON")
    [hit] = shell.ask("graph", "search", "--kind", "note", "--limit", "1", "fjord trip")["hits"]
    walk = shell.ask("graph", "traverse", "2026-02-05")

    assert event["abstract"] == shown["abstract"] == "2026-02-07"
    assert shown["aliases"] == ["1.20", "on"]
    assert (hit["path"], hit["date"]) == ("diary/fjord.md", "2026-02-05")
    assert walk["root"] == "fjord"


def test_a_rewrite_keeps_the_text_of_every_value(holding: Holding) -> None:
    shell = holding({"tide.md": TYPED})

    shell.ask("graph", "observe", "1.20")

    changed = changed_lines(TYPED.encode(), contents(shell.folder)["tide.md"])
    assert changed.removed == [b"updated: 2026-02-07T10:00:00+02:00\n"]
    assert b"updated: 2026-03-12\n" in changed.added


def test_words_that_look_like_other_types_are_written_as_words(holding: Holding) -> None:
    shell = holding({})
    for word in SCALARS:
        shell.ask("graph", "add-entity", "--name", word, "--type", "concept", "--abstract", word)

    shown = [shell.ask("graph", "show", word) for word in SCALARS]

    assert [one["name"] for one in shown] == SCALARS
    assert [one["abstract"] for one in shown] == SCALARS
    assert shell.run("check").exit_code == 0


@pytest.mark.parametrize("key", ["confidence: yes", "alpha: lots", "beta: -3", "alpha: .inf"])
def test_a_number_that_is_none_is_an_error_with_file_and_line(holding: Holding, key: str) -> None:
    note = f"---\ntype: tool\nabstract: Odd.\n{key}\n---\n"
    shell = holding({"tools/Odd.md": note})

    [finding] = shell.run("--json", "check").data["findings"]
    answer = shell.run("--json", "graph", "observe", "Odd")

    assert (finding["path"], finding["line"]) == ("tools/Odd.md", 4)
    assert (finding["rule"], finding["severity"]) == ("frontmatter-number", "error")
    assert key.partition(": ")[2] in finding["message"]
    assert (answer.exit_code, answer.error["code"]) == (1, "bad_note")
    assert answer.error["error"].startswith("tools/Odd.md:4: not written to: ")
    assert contents(shell.folder)["tools/Odd.md"] == note.encode()


def test_the_reported_notes(given: Given) -> None:
    shell = given(3)
    before = contents(shell.folder)

    shell.ask("rebuild")
    shown = shell.ask("graph", "show", "2026-03-01")
    checked = shell.run("--json", "check").data["findings"]

    assert found_paths(shell, "norway")[0] == "2026-03-01.md"
    assert (shown["name"], shown["aliases"]) == ("2026-03-01", ["1.0"])
    assert [(one["path"], one["line"], one["severity"]) for one in checked] == [
        ("bad-confidence.md", line, "error") for line in (4, 5, 6)
    ]
    assert "'yes'" in checked[0]["message"]
    assert contents(shell.folder) == before

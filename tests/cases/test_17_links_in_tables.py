r"""Reported: ``[[a\|b]]`` in a table leads to ``a\``, and written links break tables or prose."""

import json

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings

TABLE = "| week | again |\n|---|---|\n"
ROWS = [
    r"| [[Week 44\|W44]] | [[Week 44]] |",
    r"| ![[Week 44\|300]] | [[Week 44#Monday\|Mon]] |",
    r"| [[weeks/Week 44\|W44]] | `[[Ghost\|g]]` |",
    r"| [W44](weeks/Week%2044.md) | [W44](<weeks/Week 44.md#x>) |",
    r"[[Week 44|W44]] \| [[Week 44\|again]] |",
]


@pytest.mark.parametrize("row", ROWS)
def test_a_link_in_a_table_leads_to_its_note(holding: Holding, row: str) -> None:
    shell = holding({"Calendar.md": f"{TABLE}{row}\n", "weeks/Week 44.md": "## Monday\n"})

    walked = shell.ask("graph", "traverse", "Calendar")

    assert {edge["to_path"] for edge in walked["edges"]} == {"weeks/Week 44.md"}
    assert [node["name"] for node in walked["nodes"]] == ["Calendar", "Week 44"]
    assert findings(shell) == []


def test_what_the_tool_writes_is_escaped_in_tables_alone(holding: Holding) -> None:
    shell = holding({})
    for name in ("A|B", "C/D"):
        words = ("--name", name, "--type", "concept", "--abstract", "Two of them.")
        shell.ask("graph", "add-entity", *words)
    said = {"role": "user", "content": "a | b"}
    record = {"type": "user", "uuid": "u", "sessionId": "s|t", "message": said}

    [path] = shell.ask("graph", "relate", "C/D", "--rel", "near", "--target", "A|B")["created"]
    shell.ask("archive-session", "--transcript", "-", stdin=json.dumps(record).encode())

    note = (shell.folder / path).read_text()
    assert "\n[[C-D|C/D]] near [[A-B|A/B]].\n" in note
    [row] = (shell.folder / "ARCHIVE.md").read_text().splitlines()[-1:]
    assert row.startswith(r"| [[conversation-001\|001]] |")
    assert r" s\|t " in row
    assert row.replace(r"\|", "").count("|") == 7
    assert rb"\|" not in contents(shell.folder)["EPHEMERAL.md"]
    [edge] = shell.ask("graph", "traverse", "C/D")["edges"]
    assert (edge["rel"], edge["to"]) == ("near", "A|B")


def test_the_reported_notes(given: Given) -> None:
    shell = given(17)

    walked = shell.ask("graph", "traverse", "Calendar")

    assert [node["path"] for node in walked["nodes"]] == ["Calendar.md", "Week 44.md"]
    assert {edge["to_path"] for edge in walked["edges"]} == {"Week 44.md"}
    assert findings(shell) == []

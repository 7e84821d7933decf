"""Reported: ``[[x]]`` in code, comments and math becomes an edge, and shell code becomes a note."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings
from tests.command import Shell

HIDDEN = {
    "inline code": "Run `[[Ghost]]` now.",
    "longer inline code": "Run ``a ` [[Ghost]]`` now.",
    "inline code over lines": "Run `a\n[[Ghost]]` now.",
    "a fence": "```bash\nif [[ -f x ]]; then echo [[Ghost]]; fi\n```",
    "a fence of tildes": "~~~\n[[Ghost]]\n```\n[[Ghost]]\n~~~",
    "a fence in a list": "- item\n  ```\n  [[Ghost]]\n  ```\n- other",
    "a fence in a quote": "> ```\n> [[Ghost]]\n> ```",
    "indented code": "Text:\n\n    [[Ghost]]\n\nmore",
    "an HTML comment": "<!-- [[Ghost]]\n\n[[Ghost]] -->",
    "an Obsidian comment": "%% [[Ghost]] %%",
    "a comment over lines": "%%\n[[Ghost]]\n\n[[Ghost]]\n%%",
    "math": "$$ [[Ghost]] $$ and $[[Ghost]]$.",
    "an escape": "\\[[Ghost]] is text.",
    "brackets apart": "`[[` and `]]` apart, [ [Ghost] ].",
    "a markdown link": "`[it](Ghost.md)` and <!-- [it](Ghost.md) -->",
}
SHOWN = {
    "after a backtick alone": "A ` and [[Pier]].",
    "after a dollar": "It costs 5$ at [[Pier]] and 6$ there.",
    "in a list that is deep": "- a\n    - [[Pier]]",
    "in a quote": "> [[Pier]]",
    "in a heading": "## To [[Pier]]",
    "after a fence": "```\ncode\n```\n[[Pier]]",
    "in bold": "**[[Pier]]**",
    "embedded": "![[Pier]]",
}


def edges(shell: Shell) -> list[tuple[str, str]]:
    walked = shell.ask("graph", "traverse", "Page")["edges"]
    return [(edge["rel"], edge["to"]) for edge in walked]


@pytest.mark.parametrize("kind", HIDDEN)
def test_no_link_is_made_of(holding: Holding, kind: str) -> None:
    text = f"See [[Real]].\n\n{HIDDEN[kind]}\n"
    shell = holding({"Page.md": text, "Real.md": "x\n", "Ghost.md": "y\n"})

    assert edges(shell) == [("links_to", "Real")]
    assert findings(shell) == []


@pytest.mark.parametrize("kind", SHOWN)
def test_a_link_is_made_of_what_stands(holding: Holding, kind: str) -> None:
    shell = holding({"Page.md": f"{SHOWN[kind]}\n", "Pier.md": "x\n"})

    assert edges(shell) == [("links_to", "Pier")]


def test_what_is_no_link_is_no_missing_note_either(holding: Holding) -> None:
    shell = holding({"Page.md": "\n\n".join(HIDDEN.values()) + "\n\n[[Gone]]\n"})
    line = contents(shell.folder)["Page.md"].count(b"\n")

    assert findings(shell) == [("Page.md", line, "link-unresolved")]


def test_the_reported_notes(given: Given) -> None:
    shell = given(16)

    assert edges(shell) == [("links_to", "Real")]
    assert findings(shell) == []

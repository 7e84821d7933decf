"""Looking at a vault: what is named how, what is shown, and that nothing is written."""

import hashlib
import os
from pathlib import Path

import pytest

from tests.command import Shell


def contents(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Digest, mode and time of every file of a vault but the derived ones."""
    found = {}
    for at, folders, files in os.walk(folder):
        if ".vaultmem" in folders:
            folders.remove(".vaultmem")
        for path in (Path(at, name) for name in files):
            status = path.stat()
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found[str(path.relative_to(folder))] = (digest, status.st_mode, status.st_mtime_ns)
    return found


@pytest.mark.parametrize(
    "name",
    [
        "NeoVim",
        "neovim",
        "NVIM",
        "entities/tool/NeoVim.md",
        "entities/tool/NeoVim",
        "./entities/tool/NeoVim.md",
        "73342f603d86",
        "NeoVim.md",
    ],
)
def test_an_entity_is_shown_by_every_name_it_has(inside: Shell, name: str) -> None:
    assert inside.ask("graph", "show", name)["path"] == "entities/tool/NeoVim.md"


@pytest.mark.parametrize(
    "words",
    [
        ("Dani", "uses", "NeoVim"),
        ("dani", "Uses", "nvim"),
        ("b3c11e872b44", "uses", "73342f603d86"),
        ("Dani uses NeoVim",),
        ("dani uses neovim",),
        ("relations/Dani uses NeoVim.md",),
        ("229d0501b851",),
    ],
)
def test_a_relation_is_shown_by_every_name_it_has(inside: Shell, words: tuple[str, ...]) -> None:
    assert inside.ask("graph", "show", *words)["path"] == "relations/Dani uses NeoVim.md"


@pytest.mark.parametrize("command", ["show", "traverse"])
def test_a_name_of_two_notes_is_told_with_both(inside: Shell, command: str) -> None:
    answer = inside.run("--json", "graph", command, "mercury")

    assert answer.exit_code == 1
    assert answer.error == {
        "error": (
            "'mercury' fits several notes: entities/concept/Mercury.md, "
            "entities/tool/Mercury (tool).md. Name one by its path"
        ),
        "code": "ambiguous",
    }


@pytest.mark.parametrize(
    ("command", "name", "near"),
    [
        ("show", "NeoVin", "NeoVim"),
        ("traverse", "Zoe", "Zoë"),
        ("observe", "ferry apq", "Ferry app"),
        ("show", "Danni uses NeoVim", "Dani uses NeoVim"),
    ],
)
def test_a_name_of_nothing_is_told_with_the_nearest(
    inside: Shell, command: str, name: str, near: str
) -> None:
    answer = inside.run("graph", command, name)

    assert answer.exit_code == 3
    assert answer.err.startswith(f"Nothing is named {name!r}. Did you mean: ")
    assert near in answer.err


def test_tiers_are_shown_as_asked(inside: Shell) -> None:
    def tiers(*words: str) -> list[str | None]:
        shown = inside.ask("graph", "show", "NeoVim", *words)
        return [shown["abstract"], shown["overview"], shown["content"]]

    abstract = "Modal text editor that Dani has used since March 2026."
    overview, content = "Editor with plugins in Lua.", "Configuration lies in the dotfiles."
    assert tiers() == [abstract, overview, content]
    assert tiers("--tier", "0") == [abstract, None, None]
    assert tiers("--tier", "1,2") == [None, overview, content]
    assert tiers("--tier", " 2 , 0 ") == [abstract, None, content]


def test_a_note_of_ones_own_is_shown_without_a_belief(inside: Shell) -> None:
    shown = inside.ask("graph", "show", "rowing club")

    assert (shown["kind"], shown["path"]) == ("note", "Rowing club.md")
    assert shown["content"]
    assert (shown["belief"], shown["evidence"], shown["from"]) == (None, [], None)


def test_an_entity_is_shown_for_a_person(inside: Shell) -> None:
    answer = inside.run("graph", "show", "NeoVim")

    assert (
        answer.out
        == """\
NeoVim (tool) [89%]
entities/tool/NeoVim.md · id 73342f603d86
Also: nvim

Modal text editor that Dani has used since March 2026.

Editor with plugins in Lua.

Configuration lies in the dotfiles.

Confidence 0.9074 (alpha 9.8, beta 1; 90 % within 0.74 and 0.99), 0.89 with age; prior explicit
  2026-03-06 supports human 0.8
  Dani uses NeoVim [83%]
"""
    )


def test_a_walk_is_drawn_as_a_tree(inside: Shell) -> None:
    answer = inside.run("graph", "traverse", "Dani", "--depth", "3")

    assert (
        answer.out
        == """\
Dani (person)
  Developer who looks after the ferry app.
  ─uses→ NeoVim (tool) [83%]
  ←links_to─ Rowing club (note)
    ─links_to→ Zoë (person)
      ─works_on→ Ferry app (project) [89%]
1 left out below 10 % effective confidence
"""
    )


def test_a_filter_hides_nodes_and_does_not_stop_the_walk(inside: Shell) -> None:
    walked = inside.ask("graph", "traverse", "Dani", "--depth", "3", "--type-filter", "project")

    assert [node["name"] for node in walked["nodes"]] == ["Dani", "Ferry app"]


def test_edges_are_seen_from_both_ends(inside: Shell) -> None:
    walked = inside.ask("graph", "traverse", "NeoVim", "--depth", "1")

    (edge,) = walked["edges"]
    assert (edge["from"], edge["rel"], edge["to"]) == ("Dani", "uses", "NeoVim")
    assert edge["direction"] == "in"


def test_what_lost_its_support_is_left_out_unless_all_is_asked(inside: Shell) -> None:
    def names(*words: str) -> set[str]:
        return {entity["name"] for entity in inside.ask("graph", "list", *words)["entities"]}

    def found(*words: str) -> set[str]:
        return {hit["name"] for hit in inside.ask("graph", "search", *words, "line editor")["hits"]}

    assert names("--all") - names() == {"Ed"}
    assert "Ed" in found("--all")
    assert "Ed" not in found()
    assert inside.ask("graph", "show", "Ed")["belief"]["unsupported"] is True


def test_a_list_of_one_type_has_no_relations(inside: Shell) -> None:
    listed = inside.ask("graph", "list", "--type", "PERSON")

    assert [entity["name"] for entity in listed["entities"]] == ["Dani", "Zoë"]
    assert listed["relations"] == []


def test_archives_are_searched_by_line(inside: Shell) -> None:
    answer = inside.run("search", "-C", "1", "LEADER", "key")

    assert answer.out == (
        "conversations/conversation-001.md-26- The key bindings are in `init.lua` now.\n"
        "conversations/conversation-001.md:27: The leader key is the space bar.\n"
        "conversations/conversation-001.md-28- \n"
    )


def test_a_search_names_kinds(inside: Shell) -> None:
    def kinds(*words: str) -> set[str]:
        return {hit["kind"] for hit in inside.ask("graph", "search", *words, "boats")["hits"]}

    assert kinds() <= {"entity", "relation"}
    assert kinds("--kind", "note") == {"note"}
    assert kinds("--kind", "source,conversation") == {"source", "conversation"}
    assert {"note", "source", "entity"} <= kinds("--kind", "all", "--limit", "50")


def test_a_keyword_keeps_what_holds_it(inside: Shell) -> None:
    found = inside.ask("graph", "search", "--keyword", "LISBON", "who works here")

    assert [hit["name"] for hit in found["hits"]] == ["Zoë"]


def test_a_query_follows_relations_and_says_by_which(inside: Shell) -> None:
    found = inside.ask("graph", "query", "--type", "person", "modal text editor")

    dani = next(hit for hit in found["hits"] if hit["name"] == "Dani")
    assert "graph" in dani["found_by"]
    assert dani["via"] == ["relations/Dani uses NeoVim.md"]
    assert {hit["type"] for hit in found["hits"]} == {"person"}


def test_depth_0_follows_nothing(inside: Shell) -> None:
    found = inside.ask("graph", "query", "--depth", "0", "modal text editor")

    assert all(hit["via"] == [] for hit in found["hits"])
    assert all("graph" not in hit["found_by"] for hit in found["hits"])


def test_a_query_with_episodes_gives_turns_and_says_whom_it_is_about(inside: Shell) -> None:
    found = inside.ask("graph", "query", "--episodes", "What did Dani say about key bindings?")

    assert found["about"]["asked"] == ["Dani"]
    assert {hit["kind"] for hit in found["episodes"]} <= {"conversation", "note", "source"}
    assert found["episodes"][0]["path"] == "conversations/conversation-001.md"
    assert found["episodes"][0]["speaker"] in {"User", "Assistant"}


def test_status_says_how_the_vault_is(inside: Shell) -> None:
    answer = inside.run("status")

    assert (
        answer.out
        == f"""\
vaultmem: healthy
  Vault:         {inside.folder}
  MEMORY.md:     3/200 lines [....................] 2%
  EPHEMERAL.md:  1/5 sessions
  Conversations: 1
  Graph:         9 entities, 4 relations
  Notes:         3 of your own, 1 source
  Index:         23 units, generation {inside.ask("status")["index"]["generation"]}
  Model:         {inside.ask("status")["index"]["model"]}
"""
    )


def test_status_without_a_vault_is_down(shell: Shell) -> None:
    answer = shell.run("--json", "status")

    assert answer.exit_code == 3
    assert answer.error["code"] == "not_found"
    assert answer.error["error"].startswith("down: No vault in ")


@pytest.mark.parametrize("missing", ["MEMORY.md", "conversations"])
def test_status_is_degraded_where_a_part_is_missing(inside: Shell, missing: str) -> None:
    (inside.folder / missing).rename(inside.home / missing)

    answer = inside.ask("status")

    assert answer["health"] == "degraded"
    assert missing in answer["reason"]


READING = [
    "where",
    "status",
    "rebuild",
    "rebuild --full",
    "check",
    "search key",
    "config list",
    "graph status",
    "graph list",
    "graph show NeoVim",
    "graph search boats",
    "graph query --episodes boats",
    "graph traverse Dani",
]


def test_reading_never_changes_a_byte_of_the_vault(inside: Shell) -> None:
    (inside.folder / "Broken.md").write_bytes(b"\xef\xbb\xbf---\r\ntype: [\r\n---\r\n\xff[[Dani]]")
    (inside.folder / "Old.md").write_text("---\ntype: tool\nconfidence: 0.4\n---\nBy hand.\n")
    before = contents(inside.folder)

    for line in READING:
        assert inside.run(*line.split()).exit_code in {0, 4}, line

    assert contents(inside.folder) == before

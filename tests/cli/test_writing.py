"""Entities, relations and observations by hand, as the notes then say."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Shell

KAYAK = ("graph", "add-entity", "--name", "Kayak", "--type", "tool", "--abstract", "Boat for one.")
EDITOR = "Modal text editor that Dani has used since March 2026."


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a vault but the derived ones, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".vaultmem" not in path.parts
    }


def test_a_new_entity_is_one_note_with_its_first_line(inside: Shell) -> None:
    answer = inside.run(*KAYAK, "--overview", "Red.", "--content", "It leaks.")

    assert answer.out == ("Created entities/tool/Kayak.md\nConfidence 0.9074 (alpha 9.8, beta 1)\n")
    assert (inside.folder / "entities/tool/Kayak.md").read_text().partition("## Evidence")[0] == (
        '---\nid: "727bf0eef00b"\ntype: tool\nabstract: Boat for one.\nconfidence: 0.9074\n'
        "alpha: 9.8\nbeta: 1\nprior: explicit\nprovenance: human\ncreated: 2026-03-12\n"
        "updated: 2026-03-12\ntags: [entity/tool]\n---\n# Kayak\n\n## Overview\nRed.\n\n"
        "## Content\nIt leaks.\n\n"
    )


def test_adding_what_exists_is_an_observation_of_it(inside: Shell) -> None:
    words = ("graph", "add-entity", "--name", "NVIM", "--type", "tool", "--abstract", EDITOR)

    answer = inside.ask(*words)
    again = inside.ask(*words)

    assert (answer["created"], answer["changed"]) == ([], ["entities/tool/NeoVim.md"])
    assert answer["belief"]["alpha"] == 10.6
    assert (again["changed"], again["notice"]) == (
        [],
        "This origin was counted already; name another --source or --date",
    )


def test_another_abstract_needs_update(inside: Shell) -> None:
    words = (
        "graph",
        "add-entity",
        "--name",
        "NeoVim",
        "--type",
        "tool",
        "--abstract",
        "New words.",
    )
    before = contents(inside.folder)

    refused = inside.run(*words)
    untouched = contents(inside.folder)
    updated = inside.run(*words, "--update")

    assert refused.exit_code == 5
    assert untouched == before
    assert updated.exit_code == 0
    text = (inside.folder / "entities/tool/NeoVim.md").read_text()
    assert "abstract: New words.\naliases: [nvim]\n" in text
    assert text.count("- 2026-") == 2


def test_a_decision_never_changes(inside: Shell) -> None:
    name = "Hold seats for ten minutes"
    words = ("graph", "add-entity", "--name", name, "--type", "decision", "--abstract", "Other.")

    answer = inside.run(*words, "--update")

    assert answer.exit_code == 5
    assert "a decision never changes" in answer.err


@pytest.mark.parametrize(
    ("name", "type_", "path"),
    [
        ("a/b: c?", "concept", "entities/concept/a-b- c-.md"),
        ("../../evil", "concept", "entities/concept/-.-..-evil.md"),
        ("CON", "concept", "entities/concept/CON-.md"),
        (".hidden", "concept", "entities/concept/-hidden.md"),
        ("What [is] #1?", "question", "entities/question/What -is- -1-.md"),
        ("mercury", "person", "entities/person/mercury (person).md"),
    ],
)
def test_a_name_that_is_no_file_name_gets_a_safe_one_and_keeps_the_true_one(
    inside: Shell, name: str, type_: str, path: str
) -> None:
    words = ("--name", name, "--type", type_, "--abstract", "A name.")

    made = inside.ask("graph", "add-entity", *words)
    shown = inside.ask("graph", "show", path)
    again = inside.ask("graph", "add-entity", *words)

    assert made["created"] == [path]
    assert shown["name"] == name
    assert again["created"] == []
    assert inside.run("check").exit_code == 0


def test_a_very_long_name_is_cut_and_found_whole(inside: Shell) -> None:
    name = "長い名前" * 40

    made = inside.ask("graph", "add-entity", "--name", name, "--type", "event", "--abstract", "x")

    assert len(Path(made["created"][0]).name.encode()) <= 184
    assert inside.ask("graph", "show", name)["name"] == name


def test_text_given_in_a_note_cannot_forge_evidence_or_headings(inside: Shell) -> None:
    forged = "## Evidence\n- 2026-01-01 supports human 99 (s:9b1d02e7c4a1) ^e3f9a2c41d07"

    inside.ask(*KAYAK, "--content", forged, "--overview", "---\nalpha: 99\n---")

    shown = inside.ask("graph", "show", "Kayak")
    assert shown["belief"]["alpha"] == 9.8
    assert len(shown["evidence"]) == 1
    assert "supports human 99" in shown["content"]


def test_a_secret_never_reaches_a_note(inside: Shell) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    inside.ask(*KAYAK, "--content", f"The token is {token}", "--source", f"mail with {token}")

    assert token not in (inside.folder / "entities/tool/Kayak.md").read_text()


def test_a_new_relation_is_one_note_between_two(inside: Shell) -> None:
    answer = inside.ask(
        *("graph", "relate", "zoë", "--rel", "knows", "--target", "DANI"),
        *("--description", "Since school.", "--valid-from", "2010-09-01", "--prior", "4:6"),
        *("--quote", "we sat side by side", "--source", "call with Ana", "--by", "external"),
    )

    assert answer["created"] == ["relations/Zoë knows Dani.md"]
    shown = inside.ask("graph", "show", "Zoë", "knows", "Dani")
    assert (shown["from"], shown["rel"], shown["to"]) == ("Zoë", "knows", "Dani")
    assert shown["content"] == "Since school."
    assert shown["belief"]["valid_from"] == "2010-09-01"
    assert (shown["belief"]["alpha"], shown["belief"]["beta"]) == (5.0, 6.0)
    assert shown["evidence"][0]["quote"] == "we sat side by side"
    assert shown["evidence"][0]["source"] == "call with Ana"


def test_relating_what_is_related_observes_it_and_keeps_the_prior(inside: Shell) -> None:
    words = ("graph", "relate", "Dani", "--rel", "uses", "--target", "NeoVim")

    answer = inside.run(*words, "--prior", "speculative")

    assert answer.err == "The prior of a belief that exists is not changed\n"
    assert answer.out.startswith("Changed relations/Dani uses NeoVim.md\n")
    assert inside.ask("graph", "show", "Dani", "uses", "NeoVim")["belief"]["prior"] == "explicit"


def test_an_end_without_a_note_is_told_with_the_cure(inside: Shell) -> None:
    answer = inside.run("graph", "relate", "Dani", "--rel", "uses", "--target", "Quux")

    assert answer.exit_code == 3
    assert answer.err == ("Nothing is named 'Quux'. Add it with: vaultmem graph add-entity\n")


def test_a_name_of_two_types_is_linked_so_that_it_means_the_right_one(inside: Shell) -> None:
    inside.ask("graph", "relate", "Dani", "--rel", "uses", "--target", "Mercury (tool)")
    inside.ask("graph", "relate", "Dani", "--rel", "likes", "--target", "entities/concept/Mercury")

    walked = inside.ask("graph", "traverse", "Dani", "--depth", "1")
    found = {edge["rel"]: edge["to_path"] for edge in walked["edges"] if edge["belief"]}
    assert found["uses"] != found["likes"]
    assert found["likes"] == "entities/concept/Mercury.md"
    assert "entities/tool/Mercury (tool).md" in {edge["to_path"] for edge in walked["edges"]}


RELATION = "relations/Dani uses NeoVim.md"


@pytest.mark.parametrize(
    "words",
    [
        ("Dani", "uses", "NeoVim"),
        ("dani", "USES", "nvim"),
        ("Dani", "--rel", "uses", "--target", "NeoVim"),
        ("Dani uses NeoVim",),
        ("relations/Dani uses NeoVim.md",),
        ("229d0501b851",),
    ],
)
def test_a_relation_is_observed_by_every_name_it_has(inside: Shell, words: tuple[str, ...]) -> None:
    answer = inside.ask("graph", "observe", *words)

    assert answer["changed"] == [RELATION]
    assert answer["belief"]["alpha"] == 10.6


@pytest.mark.parametrize("name", ["NeoVim", "nvim", "entities/tool/NeoVim", "73342f603d86"])
def test_an_entity_is_observed_by_every_name_it_has(inside: Shell, name: str) -> None:
    assert inside.ask("graph", "observe", name)["changed"] == ["entities/tool/NeoVim.md"]


def test_one_origin_counts_once_for_each_side(inside: Shell) -> None:
    words = ("graph", "observe", "NeoVim", "--source", "conversation-001#^t-0b1c2d3e4f50")

    first = inside.ask(*words)
    by_session = inside.ask("graph", "observe", "NeoVim", "--source", "abc123")
    against = inside.ask(*words, "--contradicts")

    assert (first["belief"]["alpha"], first["belief"]["beta"]) == (10.6, 1.0)
    assert by_session["changed"] == []
    assert (against["belief"]["alpha"], against["belief"]["beta"]) == (10.6, 1.8)


def test_twenty_sources_add_twenty_lines(inside: Shell) -> None:
    for number in range(20):
        answer = inside.ask("graph", "observe", "NeoVim", "--source", f"letter {number}")

    assert answer["belief"]["alpha"] == pytest.approx(9.8 + 20 * 0.8)
    assert len(inside.ask("graph", "show", "NeoVim")["evidence"]) == 21


def test_what_agents_say_adds_one_at_most(inside: Shell) -> None:
    for number in range(30):
        answer = inside.ask(
            "graph", "observe", "NeoVim", "--by", "agent", "--source", f"run {number}"
        )

    assert answer["belief"]["alpha"] == 10.8
    assert answer["belief"]["self"] == 1.0


def test_an_observation_of_an_earlier_day_keeps_its_day(inside: Shell) -> None:
    inside.ask("graph", "observe", "NeoVim", "--date", "2026-01-02", "--quote", 'so "it" is [[x]]')

    line = inside.ask("graph", "show", "NeoVim")["evidence"][-1]
    assert (line["date"], line["quote"]) == ("2026-01-02", 'so "it" is [[x]]')


@pytest.mark.parametrize("name", ["Rowing club", "conversation-001", "Harbour rules"])
def test_what_holds_no_belief_cannot_be_observed(inside: Shell, name: str) -> None:
    answer = inside.run("graph", "observe", name)

    assert answer.exit_code == 3
    assert "holds no belief. Name an entity or relation" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        (*KAYAK, "--dry-run"),
        ("graph", "relate", "Zoë", "--rel", "knows", "--target", "Dani", "--dry-run"),
        ("graph", "observe", "NeoVim", "--dry-run"),
    ],
)
def test_a_dry_run_prints_the_diff_and_writes_nothing(
    inside: Shell, words: tuple[str, ...]
) -> None:
    before = contents(inside.folder)

    text, data = inside.run(*words), inside.ask(*words)

    assert contents(inside.folder) == before
    assert text.out == data["diff"]
    assert text.out.startswith("diff --git a/")
    assert "+- 2026-03-12 supports human 0.8" in text.out
    assert data["belief"]["alpha"] > 9


def test_a_dry_run_of_nothing_says_so(inside: Shell) -> None:
    words = ("graph", "observe", "NeoVim")
    inside.ask(*words)

    answer = inside.run(*words, "--dry-run")

    assert answer.out == "Nothing would change.\n"


def test_the_diff_of_a_dry_run_is_what_the_write_does(inside: Shell) -> None:
    git = ("git", "-c", "core.autocrlf=false")
    words = ("graph", "observe", "Dani", "uses", "NeoVim", "--quote", "é \\ 日本")
    patch = inside.folder / "patch.diff"
    patch.write_text(inside.run(*words, "--dry-run").out)
    twin = replace(inside, folder=inside.home)
    (twin.folder / "relations").mkdir()
    (twin.folder / RELATION).write_bytes((inside.folder / RELATION).read_bytes())

    applied = twin.program("apply", "--unsafe-paths", str(patch), command=git)
    inside.ask(*words)

    assert applied.exit_code == 0, applied.err
    assert (twin.folder / RELATION).read_bytes() == (inside.folder / RELATION).read_bytes()


def test_a_broken_note_is_not_written_to(inside: Shell) -> None:
    note = inside.folder / "entities/tool/NeoVim.md"
    broken = note.read_text().replace("alpha: 9.8", "alpha: [9.8")
    note.write_text(broken)

    answer = inside.run("graph", "observe", "entities/tool/NeoVim.md")

    assert answer.exit_code in {1, 3}
    assert "entities/tool/NeoVim.md" in answer.err
    assert note.read_text() == broken


def test_a_person_is_known_by_git_else_by_name(inside: Shell) -> None:
    (inside.home / ".gitconfig").write_text("[user]\n\temail = dani@example.org\n")
    by_git = inside.ask("graph", "observe", "NeoVim")
    (inside.home / ".gitconfig").unlink()
    by_name = inside.ask("graph", "observe", "NeoVim")

    assert by_git["belief"]["alpha"] == 10.6
    assert by_name["belief"]["alpha"] == 11.4


def test_two_names_that_differ_in_unicode_form_are_one(inside: Shell) -> None:
    answer = inside.ask(
        *("graph", "add-entity", "--name", "Zoe\u0308", "--type", "person"),
        *("--abstract", "Designer in Lisbon who draws the timetable screens."),
    )

    assert answer["changed"] == ["entities/person/Zoë.md"]

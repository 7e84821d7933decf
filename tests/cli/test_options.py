"""Global options, exit codes and what a word may be."""

import json
from dataclasses import replace

import pytest

from tests.command import Shell


@pytest.mark.parametrize(
    "words",
    [
        ("--json", "graph", "list"),
        ("graph", "--json", "list"),
        ("graph", "list", "--json"),
    ],
)
def test_a_global_option_stands_before_and_after_the_command(
    inside: Shell, words: tuple[str, ...]
) -> None:
    answer = inside.run(*words)

    assert answer.exit_code == 0
    assert {entity["name"] for entity in answer.data["entities"]} >= {"Dani", "Zoë"}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_vault_is_named_before_or_after_the_command(inside: Shell, place: int) -> None:
    elsewhere = replace(inside, folder=inside.home)
    words = ["graph", "list"]
    words[place:place] = ["--vault", str(inside.folder)]

    answer = elsewhere.run("--json", *words)

    assert len(answer.data["relations"]) == 4


def test_two_dashes_end_the_options(inside: Shell) -> None:
    answer = inside.run("graph", "search", "--json", "--", "--limit")

    assert answer.exit_code == 0
    assert answer.data["query"] == "--limit"


def test_json_behind_two_dashes_is_no_option(inside: Shell) -> None:
    answer = inside.run("graph", "show", "--", "--json")

    assert answer.exit_code == 3
    assert answer.err == "Nothing is named '--json'. List all: vaultmem graph list\n"


def test_a_query_that_begins_with_a_dash_is_told_how_to_be_asked(inside: Shell) -> None:
    answer = inside.run("graph", "search", "-quick")

    assert answer.exit_code == 2
    assert "Words that begin with a dash go after --." in answer.err


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "*",
        "a AND b OR NOT c",
        "NEAR(a b)",
        "name:x",
        "(",
        "\\",
        "%",
        "[[Dani]]",
        "🛶",
        "\n",
    ],
)
@pytest.mark.parametrize("command", ["graph search", "graph query", "search"])
def test_no_character_of_a_query_is_an_operator(inside: Shell, command: str, query: str) -> None:
    answer = inside.run("--json", *command.split(), "--", query)

    assert answer.exit_code == 0, answer.err
    assert answer.data["query"] == query


@pytest.mark.parametrize("command", ["graph search", "graph query", "search"])
@pytest.mark.parametrize("query", ["", " ", "\t"])
def test_an_empty_query_finds_nothing(inside: Shell, command: str, query: str) -> None:
    answer = inside.run(*command.split(), query)

    assert (answer.exit_code, answer.out, answer.err) == (0, "Nothing found.\n", "")


@pytest.mark.parametrize(
    ("words", "exit_code"),
    [
        (("where",), 0),
        (("search", "nothing-of-the-sort"), 0),
        (("graph", "search", "--type", "vehicle", "x"), 2),
        (("graph", "search", "--kind", "page", "x"), 2),
        (("graph", "search", "--limit", "0", "x"), 2),
        (("graph", "traverse", "Dani", "--depth", "-1"), 2),
        (("graph", "traverse", "Dani", "--type-filter", "vehicle"), 2),
        (("graph", "list", "--type", "vehicle"), 2),
        (("graph", "show", "Dani", "--tier", "3"), 2),
        (("graph", "show", "Dani", "--tier", ""), 2),
        (("graph", "add-entity", "--name", "", "--type", "tool", "--abstract", "x"), 2),
        (("graph", "add-entity", "--name", "x", "--type", "tool", "--abstract", " "), 2),
        (("graph", "add-entity", "--name", "x", "--type", "tool"), 2),
        (("graph", "relate", "Dani", "--rel", "Uses It", "--target", "NeoVim"), 2),
        (("graph", "relate", "Dani", "--rel", "uses", "--target", "NeoVim", "--by", "cat"), 2),
        (("graph", "relate", "Dani", "--rel", "uses", "--target", "Zoë", "--prior", "sure"), 2),
        (("graph", "relate", "Dani", "--rel", "uses", "--target", "Zoë", "--valid-from", "May"), 2),
        (("graph", "observe", "Dani", "--rel", "uses"), 2),
        (("graph", "observe", "NeoVim", "--date", "2026-02-30"), 2),
        (("graph", "observe", "NeoVim", "--date", "2126-02-03"), 2),
        (("config", "get", "no.such.key"), 2),
        (("config", "get", "graph"), 2),
        (("config", "set", "ephemeral.max_entries", "many"), 2),
        (("config", "set", "vault_format", "9"), 2),
        (("config", "set", "--user", "vault_format", "1"), 2),
        (("graph", "relate", "Dani", "--rel", "uses", "--target", "Nobody"), 3),
        (("graph", "observe", "Nobody"), 3),
        (("graph", "traverse", "Nobody"), 3),
        (("archive-session", "--transcript", "no-such-file.jsonl"), 3),
        (("--root", "/no/such/root", "status"), 3),
        (("graph", "show", "Mercury"), 1),
        (("graph", "add-entity", "--name", "NeoVim", "--type", "tool", "--abstract", "Other"), 5),
    ],
)
def test_a_command_ends_with_the_code_of_its_kind(
    inside: Shell, words: tuple[str, ...], exit_code: int
) -> None:
    answer = inside.run(*words)

    assert answer.exit_code == exit_code
    assert (answer.err == "") == (exit_code == 0)
    assert answer.out == "" or exit_code == 0
    assert answer.err.count("\n") <= 1


def test_check_ends_with_4_while_findings_remain(inside: Shell) -> None:
    (inside.folder / "Broken.md").write_text("---\ntype: [\n---\nSee [[Nowhere]].\n")

    text, data = inside.run("check"), inside.run("--json", "check")

    assert (text.exit_code, data.exit_code) == (4, 4)
    assert "Broken.md:" in text.out
    assert {finding["path"] for finding in data.data["findings"]} == {"Broken.md"}


def test_the_help_of_a_command_that_is_given_nothing_is_shown(inside: Shell) -> None:
    answer = inside.run("graph")

    assert answer.exit_code == 2
    assert answer.err.startswith("Usage: vaultmem graph")
    assert "observe" in answer.err.splitlines()[-1]


def test_an_unknown_command_is_told_with_the_nearest(inside: Shell) -> None:
    answer = inside.run("graph", "travers", "Dani")

    assert answer.exit_code == 2
    assert "No such command: travers. Did you mean: traverse?" in answer.err


def test_quiet_says_no_notices(inside: Shell) -> None:
    words = ("graph", "observe", "NeoVim", "--source", "call with Ana")
    inside.run(*words)

    loud, quiet = inside.run(*words), inside.run("-q", *words)

    assert loud.err == "This origin was counted already; name another --source or --date\n"
    assert quiet.err == ""
    assert quiet.out == loud.out


def test_verbose_says_which_notes_a_rebuild_stumbled_over(inside: Shell) -> None:
    (inside.folder / "Broken.md").write_text("---\ntype: [\n---\n")

    plain, full = inside.run("rebuild"), inside.run("-v", "rebuild")

    assert plain.err == ""
    assert full.err.startswith("Broken.md:3: frontmatter does not parse")


def test_a_notice_stands_in_the_json_answer_and_not_on_standard_error(inside: Shell) -> None:
    words = ("--json", "graph", "observe", "NeoVim", "--source", "call with Ana")
    inside.run(*words)

    answer = inside.run(*words)

    assert answer.err == ""
    assert (
        answer.data["notice"] == "This origin was counted already; name another --source or --date"
    )


def test_both_ways_to_name_the_vault_at_once_are_refused(inside: Shell) -> None:
    answer = inside.run("--root", ".", "--vault", ".", "status")

    assert answer.exit_code == 2
    assert "Give one of them" in answer.err


def test_json_is_one_object_on_one_line(inside: Shell) -> None:
    answer = inside.run("--json", "graph", "show", "Zoë")

    assert answer.out.count("\n") == 1
    assert json.loads(answer.out)["data"]["name"] == "Zoë"
    assert "Zoë" in answer.out

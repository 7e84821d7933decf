"""Reported: a note whose YAML does not parse is overwritten, stops the run, or is not named."""

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths

BAD = '---\ntype: tool\nabstract: "abc "def" ghi"\ntags: [a, b\n---\nImportant prose on kelp.\n'
GOOD = "---\ntype: tool\nabstract: Net for fishing.\n---\n"
VERBS = {
    "observe": ("graph", "observe", "Kelp"),
    "relate from": ("graph", "relate", "Kelp", "--rel", "uses", "--target", "Net"),
    "relate to": ("graph", "relate", "Net", "--rel", "uses", "--target", "kelp"),
    "add": (
        *("graph", "add-entity", "--name", "KELP", "--type", "tool", "--update"),
        *("--abstract", "Weed."),
    ),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_write_names_path_line_and_column_and_changes_nothing(
    holding: Holding, verb: str
) -> None:
    shell = holding({"Kelp.md": BAD, "Net.md": GOOD})
    before = contents(shell.folder)

    answer = shell.run("--json", *VERBS[verb])

    assert (answer.exit_code, answer.error["code"]) == (1, "bad_note")
    assert answer.error["error"].startswith("Kelp.md:3:17: ")
    assert contents(shell.folder) == before


def test_check_mends_nothing_in_it(holding: Holding) -> None:
    shell = holding({"Kelp.md": BAD, "Net.md": GOOD})
    before = contents(shell.folder)

    for option in ("--fix", "--adopt"):
        assert shell.run("check", option).exit_code == 4

    assert contents(shell.folder) == before


def test_the_rest_goes_on(holding: Holding) -> None:
    shell = holding({"Kelp.md": BAD, "Net.md": GOOD})

    rebuilt = shell.ask("rebuild")
    status = shell.ask("status")

    assert rebuilt["notes"]["added"] == 3
    assert [(one["path"], one["line"]) for one in status["findings"]] == [("Kelp.md", 3)]
    assert "Kelp.md:3: " in shell.run("status").out
    assert findings(shell) == [("Kelp.md", 3, "frontmatter-unparsable")]
    assert found_paths(shell, "prose on kelp")[0] == "Kelp.md"
    assert shell.ask("graph", "observe", "Net")["changed"] == ["Net.md"]


def test_a_mended_note_is_an_entity_again(holding: Holding) -> None:
    shell = holding({"Kelp.md": BAD, "Net.md": GOOD})
    shell.ask("rebuild")

    mended = BAD.replace('"abc "def" ghi"', "Weed.").replace("[a, b", "[a, b]")
    (shell.folder / "Kelp.md").write_text(mended)

    assert shell.ask("graph", "observe", "Kelp")["changed"] == ["Kelp.md"]
    assert findings(shell) == []


def test_the_reported_notes(given: Given) -> None:
    shell = given(10, init=True)
    before = contents(shell.folder)

    rebuilt = shell.run("rebuild")
    related = shell.run("graph", "relate", "Bad Yaml", "--rel", "uses", "--target", "Good")
    by_file = shell.run("graph", "relate", "bad", "--rel", "uses", "--target", "Good")

    assert rebuilt.exit_code == 0
    assert related.exit_code == 3
    assert by_file.exit_code == 1
    assert by_file.err.startswith("bad.md:3:20: ")
    assert found_paths(shell, "important prose")[0] == "bad.md"
    assert contents(shell.folder) == before

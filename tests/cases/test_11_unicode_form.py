"""Reported: a name in composed and decomposed form does not resolve, or is indexed twice."""

import unicodedata

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents, findings, found_paths

COMPOSED = "Café Zoë"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)
FORMS = [COMPOSED, DECOMPOSED, DECOMPOSED.upper(), COMPOSED.casefold()]
NOTE = "---\ntype: service\nabstract: Where we meet.\n---\n"


@pytest.mark.parametrize("on_disk", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("form", FORMS)
def test_any_form_means_the_note(holding: Holding, on_disk: str, form: str) -> None:
    shell = holding({f"places/{on_disk}.md": NOTE, "Walk.md": f"To [[{form}#menu|it]].\n"})

    [edge] = shell.ask("graph", "traverse", "Walk")["edges"]
    shown = shell.ask("graph", "show", form)

    assert edge["to_path"] == shown["path"] == f"places/{on_disk}.md"
    assert shown["name"] == COMPOSED
    assert findings(shell) == []


@pytest.mark.parametrize("form", FORMS)
def test_the_form_on_disk_is_kept_and_nothing_is_made_twice(holding: Holding, form: str) -> None:
    shell = holding({f"places/{DECOMPOSED}.md": NOTE})
    words = ("--name", form, "--type", "service", "--abstract", "Where we meet.")

    added = shell.ask("graph", "add-entity", *words)
    related = shell.ask("graph", "relate", form, "--rel", "lies_at", "--target", form)
    again = shell.ask("graph", "relate", COMPOSED, "--rel", "lies_at", "--target", DECOMPOSED)

    assert (added["created"], added["changed"]) == ([], [f"places/{DECOMPOSED}.md"])
    assert (len(related["created"]), again["created"]) == (1, [])
    assert [path for path in contents(shell.folder) if path.startswith("places/")] == [
        f"places/{DECOMPOSED}.md"
    ]
    assert found_paths(shell, "where we meet").count(f"places/{DECOMPOSED}.md") == 1


def test_two_notes_that_differ_in_form_alone_are_reported_and_stay_two(holding: Holding) -> None:
    shell = holding({f"{COMPOSED}.md": "One.\n", f"{DECOMPOSED}.md": "Other.\n"})
    before = contents(shell.folder)

    assert findings(shell) == [(f"{COMPOSED}.md", 0, "name-clash")]
    assert shell.ask("status")["notes"] == 3
    assert set(found_paths(shell, "one or other")) >= {f"{COMPOSED}.md", f"{DECOMPOSED}.md"}
    assert shell.run("check", "--fix").exit_code == 4
    assert contents(shell.folder) == before


def test_the_reported_notes(given: Given) -> None:
    linked, clash = given(11), given(11, "clash")

    linked.ask("rebuild")
    walk = linked.ask("graph", "traverse", "Linker")

    assert [unicodedata.normalize("NFC", edge["to"]) for edge in walk["edges"]] == [COMPOSED]
    assert findings(linked) == []
    [(path, line, rule)] = findings(clash)
    assert (unicodedata.normalize("NFC", path), line, rule) == (f"{COMPOSED}.md", 0, "name-clash")
    assert clash.ask("status")["notes"] == 2

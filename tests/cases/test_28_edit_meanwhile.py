"""Reported: a tool writes back what it read earlier, over an edit that was made meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.conftest import Given, Holding
from tests.cases.vaults import contents
from tests.command import Shell
from vault_memory.cli.app import App
from vault_memory.core.answers import WriteAnswer
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import ConflictError, NotFoundError
from vault_memory.flows.naming import named_belief
from vault_memory.flows.observe import observed
from vault_memory.flows.writing import Plan, write
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit

NOTE = "---\ntype: tool\nabstract: Rope.\nconfidence: 0.9\n---\n# Rope\n\nOne.\n"
Edit = Callable[[Path], None]


def typed(note: Path) -> None:
    with note.open("a") as editor:
        editor.write("- typed by hand\n")


def saved_by_rename(note: Path) -> None:
    aside = note.with_suffix(".tmp")
    aside.write_text(note.read_text().replace("One.", "One.\n- typed by hand"))
    aside.replace(note)


def saved_within_the_same_size(note: Path) -> None:
    note.write_text(note.read_text().replace("# Rope\n\nOne.", "typed by hand"))


def retyped(note: Path) -> None:
    note.write_text(note.read_text().replace("abstract: Rope.", "abstract: typed by hand"))


EDITS: list[Edit] = [typed, saved_by_rename, saved_within_the_same_size, retyped]


def observe(shell: Shell, edit: Edit, *, times: int) -> WriteAnswer:
    """Observe the rope while an editor saves between what is read and what is written."""
    app = App(environ=shell.variables, cwd=shell.folder)
    left = times

    def plan() -> Plan:
        nonlocal left
        said = app.observation(by="human", source="a knot")
        planned = observed(index, named_belief(index, ["Rope"]), said)
        if left:
            left -= 1
            edit(shell.folder / "Rope.md")
        return planned

    with app.open_writer() as index:
        return write(index, plan, dry_run=False)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("times", [1, 3])
def test_the_edit_survives_and_ours_is_made_on_top_of_it(
    holding: Holding, edit: Edit, times: int
) -> None:
    shell = holding({"Rope.md": NOTE})

    answer = observe(shell, edit, times=times)

    text = (shell.folder / "Rope.md").read_text()
    assert answer["changed"] == ["Rope.md"]
    assert "typed by hand" in text
    assert text.count("supports human 0.8 a knot") == 1
    assert text.count("- typed by hand") == (times if edit in (typed, saved_by_rename) else 0)
    assert "alpha: 9.8\n" in text
    assert not list(shell.folder.rglob("*.tmp"))


def test_a_note_that_never_rests_is_left_to_the_editor(holding: Holding) -> None:
    shell = holding({"Rope.md": NOTE})

    with pytest.raises(ConflictError, match=r"^Rope\.md: ") as raised:
        observe(shell, typed, times=100)

    text = (shell.folder / "Rope.md").read_text()
    assert raised.value.exit_code == 5
    assert text.replace("- typed by hand\n", "") == NOTE


def test_a_note_that_was_removed_meanwhile_is_not_made_again(holding: Holding) -> None:
    shell = holding({"Rope.md": NOTE})

    with pytest.raises(NotFoundError):
        observe(shell, Path.unlink, times=1)

    assert "Rope.md" not in contents(shell.folder)


def test_the_reported_edit(given: Given) -> None:
    shell = given(28, init=True)
    vault = App(environ=shell.variables, cwd=shell.folder).writable_vault()
    edits: list[Edit] = [typed]

    def plan() -> ChangeSet:
        before = read_bytes(vault.path, "MEMORY.md") or b""
        if edits:
            edits.pop()(vault.path / "MEMORY.md")
        return ChangeSet((Change("MEMORY.md", before, before + b"- two\n"),))

    commit(vault, plan)

    assert contents(shell.folder)["MEMORY.md"] == b"# Memory\n- one\n- typed by hand\n- two\n"

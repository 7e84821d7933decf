"""Making a vault: only what is missing is added, nothing is overwritten."""

from dataclasses import replace

import pytest

from tests.command import Shell

GIT = ("git",)


def test_a_vault_is_made_in_the_root(shell: Shell) -> None:
    answer = shell.run("init")

    assert answer.exit_code == 0
    assert answer.out.startswith(f"Vault: {shell.folder}/memory\nCreated ")
    names = {path.name for path in (shell.folder / "memory").iterdir()}
    assert {"MEMORY.md", "EPHEMERAL.md", "ARCHIVE.md", ".vaultmem.toml"} <= names
    assert {"conversations", "entities", "relations", "sources", "templates"} <= names
    assert shell.run("status").exit_code == 0
    assert shell.run("check").out == "No findings.\n"


def test_making_it_again_changes_nothing(shell: Shell) -> None:
    shell.ask("init")
    memory = shell.folder / "memory" / "MEMORY.md"
    memory.write_text("Mine.\n")

    answer = shell.run("init")

    assert answer.out == f"Vault: {shell.folder}/memory\nNothing was missing.\n"
    assert memory.read_text() == "Mine.\n"


def test_a_folder_of_notes_becomes_a_vault_by_what_is_missing(shell: Shell) -> None:
    (shell.folder / "MEMORY.md").write_text("Mine.\n")
    (shell.folder / "entities").mkdir()

    made = shell.ask("init", "--vault", ".")

    assert made["vault"] == str(shell.folder)
    assert "MEMORY.md" not in made["created"]
    assert "entities/" not in made["created"]
    assert (shell.folder / "MEMORY.md").read_text() == "Mine.\n"
    assert shell.ask("graph", "add-entity", *("--name", "x", "--type", "tool", "--abstract", "y"))


@pytest.mark.parametrize("words", [("root", "--vault", "."), ("root", "--root", ".")])
def test_two_places_at_once_are_refused(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.run("init", *words).exit_code == 2
    assert list(shell.folder.iterdir()) == []


def test_git_makes_a_repository_that_ignores_what_is_derived(shell: Shell) -> None:
    made = shell.ask("init", "--git")
    shell.ask("rebuild")
    seen = replace(shell, folder=shell.folder / "memory").program(
        "status", "--porcelain", "--untracked-files=all", command=GIT
    )

    assert made["git"] is True
    assert ".vaultmem.toml" in seen.out
    assert ".vaultmem/" not in seen.out


def test_git_leaves_a_repository_around_it_alone(shell: Shell) -> None:
    shell.program("init", "--quiet", command=GIT)

    made = shell.ask("init", "--git")

    assert made["git"] is False
    assert not (shell.folder / "memory" / ".git").exists()


def test_a_file_in_the_way_is_told(shell: Shell) -> None:
    (shell.folder / "memory").write_text("a file")

    answer = shell.run("init")

    assert answer.exit_code == 1
    assert str(shell.folder / "memory") in answer.err
    assert answer.err.count("\n") == 1


def test_layer_0_is_made_where_it_is_missing(inside: Shell) -> None:
    assert inside.run("graph", "init").out == "Layer 0 is there already.\n"
    (inside.folder / "entities").rename(inside.home / "entities")

    assert "Created entities/" in inside.run("graph", "init").out
    assert (inside.folder / "entities").is_dir()


def test_a_vault_is_made_where_the_users_own_folder_cannot_be(shell: Shell) -> None:
    (shell.home / ".config").write_text("a file")

    answer = shell.run("init", "--git")

    assert answer.exit_code == 0
    assert answer.err.startswith("The vault is made, but not noted as trusted. ")
    assert answer.err.count("\n") == 1
    assert str(shell.home / ".config") in answer.err
    assert (shell.folder / "memory" / ".git").is_dir()


def test_an_unreadable_configuration_is_named_when_it_is_to_be_changed(shell: Shell) -> None:
    shell.ask("init")
    config = shell.folder / "memory" / ".vaultmem.toml"
    config.write_text("[")

    answer = shell.run("-q", "config", "set", "ephemeral.max_entries", "7")

    assert answer.exit_code == 1
    assert answer.err.startswith(f"{config}: is not TOML")
    assert config.read_text() == "["


@pytest.mark.parametrize(("name", "below"), [("VAULTMEM_ROOT", "memory"), ("VAULTMEM_VAULT", ".")])
def test_a_place_that_the_environment_names_is_made_a_vault(
    shell: Shell, name: str, below: str
) -> None:
    there = shell.home / "brain"
    surrounded = replace(shell, environ={name: str(there)})

    made = surrounded.ask("init")
    given = surrounded.ask("init", "here")

    assert made["vault"] == str(there / below) == surrounded.ask("where")["vault"]
    assert given["vault"] == str(shell.folder / "here" / "memory")

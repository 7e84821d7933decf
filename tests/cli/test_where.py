"""Which vault is used and why, and which setting holds."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Shell

CONFIG = ".vaultmem.toml"


def make(root: Path) -> Path:
    vault = root / "memory"
    vault.mkdir(parents=True)
    (vault / CONFIG).write_text("vault_format = 1\n")
    return vault


def with_user_config(shell: Shell, text: str) -> None:
    folder = shell.home / ".config" / "vaultmem"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text)


def test_the_option_wins_over_all_else(shell: Shell) -> None:
    one, two, three = (make(shell.folder / name) for name in ("one", "two", "three"))
    surrounded = replace(
        shell,
        folder=two,
        environ={"VAULTMEM_ROOT": str(three.parent), "VAULTMEM_VAULT": str(three)},
    )

    by_root = surrounded.ask("--root", str(one.parent), "where")
    by_vault = surrounded.ask("--vault", "../../one/memory", "where")

    assert by_root == {"vault": str(one), "root": str(one.parent), "reason": "--root"}
    assert (by_vault["vault"], by_vault["reason"]) == (str(one), "--vault")


@pytest.mark.parametrize(("name", "below"), [("VAULTMEM_ROOT", ""), ("VAULTMEM_VAULT", "memory")])
def test_the_environment_wins_over_the_folder(shell: Shell, name: str, below: str) -> None:
    here, there = make(shell.folder / "here"), make(shell.folder / "there")
    surrounded = replace(shell, folder=here, environ={name: str(there.parent / below)})

    assert surrounded.ask("where")["vault"] == str(there)
    assert surrounded.ask("where")["reason"] == name


@pytest.mark.parametrize("below", [".", "memory", "memory/entities/tool", "src/deep"])
def test_the_nearest_vault_above_is_used(shell: Shell, below: str) -> None:
    vault = make(shell.folder)
    folder = shell.folder / below
    folder.mkdir(parents=True, exist_ok=True)
    inside = replace(shell, folder=folder)

    assert inside.ask("where")["vault"] == str(vault)
    assert inside.ask("where")["reason"] == f"the nearest vault above {folder}"


def test_the_configured_default_comes_last(shell: Shell) -> None:
    vault = make(shell.home / "brain")
    with_user_config(shell, '[vault]\nroot = "~/brain"\n')

    answer = shell.run("where")

    assert answer.out == f"{vault} (the configured default)\n"


def test_settings_are_told_where_there_is_no_vault(shell: Shell) -> None:
    with_user_config(shell, "[ephemeral]\nmax_entries = 7\n")

    listed = shell.ask("config", "list")
    one = shell.ask("config", "get", "ephemeral.max_entries")

    assert listed["ephemeral.max_entries"] == {"value": 7, "source": "user"}
    assert one == {"ephemeral.max_entries": {"value": 7, "source": "user"}}
    assert shell.run("--vault", "nowhere", "config", "list").exit_code == 3


def test_no_vault_at_all_is_told_with_the_cure(shell: Shell) -> None:
    answer = shell.run("where")

    assert answer.exit_code == 3
    assert answer.err == (
        f"No vault in {shell.folder} or above it. "
        "Make one with: vaultmem init, or name one: --vault\n"
    )


def test_a_root_without_a_vault_is_told_with_the_cure(shell: Shell) -> None:
    answer = shell.run("--root", ".", "status")

    assert answer.exit_code == 3
    assert f"No vault at {shell.folder}/memory. Make one with: vaultmem init" in answer.err


def test_any_folder_of_notes_is_read_with_vault_and_not_written(shell: Shell) -> None:
    (shell.folder / "Tea.md").write_text("Oolong steeps for four minutes.\n")
    words = ("--vault", ".", "graph")

    found = shell.ask(*words, "search", "--kind", "note", "how long does tea steep")
    refused = shell.run(*words, "add-entity", "--name", "x", "--type", "tool", "--abstract", "y")

    assert [hit["path"] for hit in found["hits"]] == ["Tea.md"]
    assert refused.exit_code == 1
    assert "vaultmem init --vault" in refused.err
    assert sorted(path.name for path in shell.folder.iterdir()) == [".vaultmem", "Tea.md"]


def test_layers_of_settings_win_in_their_order(shell: Shell) -> None:
    vault = make(shell.folder)
    with_user_config(shell, "[ephemeral]\nmax_entries = 7\n[serve]\nlock_timeout_secs = 3\n")
    key = "ephemeral.max_entries"

    default = shell.ask("config", "get", "git.auto_commit")
    user = shell.ask("config", "get", key)
    (vault / CONFIG).write_text("vault_format = 1\n[ephemeral]\nmax_entries = 8\n")
    own = shell.ask("config", "get", key)
    surrounded = replace(shell, environ={"VAULTMEM_EPHEMERAL_MAX_ENTRIES": "9"})
    environment = surrounded.ask("config", "get", key)

    assert default == {"git.auto_commit": {"value": False, "source": "default"}}
    assert user == {key: {"value": 7, "source": "user"}}
    assert own == {key: {"value": 8, "source": "vault"}}
    assert environment == {key: {"value": 9, "source": "environment"}}


def test_a_bad_value_falls_back_and_is_told_in_one_line(shell: Shell) -> None:
    (make(shell.folder) / CONFIG).write_text('[ephemeral]\nmax_entries = "lots"\n')

    answer = shell.run("config", "get", "ephemeral.max_entries")

    assert (answer.exit_code, answer.out) == (0, "5\n")
    assert answer.err == (
        ".vaultmem.toml: ephemeral.max_entries must be a number; its default is used.\n"
    )


def test_settings_that_are_no_toml_are_told_and_left_out(shell: Shell) -> None:
    vault = make(shell.folder)
    (vault / CONFIG).write_text("vault_format = \n")

    answer = shell.run("status")

    assert answer.exit_code == 0
    assert "is not TOML" in answer.err
    assert answer.err.count("\n") == 1


def test_setting_a_key_changes_that_line_alone(shell: Shell) -> None:
    vault = make(shell.folder)
    before = "# mine\nvault_format = 1\n\n[ephemeral]\nmax_entries = 8   # enough\n"
    (vault / CONFIG).write_text(before)

    answer = shell.run("config", "set", "ephemeral.max_entries", "12")

    assert answer.exit_code == 0
    assert (vault / CONFIG).read_text() == before.replace("= 8 ", "= 12 ")
    assert shell.ask("config", "get", "ephemeral.max_entries") == {
        "ephemeral.max_entries": {"value": 12, "source": "vault"}
    }


def test_the_users_own_settings_need_no_vault(shell: Shell) -> None:
    done = shell.run("config", "set", "--user", "ephemeral.max_entries", "12")
    path = shell.ask("config", "path", "--user")["path"]

    assert done.exit_code == 0, done.err
    assert "max_entries = 12" in Path(path).read_text()


def test_a_mistyped_key_is_told_with_the_nearest(shell: Shell) -> None:
    make(shell.folder)

    answer = shell.run("config", "set", "ephemeral.max_entry", "12")

    assert answer.exit_code == 2
    assert answer.err == ("No such key: ephemeral.max_entry. Did you mean ephemeral.max_entries?\n")


def test_a_foreign_vault_cannot_name_a_model_until_it_is_trusted(shell: Shell) -> None:
    vault = make(shell.folder)
    (vault / CONFIG).write_text('vault_format = 1\n[embedding]\nmodel = "/nowhere"\n')

    before = shell.ask("config", "get", "embedding.model")
    shell.ask("config", "trust")
    after = shell.ask("config", "get", "embedding.model")

    assert before["embedding.model"] == {"value": "", "source": "default"}
    assert after["embedding.model"] == {"value": "/nowhere", "source": "vault"}


def test_a_vault_made_with_init_is_trusted(shell: Shell) -> None:
    shell.ask("init")
    shell.ask("config", "set", "embedding.model", "/nowhere")

    assert shell.ask("config", "get", "embedding.model")["embedding.model"]["value"] == "/nowhere"


def test_a_vault_of_a_newer_format_is_read_and_never_written(shell: Shell) -> None:
    vault = make(shell.folder)
    (vault / CONFIG).write_text("vault_format = 2\n")
    (vault / "Tea.md").write_text("Oolong.\n")

    read = shell.run("status")
    written = shell.run("graph", "add-entity", "--name", "x", "--type", "tool", "--abstract", "y")

    assert read.exit_code == 0
    assert written.exit_code == 1
    assert "Install a newer vaultmem" in written.err
    assert not (vault / "entities").exists()

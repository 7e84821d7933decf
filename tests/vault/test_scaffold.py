"""What init puts into a vault."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from vault_memory.core.changes import Change, ChangeSet
from vault_memory.vault.config import CONFIG_FILE, Config, load
from vault_memory.vault.layout import MEMORY, Vault
from vault_memory.vault.scaffold import FOLDERS, make_folders, scaffold
from vault_memory.vault.write import apply


def made(path: Path) -> None:
    make_folders(path)
    apply(path, scaffold(path))


def tree(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_new_vault_has_all_its_parts(vault: Vault) -> None:
    assert {"MEMORY.md", "EPHEMERAL.md", "ARCHIVE.md", ".gitignore", ".gitattributes"} <= {
        *tree(vault.path)
    }
    assert {"templates/Entity.md", "templates/Relation.md"} <= {*tree(vault.path)}
    assert all((vault.path / folder).is_dir() for folder in FOLDERS)


def test_making_a_vault_twice_changes_nothing(vault: Vault) -> None:
    assert scaffold(vault.path) == ChangeSet((), "Make a vault")


def test_nothing_that_exists_is_overwritten(tmp_path: Path) -> None:
    own = {
        "MEMORY.md": b"mine\r\n",
        "ARCHIVE.md": b"",
        ".gitignore": b"*.log\r\n.vaultmem/",
        ".gitattributes": b"*.md text\n",
        "templates/Entity.md": b"my own",
        "a.md": b"note",
        CONFIG_FILE: b"# mine\n[ephemeral]\nmax_entries = 9 # nine\n",
    }
    apply(tmp_path, ChangeSet(tuple(Change(path, None, data) for path, data in own.items())))
    made(tmp_path)
    after = tree(tmp_path)
    for path in ("MEMORY.md", "ARCHIVE.md", "templates/Entity.md", "a.md"):
        assert after[path] == own[path]
    assert after[".gitignore"] == b"*.log\r\n.vaultmem/\r\n.trash/\r\n.vaultmem-*.tmp\r\n"
    assert after[".gitattributes"].startswith(b"*.md text\nentities/** merge=vaultmem\n")
    assert after[CONFIG_FILE] == b"vault_format = 1\n" + own[CONFIG_FILE]


def test_a_note_that_is_a_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").symlink_to("elsewhere.md")
    made(tmp_path)
    assert (tmp_path / "MEMORY.md").is_symlink()
    assert (tmp_path / "EPHEMERAL.md").is_file()


@pytest.mark.parametrize("data", [b"[[[", b"\xff", b"\xef\xbb\xbfvault_format = 2\r\n"])
def test_a_configuration_that_is_not_toml_or_states_its_format_is_left_alone(
    tmp_path: Path, data: bytes
) -> None:
    (tmp_path / CONFIG_FILE).write_bytes(data)
    made(tmp_path)
    assert (tmp_path / CONFIG_FILE).read_bytes() == data


def test_the_commented_settings_are_the_defaults(vault: Vault, tmp_path: Path) -> None:
    text = (vault.path / CONFIG_FILE).read_text(encoding="utf-8")
    live = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    shown = "\n".join(live).replace("# Configuration", "#")
    assert tomllib.loads(shown)["vault_format"] == 1
    (vault.path / CONFIG_FILE).write_text(shown, encoding="utf-8")
    config, warnings = load(vault.path, environ={}, config_folder=tmp_path / "none")
    assert warnings == []
    default = config._replace(sources={}, vault_exclude=(), graph_single_valued=())
    assert default == Config(vault_format=1)


def test_git_ignores_what_is_derived_and_merges_what_is_ours(vault: Vault) -> None:
    subprocess.run(["git", "init", "-q"], cwd=vault.path, check=True)
    ignored = [
        ".vaultmem/index.db",
        ".trash/x.md",
        ".vaultmem-0123.tmp",
        "entities/.vaultmem-1.tmp",
    ]
    listed = subprocess.run(
        ["git", "check-ignore", *ignored],
        cwd=vault.path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert listed.stdout.split() == ignored
    asked = ["entities/tool/x.md", "relations/a b c.md", "ARCHIVE.md", "MEMORY.md", "a/ARCHIVE.md"]
    told = subprocess.run(
        ["git", "check-attr", "merge", "--", *asked],
        cwd=vault.path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert [line.rpartition(" ")[2] for line in told.stdout.splitlines()] == [
        "vaultmem", "vaultmem", "vaultmem", "unspecified", "unspecified",
    ]  # fmt: skip


@pytest.mark.parametrize("template", ["Entity.md", "Relation.md"])
def test_a_template_filled_in_by_obsidian_is_a_note_whose_frontmatter_reads(
    vault: Vault, template: str
) -> None:
    from vault_memory.notes.frontmatter import parse

    text = (vault.path / "templates" / template).read_text(encoding="utf-8")
    filled = text.replace("{{date:YYYY-MM-DD}}", "2026-03-06").replace("{{title}}", "NeoVim")
    frontmatter = parse(filled)
    assert frontmatter.ok
    assert frontmatter.problems == ()
    assert frontmatter.get("created") == "2026-03-06"
    assert "{{" not in filled


def test_a_template_folder_in_other_case_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "Templates").mkdir()

    made = [change.path for change in scaffold(tmp_path).changes]

    assert MEMORY in made
    assert not any(path.startswith("templates/") for path in made)

"""Which vault is meant."""

from pathlib import Path

import pytest

from vault_memory.errors import NotFoundError, UsageError
from vault_memory.vault.config import CONFIG_FILE, Config
from vault_memory.vault.locate import Located, locate


@pytest.fixture
def roots(tmp_path: Path) -> Path:
    for name in ("one", "two", "three", "four", "five"):
        (tmp_path / name / "memory/entities").mkdir(parents=True)
        (tmp_path / name / "memory" / CONFIG_FILE).touch()
    return tmp_path


def find(
    cwd: Path,
    *,
    root: str = "",
    vault: str = "",
    default: str = "",
    **environ: str,
) -> Located:
    return locate(
        root_option=root,
        vault_option=vault,
        environ=environ,
        cwd=cwd,
        home=cwd / "home",
        user_config=Config(vault_root=default),
    )


def test_what_is_named_first_wins(roots: Path) -> None:
    cwd = roots / "four"
    named = {"VAULTMEM_VAULT": str(roots / "two/memory"), "VAULTMEM_ROOT": str(roots / "three")}
    default = str(roots / "five")
    found = [
        find(cwd, root=str(roots / "one"), default=default, **named),
        find(cwd, vault=str(roots / "one/memory"), default=default, **named),
        find(cwd, default=default, **named),
        find(cwd, default=default, VAULTMEM_ROOT=named["VAULTMEM_ROOT"]),
        find(cwd, default=default),
        find(roots, default=default),
    ]
    assert [place.path for place in found] == [
        roots / name / "memory" for name in ("one", "one", "two", "three", "four", "five")
    ]
    assert [place.reason for place in found[:4]] == [
        "--root", "--vault", "VAULTMEM_VAULT", "VAULTMEM_ROOT",
    ]  # fmt: skip
    assert "four" in found[4].reason
    assert found[5].reason == "the configured default"


@pytest.mark.parametrize("below", ["four", "four/memory", "four/memory/entities", "four/src/deep"])
def test_the_nearest_vault_above_is_found_from_root_and_vault(roots: Path, below: str) -> None:
    (roots / below).mkdir(parents=True, exist_ok=True)
    found = find(roots / below)
    assert (found.path, found.root) == (roots / "four/memory", roots / "four")


def test_any_folder_of_notes_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    found = find(tmp_path, vault="notes/../notes")
    assert found == Located(tmp_path / "notes", None, "--vault")


def test_a_folder_of_notes_is_not_found_unless_it_is_a_vault(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    with pytest.raises(NotFoundError, match="vaultmem init"):
        find(tmp_path)


def test_home_is_short_for_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "home/me/memory").mkdir(parents=True)
    assert find(tmp_path, root="~/me").path == tmp_path / "home/me/memory"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"root": "/x"}, "No vault at /x/memory. Make one with: vaultmem init /x"),
        ({"vault": "/x"}, "No vault at /x. Make one with: vaultmem init --vault /x"),
        ({"VAULTMEM_ROOT": "/x"}, "No vault at /x/memory. Make one with: vaultmem init /x"),
    ],
)
def test_a_vault_that_is_not_there_is_an_error_with_its_cure(
    tmp_path: Path, given: dict[str, str], said: str
) -> None:
    with pytest.raises(NotFoundError) as raised:
        find(tmp_path, **given)
    assert raised.value.message == said


def test_a_root_that_is_a_vault_itself_is_told_how_to_name_it(roots: Path) -> None:
    with pytest.raises(NotFoundError, match=f"--vault {roots}/one/memory$"):
        find(roots, root="one/memory")


def test_both_options_are_refused(roots: Path) -> None:
    with pytest.raises(UsageError):
        find(roots, root="one", vault="one/memory")

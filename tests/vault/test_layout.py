"""Where what is derived lies, and which vaults may be written."""

from collections.abc import Callable
from pathlib import Path

import pytest

from vault_memory.errors import StorageError
from vault_memory.vault.config import CONFIG_FILE, Config
from vault_memory.vault.layout import (
    DERIVED,
    Vault,
    derived_folder,
    is_vault,
    make_derived,
    require_writable,
)


def test_derived_data_lies_in_the_vault(vault: Vault, tmp_path: Path) -> None:
    assert derived_folder(vault.path, cache_home=tmp_path / "c") == vault.path / DERIVED
    assert not (vault.path / DERIVED).exists()


def test_derived_data_of_a_vault_that_cannot_be_written_lies_in_the_cache(
    nobodys: Path, as_user: Callable[..., str]
) -> None:
    for name in ("one", "two"):
        (nobodys / name).mkdir()
        (nobodys / name).chmod(0o555)
    told = as_user(
        "import hashlib, sys, pathlib\nfrom vault_memory.vault.layout import derived_folder\n",
        "base = pathlib.Path(sys.argv[1])\n"
        "for name in ('one', 'two', 'one'):\n"
        "    print(derived_folder(base / name, cache_home=base / 'cache'))\n",
        nobodys,
    )
    one, two, again = map(Path, told.split())
    assert one.parent == two.parent == nobodys / "cache/vaults"
    assert one != two
    assert one == again
    assert not (nobodys / "cache").exists()


def test_a_derived_folder_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / DERIVED).symlink_to(tmp_path)
    found = derived_folder(tmp_path / "vault", cache_home=tmp_path / "cache")
    assert found.is_relative_to(tmp_path / "cache")


@pytest.mark.parametrize("configured", [".index", "./a/../.index"])
def test_a_configured_folder_in_the_vault_is_taken(tmp_path: Path, configured: str) -> None:
    found = derived_folder(tmp_path, cache_home=tmp_path / "c", configured=configured)
    assert found == tmp_path / ".index"


@pytest.mark.parametrize("configured", ["../indexes", ".", "..", "a/.."])
def test_a_configured_folder_outside_holds_a_folder_for_each_vault(
    tmp_path: Path, configured: str
) -> None:
    places = [
        derived_folder(tmp_path / name, cache_home=tmp_path / "c", configured=configured)
        for name in ("one", "two")
    ]
    assert places[0].name != places[1].name
    assert len(places[0].name) == 16


def test_a_derived_folder_ignores_itself_and_is_for_the_user_alone(tmp_path: Path) -> None:
    make_derived(tmp_path / "a/b")
    make_derived(tmp_path / "a/b")
    assert (tmp_path / "a/b/.gitignore").read_text() == "*\n"
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700


def test_a_derived_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="file/x: cannot be written"):
        make_derived(tmp_path / "file/x")


def test_a_folder_is_a_vault_by_its_configuration(vault: Vault) -> None:
    assert is_vault(vault.path)
    (vault.path / CONFIG_FILE).unlink()
    assert not is_vault(vault.path)
    with pytest.raises(StorageError, match=f"vaultmem init --vault {vault.path}"):
        require_writable(vault)


def test_only_a_newer_format_is_not_written(vault: Vault) -> None:
    for known in (0, 1):
        require_writable(vault._replace(config=Config(vault_format=known)))
    with pytest.raises(StorageError, match="Install a newer vaultmem"):
        require_writable(vault._replace(config=Config(vault_format=2)))

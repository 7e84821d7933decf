"""What all tests share."""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.command import PROGRAM, Shell

# No test asserts a time: on a busy machine, or under coverage, examples may be slow.
settings.register_profile(
    "patient",
    parent=settings.get_profile("ci" if os.environ.get("CI") else "default"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")

SMALL_VAULT = Path(__file__).parent / "data" / "small-vault"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real material named by ``VAULTMEM_SHARED``."""
    named = os.environ.get("VAULTMEM_SHARED", "")
    if not named or not Path(named).is_dir():
        pytest.skip("real material is not here: set VAULTMEM_SHARED to its folder")
    return Path(named)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache folder, shared so that the model is optimised once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def shell(tmp_path: Path, cache: Path) -> Shell:
    """Somebody in an empty folder, who has no vault yet."""
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    return Shell(folder, home, cache)


@pytest.fixture(scope="session")
def indexed_vault(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """The small vault, wholly indexed; to be copied, never changed."""
    folder = tmp_path_factory.mktemp("indexed") / "memory"
    shutil.copytree(SMALL_VAULT, folder)
    Shell(folder, folder.parent, cache).ask("rebuild")
    return folder


@pytest.fixture
def inside(shell: Shell, indexed_vault: Path) -> Shell:
    """Somebody in a copy of the small vault, wholly indexed."""
    folder = shell.folder / "memory"
    shutil.copytree(indexed_vault, folder)
    return replace(shell, folder=folder)


@pytest.fixture
def permitted() -> tuple[str, ...]:
    """The program, bound by permissions even when the tests run as root."""
    if os.getuid():
        return PROGRAM
    tool = shutil.which("setpriv")
    if tool is None or sys.platform != "linux":
        pytest.skip("permissions do not bind root, and there is no setpriv to give up rights")
    rights = "-dac_override,-dac_read_search,-fowner"
    return (tool, f"--bounding-set={rights}", f"--inh-caps={rights}", *PROGRAM)

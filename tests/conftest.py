"""What all tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real material named by ``VAULTMEM_SHARED``."""
    named = os.environ.get("VAULTMEM_SHARED", "")
    if not named or not Path(named).is_dir():
        pytest.skip("real material is not here: set VAULTMEM_SHARED to its folder")
    return Path(named)

"""Waiting for what another process does, without a word on how long it may take."""

import time
from collections.abc import Callable
from pathlib import Path

STEP_SECONDS = 0.02
GIVEN_UP_AFTER = 6000
"""Steps, two minutes: a test that waits so long has found a fault, not a slow machine."""


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true."""
    for _ in range(GIVEN_UP_AFTER):
        if true():
            return
        time.sleep(STEP_SECONDS)
    raise AssertionError(f"never came: {what}")


def wait_for(path: Path, *, holding: str = "") -> None:
    """Wait until a file is there and holds a text."""

    def is_there() -> bool:
        return path.is_file() and holding in path.read_text("utf-8")

    wait_until(is_there, f"{path} holding {holding!r}")

"""Reported: installing hooks loses settings, other tools' hooks, order, or doubles itself."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.conftest import Reported
from tests.cases.vaults import contents
from tests.command import Shell

READABLE = ["home-bom", "home-empty", "home-hooksnull", "home-ok"]


@pytest.fixture
def home_of(shell: Shell, reported: Reported) -> "HomeOf":
    return HomeOf(shell, reported)


class HomeOf:
    """Somebody whose home is a copy of one of the reported ones."""

    def __init__(self, shell: Shell, reported: Reported) -> None:
        self._shell = shell
        self._reported = reported

    def __call__(self, name: str) -> Shell:
        home = self._shell.home / name
        shutil.copytree(self._reported(45) / name, home)
        for path in (home, *home.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        return replace(self._shell, home=home)


def settings(shell: Shell) -> Path:
    return shell.home / ".claude" / "settings.json"


@pytest.mark.parametrize("name", READABLE)
def test_twice_installed_is_once_installed_and_nothing_else_is_touched(
    home_of: HomeOf, name: str
) -> None:
    shell = home_of(name)
    before = json.loads(settings(shell).read_text("utf-8-sig") or "{}")

    shell.ask("hooks", "install")
    once = contents(shell.home)
    shell.ask("hooks", "install")

    after = json.loads(settings(shell).read_text("utf-8-sig"))
    assert contents(shell.home) == once
    assert {key: after[key] for key in before if key != "hooks"} == {
        key: value for key, value in before.items() if key != "hooks"
    }
    assert list(after)[: len(before)] == list(before)
    for event, entries in after["hooks"].items():
        assert sum("vaultmem" in json.dumps(entry) for entry in entries) == 1, event


@pytest.mark.parametrize("name", ["home-bom", "home-empty", "home-hooksnull"])
def test_uninstalling_gives_back_the_bytes(home_of: HomeOf, name: str) -> None:
    shell = home_of(name)
    before = contents(shell.home)
    shell.ask("hooks", "install")

    shell.ask("hooks", "uninstall")

    assert contents(shell.home) == before


def test_an_old_entry_is_brought_up_to_date_and_gone_when_all_are(home_of: HomeOf) -> None:
    shell = home_of("home-ok")
    before = settings(shell).read_text()

    shell.ask("hooks", "install")
    installed = settings(shell).read_text()
    shell.ask("hooks", "uninstall")

    assert "/old/path" not in installed
    assert "other-tool remind" in installed
    gone = (
        ',\n        "SessionEnd": [{"hooks": [{"type": "command", '
        '"command": "/old/path/vaultmem archive-session"}]}]'
    )
    assert gone in before
    assert settings(shell).read_text() == before.replace(gone, "")


@pytest.mark.parametrize(
    ("name", "place"), [("home-comma", "settings.json:4:"), ("home-array", "settings.json:1:1:")]
)
def test_what_cannot_be_read_is_left_alone_and_named(
    home_of: HomeOf, name: str, place: str
) -> None:
    shell = home_of(name)
    before = contents(shell.home)

    answer = shell.run("hooks", "install")

    assert answer.exit_code == 1
    assert place in answer.err
    assert contents(shell.home) == before

"""``hooks install``, ``uninstall`` and ``status`` on settings files as they lie on disk."""

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.clients.shapes import SHAPES, UNREADABLE
from tests.command import Shell

WRONG_HOOKS = {"hooks that are a list", "hooks that are a text", "an event that is an object"}
"""Shapes in which no hook of ours can stand, and nothing can be put."""

PLAIN = b'{\n  "model": "opus"\n}\n'


def settings_of(shell: Shell) -> Path:
    return shell.home / ".claude" / "settings.json"


def put(shell: Shell, data: bytes) -> Path:
    file = settings_of(shell)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def lying_beside(file: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in file.parent.iterdir()}


def commands(file: Path) -> dict[str, str]:
    hooks = json.loads(file.read_bytes().decode("utf-8-sig"))["hooks"]
    return {event: entries[-1]["hooks"][0]["command"] for event, entries in hooks.items()}


@pytest.mark.parametrize("shape", SHAPES)
def test_settings_of_any_shape_come_back_to_the_byte(shell: Shell, shape: str) -> None:
    file = put(shell, SHAPES[shape])

    first = shell.ask("hooks", "install")
    once = lying_beside(file)
    second = shell.ask("hooks", "install")
    again = lying_beside(file)
    out = shell.ask("hooks", "uninstall")

    assert (first["changed"], second["changed"], out["changed"]) == (True, False, True)
    assert again == once
    assert once["settings.json.vaultmem-backup"] == SHAPES[shape]
    assert lying_beside(file) == {"settings.json": SHAPES[shape]}


@pytest.mark.parametrize("shape", UNREADABLE)
@pytest.mark.parametrize("verb", ["install", "uninstall", "status"])
def test_settings_that_cannot_be_read_are_left_alone(shell: Shell, shape: str, verb: str) -> None:
    file = put(shell, UNREADABLE[shape])
    if verb != "install" and shape in WRONG_HOOKS:
        assert shell.run("hooks", verb).exit_code == 0
        return

    answer = shell.run("--json", "hooks", verb)

    assert (answer.exit_code, answer.error["code"]) == (1, "settings")
    assert f"{file}:" in answer.error["error"]
    assert "it was left as it is" in answer.error["error"]
    assert lying_beside(file) == {"settings.json": UNREADABLE[shape]}


def test_without_settings_they_are_made_and_go_again(shell: Shell) -> None:
    made = shell.ask("hooks", "install")
    file = settings_of(shell)
    lying = lying_beside(file)
    shell.ask("hooks", "uninstall")

    assert made["settings"] == str(file)
    assert made["backup"] is None
    assert list(lying) == ["settings.json"]
    assert lying_beside(file) == {}


def test_a_dry_run_shows_the_diff_and_writes_nothing(shell: Shell) -> None:
    file = put(shell, PLAIN)

    shown = shell.run("hooks", "install", "--dry-run")
    data = shell.ask("hooks", "install", "--dry-run")

    assert lying_beside(file) == {"settings.json": PLAIN}
    assert shown.out.startswith("diff --git a/settings.json b/settings.json\n")
    assert '+    "SessionEnd": [' in shown.out
    assert (data["changed"], data["backup"]) == (True, None)
    shell.ask("hooks", "install")
    taken = shell.run("hooks", "uninstall", "--dry-run")
    assert '-    "SessionEnd": [' in taken.out
    assert "SessionEnd" in file.read_text()


def test_what_was_changed_since_stays_when_the_hooks_go(shell: Shell) -> None:
    file = put(shell, PLAIN)
    shell.ask("hooks", "install")
    file.write_text(file.read_text().replace('"opus"', '"sonnet"'))

    shell.ask("hooks", "uninstall")

    assert file.read_bytes() == PLAIN.replace(b"opus", b"sonnet")
    assert lying_beside(file)["settings.json.vaultmem-backup"] == PLAIN


def test_the_copy_is_of_the_settings_without_our_hooks_whenever_that_was(shell: Shell) -> None:
    file = put(shell, PLAIN)
    shell.ask("hooks", "install")
    file.write_bytes(PLAIN.replace(b"opus", b"haiku"))

    shell.ask("hooks", "install")

    assert lying_beside(file)["settings.json.vaultmem-backup"] == PLAIN.replace(b"opus", b"haiku")
    shell.ask("hooks", "uninstall")
    assert lying_beside(file) == {"settings.json": PLAIN.replace(b"opus", b"haiku")}


def test_a_link_stays_a_link_and_its_file_is_changed(shell: Shell) -> None:
    kept = shell.home / "dotfiles" / "claude.json"
    kept.parent.mkdir()
    kept.write_bytes(PLAIN)
    kept.chmod(0o640)
    file = settings_of(shell)
    file.parent.mkdir()
    file.symlink_to(kept)

    shell.ask("hooks", "install")

    assert file.is_symlink()
    assert "SessionEnd" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o640
    shell.ask("hooks", "uninstall")
    assert (file.is_symlink(), kept.read_bytes()) == (True, PLAIN)


def test_the_copy_is_for_the_user_alone_since_settings_hold_keys(shell: Shell) -> None:
    file = put(shell, PLAIN)
    file.chmod(0o644)

    shell.ask("hooks", "install")

    assert file.stat().st_mode & 0o777 == 0o644
    assert file.with_name("settings.json.vaultmem-backup").stat().st_mode & 0o777 == 0o600


def test_the_folder_of_the_agent_may_lie_elsewhere(shell: Shell) -> None:
    other = shell.home / "agent"
    elsewhere = replace(shell, environ={"CLAUDE_CONFIG_DIR": str(other)})

    answer = elsewhere.ask("hooks", "install")

    assert answer["settings"] == str(other / "settings.json")
    assert not (shell.home / ".claude").exists()


def test_a_project_has_settings_of_its_own_that_name_no_place_of_this_machine(
    inside: Shell,
) -> None:
    bin_ = inside.home / "bin"
    bin_.mkdir()
    (bin_ / "vaultmem").write_text("#!/bin/sh\n")
    (bin_ / "vaultmem").chmod(0o755)
    found = replace(inside, environ={"PATH": str(bin_)})

    answer = found.ask("hooks", "install", "--project")

    file = inside.folder / ".claude" / "settings.json"
    assert (answer["scope"], answer["settings"]) == ("project", str(file))
    assert set(commands(file).values()) == {
        "vaultmem consume --hook",
        "vaultmem checkpoint --hook",
        "vaultmem archive-session --hook",
    }
    assert not settings_of(inside).exists()


def test_the_vault_that_is_found_is_named(inside: Shell) -> None:
    named = inside.ask("hooks", "install")
    root = shlex.quote(str(inside.folder.parent))

    assert named["notice"] is None
    for command in commands(settings_of(inside)).values():
        assert f" --root {root} " in command


def test_a_hook_that_stands_keeps_its_vault_unless_another_is_named(
    inside: Shell, shell: Shell
) -> None:
    inside.ask("hooks", "install")
    before = settings_of(inside).read_bytes()
    other = shell.home / "other"
    shell.ask("init", str(other))

    elsewhere = replace(shell, folder=other)
    looked = elsewhere.ask("hooks", "status")
    elsewhere.ask("hooks", "install")
    same = settings_of(inside).read_bytes()
    elsewhere.ask("--root", str(other), "hooks", "install")

    assert [hook["state"] for hook in looked["hooks"]] == ["installed"] * 3
    assert same == before
    assert f" --root {other} " in commands(settings_of(inside))["SessionEnd"]


def test_without_a_vault_it_is_said_and_the_hooks_are_installed_all_the_same(shell: Shell) -> None:
    answer = shell.run("hooks", "install")

    assert answer.exit_code == 0
    assert answer.err.startswith("No vault in ")
    assert "--root" in answer.err
    assert " --root " not in answer.out
    assert answer.err.count("\n") == 1


def test_a_vault_that_is_named_and_is_not_there_is_an_error(shell: Shell) -> None:
    answer = shell.run("--root", "/nowhere", "hooks", "install")

    assert answer.exit_code == 3
    assert not settings_of(shell).exists()


def test_a_configured_default_needs_no_name(shell: Shell) -> None:
    shell.ask("init", str(shell.home / "memories"))
    shell.ask("config", "set", "--user", "vault.root", "~/memories")

    answer = shell.ask("hooks", "install")

    assert answer["notice"] is None
    assert all("--root" not in hook["command"] for hook in answer["hooks"])


def test_status_tells_what_is_there_and_what_is_not(shell: Shell) -> None:
    nothing = shell.ask("hooks", "status")
    shell.ask("hooks", "install")
    file = settings_of(shell)
    moved = json.loads(file.read_text())
    del moved["hooks"]["PreCompact"]
    moved["hooks"]["SessionEnd"][0]["hooks"][0]["command"] = "/old/vaultmem archive-session"
    file.write_text(json.dumps(moved))
    some = shell.run("hooks", "status")

    assert [hook["state"] for hook in nothing["hooks"]] == ["missing"] * 3
    assert "  SessionStart installed: " in some.out
    assert "  PreCompact missing\n" in some.out
    assert "  SessionEnd outdated: /old/vaultmem archive-session\n" in some.out


def test_uninstalling_what_is_not_there_changes_nothing(shell: Shell) -> None:
    without = shell.run("hooks", "uninstall")
    file = put(shell, PLAIN)
    others = shell.run("hooks", "uninstall")

    assert (without.exit_code, others.exit_code) == (0, 0)
    assert "No hook of ours" in without.out
    assert lying_beside(file) == {"settings.json": PLAIN}


def test_two_places_at_once_are_refused(shell: Shell) -> None:
    answer = shell.run("hooks", "install", "--user", "--project")

    assert answer.exit_code == 2


def test_settings_that_are_a_folder_are_an_error(shell: Shell) -> None:
    settings_of(shell).mkdir(parents=True)

    answer = shell.run("hooks", "install")

    assert answer.exit_code == 1
    assert answer.err.count("\n") == 1


def test_what_is_installed_can_be_called_as_it_stands(inside: Shell) -> None:
    inside.ask("hooks", "install")
    payload = {"hook_event_name": "SessionStart", "source": "compact", "cwd": str(inside.home)}

    done = subprocess.run(
        ["/bin/sh", "-c", commands(settings_of(inside))["SessionStart"]],
        input=json.dumps(payload).encode(),
        cwd=inside.home,
        env=inside.variables,
        capture_output=True,
        check=True,
        timeout=120,
    )

    assert done.stdout.startswith(b"<!-- vaultmem:recent -->\n")
    assert done.stderr == b""


KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))
def audit(event, _):
    global left
    if event in {"os.rename", "os.link", "os.remove"}:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(audit)
from vault_memory.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_killed_at_any_write_the_settings_are_as_before_or_as_after(
    shell: Shell, verb: str
) -> None:
    file = put(shell, PLAIN)
    wanted: dict[str, Any] = {"install": PLAIN}
    shell.ask("hooks", "install")
    wanted["uninstall"] = file.read_bytes()
    if verb == "install":
        shell.ask("hooks", "uninstall")
    before, after = wanted[verb], wanted["uninstall" if verb == "install" else "install"]

    codes = []
    for number in range(8):
        command = (sys.executable, "-c", KILLED, str(number))
        codes.append(shell.program("hooks", verb, command=command).exit_code)
        assert file.read_bytes() in {before, after}
        if codes[-1] == 0:
            break
        file.write_bytes(before)

    assert codes[-1] == 0
    assert codes[:-1] == [-9] * (len(codes) - 1)
    assert len(codes) > 1
    assert file.read_bytes() == after


MEDDLED = """
import sys
from pathlib import Path
settings, left = Path(sys.argv.pop(1)), int(sys.argv.pop(1))
def audit(event, arguments):
    global left
    if left and event == "open" and str(arguments[0]).endswith(".tmp"):
        left -= 1
        settings.write_text(settings.read_text() + " ")
sys.addaudithook(audit)
from vault_memory.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(("times", "exit_code"), [(1, 0), (1000, 5)])
def test_what_another_program_wrote_meanwhile_is_never_lost(
    shell: Shell, times: int, exit_code: int
) -> None:
    file = put(shell, PLAIN)
    command = (sys.executable, "-c", MEDDLED, str(file), str(times))

    answer = shell.program("hooks", "install", command=command)

    assert answer.exit_code == exit_code, answer.err
    assert file.read_bytes().startswith(PLAIN[:-3])
    assert file.read_bytes().rstrip(b" ").endswith(b"}\n")
    assert file.read_bytes().endswith(b" ")
    assert (b"SessionEnd" in file.read_bytes()) == (exit_code == 0)


def test_where_the_agents_folder_cannot_be_made_it_is_an_error(shell: Shell) -> None:
    (shell.home / ".claude").touch()

    answer = shell.run("hooks", "install")

    assert answer.exit_code == 1
    assert answer.err.startswith(f"{shell.home}/.claude: cannot be made: ")

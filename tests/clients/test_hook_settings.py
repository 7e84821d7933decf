"""Hooks in the text of a settings file: nothing else in it changes."""

import json
from typing import Any

import pytest

from tests.clients.shapes import FULL, SHAPES, UNREADABLE
from vault_memory.clients.hook_commands import HOOKS, Hook, OwnCommand
from vault_memory.clients.hook_settings import installed, own_hooks, uninstalled
from vault_memory.clients.json_text import JsonTextError
from vault_memory.notes.text import decode_bytes

Settings = dict[str, Any]
FILLED = [name for name, data in SHAPES.items() if data.strip()]


def command_of(hook: Hook, standing: OwnCommand | None) -> str:
    own = standing or OwnCommand("vaultmem", (), hook.verb)
    return own.renewed("/opt/bin/vaultmem", ()).line


def read(text: str) -> Settings:
    settings: Settings = json.loads(text.removeprefix("\ufeff"))
    return settings


def without_ours(settings: Settings) -> Settings:
    """The settings as they are when nothing of ours is in them, and nothing empty because of it."""
    hooks = {}
    for event, entries in (settings.get("hooks") or {}).items():
        kept = [each for each in entries or [] if "/opt/bin/vaultmem" not in json.dumps(each)]
        if kept:
            hooks[event] = kept
    return {**settings, "hooks": hooks}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_hook_is_there_once_and_all_else_stays(shape: str) -> None:
    text = decode_bytes(SHAPES[shape])

    after = read(installed(text, command_of))

    ours = {hook.event: after["hooks"][hook.event][-1] for hook in HOOKS}
    assert ours["SessionStart"]["matcher"] == "startup|resume|clear|compact|fork"
    assert "matcher" not in ours["SessionEnd"]
    assert [each["hooks"][0] for each in ours.values()] == [
        {"type": "command", "command": f"/opt/bin/vaultmem {verb} --hook", "timeout": seconds}
        for verb, seconds in (("consume", 10), ("checkpoint", 60), ("archive-session", 30))
    ]
    before = read(text) if text.strip() else {}
    assert without_ours(after) == without_ours(before)
    assert list(after)[: len(before)] == list(before)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_second_time_changes_nothing(shape: str) -> None:
    once = installed(decode_bytes(SHAPES[shape]), command_of)

    assert installed(once, command_of) == once


@pytest.mark.parametrize("shape", FILLED)
def test_taken_out_nothing_of_ours_is_left_and_all_else_is(shape: str) -> None:
    text = decode_bytes(SHAPES[shape])

    after = uninstalled(installed(text, command_of))

    assert own_hooks(after) == ()
    assert without_ours(read(after)) == without_ours(read(text))
    if read(text).get("hooks") == FULL["hooks"]:
        assert after == text


@pytest.mark.parametrize("shape", UNREADABLE)
def test_what_cannot_be_read_is_refused_with_its_place(shape: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        installed(decode_bytes(UNREADABLE[shape]), command_of)

    assert caught.value.line >= 1
    assert caught.value.code == "settings"


OLD = """\
{
  "hooks": {
    "SessionStart": [
      {"matcher": "startup", "hooks": [
        {"type": "command", "command": "/old/vaultmem --root /m consume --hook --budget 9",
         "timeout": 20},
        {"type": "command", "command": "vaultmem consume && say hello"}
      ]}
    ],
    "SessionEnd": [
      {"hooks": [{"type": "command", "command": "/old/vaultmem archive-session"}]},
      {"hooks": [{"type": "command", "command": "vaultmem archive-session --hook"}]}
    ]
  }
}
"""


def test_one_that_stands_gets_the_new_path_and_keeps_what_a_person_chose() -> None:
    after = read(installed(OLD, command_of))["hooks"]

    [start] = after["SessionStart"]
    assert start["matcher"] == "startup"
    assert start["hooks"][0] == {
        "type": "command",
        "command": "/opt/bin/vaultmem --root /m consume --hook --budget 9",
        "timeout": 20,
    }
    assert start["hooks"][1]["command"] == "vaultmem consume && say hello"


def test_of_two_of_one_kind_one_is_left_with_a_timeout() -> None:
    after = read(installed(OLD, command_of))["hooks"]

    assert after["SessionEnd"] == [
        {
            "hooks": [
                {
                    "type": "command",
                    "command": "/opt/bin/vaultmem archive-session --hook",
                    "timeout": 30,
                }
            ]
        }
    ]


def test_taking_out_leaves_the_chain_that_is_a_persons_own() -> None:
    after = read(uninstalled(OLD))

    assert after == {
        "hooks": {
            "SessionStart": [
                {
                    "matcher": "startup",
                    "hooks": [{"type": "command", "command": "vaultmem consume && say hello"}],
                }
            ]
        }
    }


def test_a_hook_without_a_shell_is_known_and_becomes_one_line() -> None:
    handler = {"type": "command", "command": "/old/vaultmem", "args": ["consume", "--hook"]}
    text = json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}})

    [entry] = read(installed(text, command_of))["hooks"]["SessionStart"]

    assert [each["command"] for each in entry["hooks"]] == ["/opt/bin/vaultmem consume --hook"]
    assert "args" not in entry["hooks"][0]


def test_a_hook_of_ours_at_another_event_stays_when_installing_and_goes_when_uninstalling() -> None:
    entry = {"hooks": [{"type": "command", "command": "vaultmem consume --hook"}]}
    text = json.dumps({"hooks": {"PreToolUse": [entry]}}, indent=2)

    after = installed(text, command_of)

    assert read(after)["hooks"]["PreToolUse"] == [entry]
    assert read(uninstalled(after)) == {}

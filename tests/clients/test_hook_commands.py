"""A command of ours is known by its name, wherever the program lies."""

import pytest

from vault_memory.clients.hook_commands import OwnCommand, own_command

OURS = {
    "vaultmem consume": OwnCommand("vaultmem", (), "consume"),
    "/old/path/vaultmem archive-session": OwnCommand("/old/path/vaultmem", (), "archive-session"),
    "'/my tools/vaultmem' checkpoint --hook": OwnCommand("/my tools/vaultmem", (), "checkpoint"),
    "vaultmem --root ~/m -q consume --hook --budget 800": OwnCommand(
        "vaultmem", ("--root", "~/m"), "consume", ("--budget", "800")
    ),
    "vaultmem --vault='/a b' consume": OwnCommand("vaultmem", ("--vault=/a b",), "consume"),
    r'"C:\tools\vaultmem.exe" consume': OwnCommand(r"C:\tools\vaultmem.exe", (), "consume"),
}
OTHERS = [
    "",
    "other-tool remind",
    "vaultmem",
    "vaultmem status",
    "vaultmem --root",
    "vaultmem --colour consume",
    "my-vaultmem consume",
    "vaultmem-beta consume",
    "echo vaultmem consume",
    "vaultmem consume && say done",
    "vaultmem consume; say done",
    "vaultmem consume | tee log",
    "vaultmem consume > log",
    "cd /w && vaultmem consume",
    "vaultmem 'consume",
]


@pytest.mark.parametrize("line", OURS)
def test_a_command_of_ours_is_taken_apart(line: str) -> None:
    assert own_command(line) == OURS[line]


@pytest.mark.parametrize("line", OTHERS)
def test_nothing_else_is_taken_for_ours(line: str) -> None:
    assert own_command(line) is None


@pytest.mark.parametrize("line", OURS)
def test_its_line_is_read_back_as_the_same(line: str) -> None:
    assert own_command(OURS[line].line) == OURS[line]
    assert " --hook" in OURS[line].line


def test_a_program_that_moved_keeps_its_vault_and_what_was_added() -> None:
    old = OwnCommand("/old/vaultmem", ("--root", "/m"), "consume", ("--budget", "800"))

    assert old.renewed("/new/vaultmem", ()).line == (
        "/new/vaultmem --root /m consume --hook --budget 800"
    )
    assert old.renewed("vaultmem", ("--vault", "/v")).place == ("--vault", "/v")

"""Standard streams that are full, closed, of another encoding, or a terminal."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import PROGRAM, Shell

NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def closed(redirection: str) -> tuple[str, ...]:
    """The program, started by a shell that closes some of its streams."""
    return ("/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM)


def on_a_terminal(shell: Shell, *words: str) -> str:
    """What a command prints when both its outputs are a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, *words],
        cwd=shell.folder,
        env=shell.variables,
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ):
        os.close(slave)
        seen = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            seen += piece
    os.close(master)
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("words", [("graph", "list"), ("--json", "graph", "list"), ("--help",)])
def test_a_full_disk_behind_standard_output_is_an_error(
    inside: Shell, words: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("wb") as full:
        answer = inside.program(*words, stdout=full)

    assert answer.exit_code == 1
    assert "No space left on device" in answer.err
    assert "Traceback" not in answer.err


def test_who_stops_reading_ends_the_command_without_a_word(inside: Shell) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    answer = inside.program("graph", "list", stdout=writer)
    os.close(writer)

    assert answer.exit_code != 0
    assert answer.err == ""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_hindrance(inside: Shell, redirection: str) -> None:
    answer = inside.program("rebuild", command=closed(redirection))

    assert answer.exit_code == 0, answer.err
    assert answer.err == ""
    assert ("18 notes" in answer.out) == (">&-" not in redirection or redirection == "2>&-")


def test_an_error_that_nobody_can_hear_keeps_its_code(inside: Shell) -> None:
    answer = inside.program("graph", "show", "Nobody", command=closed("2>&-"))

    assert (answer.exit_code, answer.out) == (3, "")


@pytest.mark.parametrize("environ", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, NO_UTF8])
def test_names_in_any_script_pass_through_a_locale_without_them(
    inside: Shell, environ: dict[str, str]
) -> None:
    foreign = replace(inside, environ=environ)
    words = ("graph", "add-entity", "--name", "東京", "--type", "concept", "--abstract", "首都 🗼")

    made = foreign.program(*words)
    shown = foreign.program("--json", "graph", "show", "東京")

    assert made.exit_code == 0, made.err
    assert (inside.folder / "entities/concept/東京.md").is_file()
    assert json.loads(shown.out)["data"]["abstract"] == "首都 🗼"
    assert inside.ask("graph", "show", "Zoë")["name"] == "Zoë"


def test_a_name_that_is_no_text_on_disk_is_listed_all_the_same(inside: Shell) -> None:
    if sys.platform == "darwin":
        pytest.skip("this disk takes only names in Unicode")
    with Path(os.fsdecode(os.fsencode(inside.folder) + b"/caf\xe9.md")).open("w") as note:
        note.write("Closed on Mondays.\n")

    answer = inside.program("--json", "graph", "search", "--kind", "note", "closed on Mondays")

    assert answer.exit_code == 0, answer.err
    assert json.loads(answer.out)["data"]["hits"][0]["path"] == "caf\udce9.md"


def test_a_note_cannot_steer_the_terminal(inside: Shell) -> None:
    note = inside.folder / "entities" / "tool" / "Emacs.md"
    note.write_bytes(note.read_bytes() + b"\n## Content\nbell \x07 title \x1b]0;gone\x07 \x9b2J\n")
    assert b"\x1b]0;" in note.read_bytes()

    seen = on_a_terminal(inside, "graph", "show", "Emacs")

    assert "bell \\x07 title \\x1b]0;gone" in seen
    assert "\x1b" not in seen
    assert "\x07" not in seen


def test_a_note_cannot_hide_its_words_on_a_terminal(inside: Shell) -> None:
    note = inside.folder / "entities" / "tool" / "Emacs.md"
    note.write_bytes(note.read_bytes() + b"\n## Content\nseen \x1b[8mhidden\x1b[0m \x1b[30mblack\n")

    seen = on_a_terminal(inside, "graph", "show", "Emacs")

    assert "seen \\x1b[8mhidden" in seen
    assert "\\x1b[30mblack" in seen


def test_what_is_piped_keeps_every_byte(inside: Shell) -> None:
    note = inside.folder / "entities" / "tool" / "Emacs.md"
    note.write_bytes(note.read_bytes() + b"\n## Content\nbell \x07\n")

    answer = inside.program("graph", "show", "Emacs")

    assert "bell \x07" in answer.out


def test_a_terminal_gets_colour_and_no_color_takes_it_away(inside: Shell) -> None:
    coloured = on_a_terminal(inside, "status")
    plain = on_a_terminal(replace(inside, environ={"NO_COLOR": "1"}), "status")

    assert "\x1b[32m" in coloured
    assert "\x1b" not in plain
    assert "\x1b" not in inside.program("status").out


def test_a_terminal_gets_a_progress_bar_and_a_pipe_none(inside: Shell) -> None:
    (inside.folder / "New.md").write_text("The ferry leaves at noon.\n")
    shown = on_a_terminal(inside, "rebuild")
    (inside.folder / "New.md").write_text("The ferry leaves at one.\n")
    piped = inside.program("rebuild")

    assert "Embedding [##############################] 1/1" in shown
    assert shown.endswith("s\n")
    assert piped.err == ""

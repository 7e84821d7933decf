"""Reported: a name taken from a sentence is too long for a file, and the run stops."""

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.vaults import contents, findings
from tests.command import Shell

LONGEST = 255 - len(".vaultmem-0123456789abcdef.tmp")
"""What a file name may have in bytes, room left for what is added while it is written."""

NAMES = {
    "a sentence": "the long sentence that a model gave as a name " * 9,
    "three bytes each": "記" * 120,
    "four bytes each": "\N{GRINNING FACE}" * 70,
    "joined": "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}" * 40,
    "decomposed": "e\N{COMBINING ACUTE ACCENT}" * 150,
    "no blank": "x" * 5000,
}


def add(shell: Shell, name: str) -> str:
    words = ("--name", name, "--type", "concept", "--abstract", "Long.")
    [path] = shell.ask("graph", "add-entity", *words)["created"]
    assert isinstance(path, str)
    return path


@pytest.mark.parametrize("kind", NAMES)
def test_a_long_name_is_cut_between_characters_and_kept_whole(holding: Holding, kind: str) -> None:
    shell, name = holding({}), NAMES[kind]

    path = add(shell, name)
    shown = shell.ask("graph", "show", name)

    file = path.rpartition("/")[2]
    assert len(file.encode()) <= LONGEST
    assert "\ufffd" not in file
    assert shown["path"] == path
    assert shown["name"] == shell.ask("graph", "show", path)["name"]
    assert len(shown["name"]) >= len(name.strip()) // 2
    again = ("--name", name, "--type", "concept", "--abstract", "Long.")
    assert shell.ask("graph", "add-entity", *again)["created"] == []
    assert findings(shell) == []


def test_long_names_that_begin_alike_are_two_notes(holding: Holding) -> None:
    shell, alike = holding({}), "a harbour wall of stone " * 20

    paths = [add(shell, f"{alike}{end}") for end in ("north", "south")]

    assert len(set(paths)) == 2
    for path, end in zip(paths, ("north", "south"), strict=True):
        assert shell.ask("graph", "show", f"{alike}{end}")["path"] == path


def test_a_relation_of_long_names_has_a_file_too(holding: Holding) -> None:
    shell = holding({})
    ends = [NAMES["a sentence"], NAMES["three bytes each"]]
    for name in ends:
        add(shell, name)

    [path] = shell.ask("graph", "relate", ends[0], "--rel", "x", "--target", ends[1])["created"]

    assert len(path.rpartition("/")[2].encode()) <= LONGEST
    [edge] = shell.ask("graph", "traverse", ends[0])["edges"]
    assert edge["to"] == ends[1]
    assert findings(shell) == []


def test_the_reported_names(holding: Holding, reported: Reported) -> None:
    shell = holding({})
    names = (reported(14) / "names.txt").read_text("utf-8").splitlines()

    paths = [add(shell, name) for name in names]

    assert len(set(paths)) == len(names) == 2
    assert set(paths) <= contents(shell.folder).keys()
    assert [shell.ask("graph", "show", name)["path"] for name in names] == paths

"""Reported: a slash makes folders, names share a file, and ``../`` leaves the vault."""

import json
from pathlib import Path

import pytest

from tests.cases.conftest import Holding, Reported
from tests.cases.vaults import contents, findings, write
from tests.command import Shell

ALIKE = ["C", "C++", "C#", "c%%", "A B", "A-B", "a_b", "A/B", "A:B", "A\\B", "TCP/IP", "TCP-IP"]
ESCAPES = [
    "../x",
    "../../outside",
    "/etc/passwd",
    "..",
    ".",
    "~/x",
    "a/../../x",
    "..\\x",
    "C:\\x",
    "x\0y",
]
HIDDEN = "The tide table is hidden here."


def add(shell: Shell, name: str) -> str:
    words = ("--name", name, "--type", "concept", "--abstract", f"It is {name!r}.")
    [path] = shell.ask("graph", "add-entity", *words)["created"]
    assert isinstance(path, str)
    return path


def outside(shell: Shell) -> dict[str, bytes]:
    """Every file around the vault."""
    return {
        path: data
        for path, data in contents(shell.folder.parent).items()
        if not path.startswith("memory/")
    }


def test_no_two_names_share_a_file(holding: Holding) -> None:
    shell = holding({})

    paths = [add(shell, name) for name in ALIKE]

    assert len({path.casefold() for path in paths}) == len(ALIKE)
    assert all(path.count("/") == 2 for path in paths)
    shown = [shell.ask("graph", "show", name) for name in ALIKE]
    assert [(one["name"], one["path"]) for one in shown] == list(zip(ALIKE, paths, strict=True))
    assert findings(shell) == []


@pytest.mark.parametrize("name", ESCAPES)
def test_a_name_never_leads_out_of_the_vault(holding: Holding, name: str) -> None:
    shell = holding({"Pier.md": "Wood.\n"})
    write(shell.folder.parent, {"outside.md": HIDDEN, "x.md": HIDDEN})
    before = outside(shell)

    path = add(shell, name)
    shell.ask("graph", "relate", name, "--rel", "near", "--target", "Pier", "--source", name)

    assert path.startswith("entities/concept/")
    assert (shell.folder / path).is_file()
    assert outside(shell) == before
    assert shell.ask("graph", "show", "--", name)["name"] == name
    assert findings(shell) == []


@pytest.mark.parametrize(
    "target", ["../outside", "../outside.md", "{around}/outside.md", "notes/../../outside"]
)
def test_no_argument_or_value_is_a_way_to_read_outside(holding: Holding, target: str) -> None:
    shell = holding({})
    around = shell.folder.parent
    named = target.format(around=around)
    write(around, {"outside.md": HIDDEN})
    write(
        shell.folder,
        {
            "Link.md": f"See [[{named}]], ![[{named}]] and [it](<{named}>).\n",
            "relations/r.md": f'---\ntype: relation\nfrom: "[[{named}]]"\nrel: x\nto: "[[Link]]"\n'
            "---\n",
            "entities/tool/Hook.md": f'---\ntype: tool\nabstract: "[[{named}]]"\n---\n',
        },
    )
    (shell.folder / "Alias.md").symlink_to(around / "outside.md")
    (shell.folder / "folder").symlink_to(around)

    answers = [
        shell.run("rebuild"),
        shell.run("graph", "show", named),
        shell.run("graph", "show", "Alias"),
        shell.run("graph", "show", "folder/outside"),
        shell.run("graph", "traverse", named),
        shell.run("graph", "traverse", "Link"),
        shell.run("--json", "graph", "search", "--kind", "all", "tide table"),
        shell.run("graph", "observe", named),
        shell.run("graph", "observe", "Hook", "--source", f"[[{named}]]"),
        shell.run("check"),
    ]

    assert not any(HIDDEN in answer.out + answer.err for answer in answers)
    assert [answer.exit_code for answer in answers[1:5]] == [3, 3, 3, 3]
    walked = shell.ask("graph", "traverse", "Link")["nodes"]
    assert {node["path"] for node in walked} == {"Link.md", None}
    assert (around / "outside.md").read_text() == HIDDEN


def test_the_name_of_a_session_is_no_path(holding: Holding) -> None:
    shell = holding({})
    record = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "../../outside",
        "message": {"role": "user", "content": "hello"},
    }

    made = shell.ask("archive-session", "--transcript", "-", stdin=json.dumps(record).encode())

    assert made["path"] == "conversations/conversation-001.md"
    assert outside(shell) == {}


def test_the_reported_names(holding: Holding, reported: Reported) -> None:
    shell = holding({})
    names = (reported(13) / "names.txt").read_text().splitlines()

    paths = [add(shell, name) for name in names]

    assert len(names) == 10
    assert len({path.casefold() for path in paths}) == 10
    assert all(Path(shell.folder, path).is_file() for path in paths)
    assert [shell.ask("graph", "show", name)["name"] for name in names] == names

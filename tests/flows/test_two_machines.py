"""One vault has one answer: on whatever machine, in whatever place, indexed in whatever order."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conftest import SMALL_VAULT

TALK = """\
---
type: conversation
log: 7
session_id: s7
date: 2026-03-01T10:00:00Z
---
### ONA
10:00 ^t-000000000001

Who feeds the cat?

### Ona
10:01 ^t-000000000002

Ok.

### ona
10:02 ^t-000000000003

Ok.

### Zoë
10:03 ^t-000000000004

Ok.
"""
SAME = {f"notes/{name}.md": "The ferry leaves at nine.\n" for name in "edcba"}
ASKED = [
    ["rebuild"],
    ["graph", "search", "--kind", "all", "--limit", "3", "When does the ferry leave?"],
    ["graph", "search", "--kind", "all", "--limit", "50", "dani editor"],
    ["graph", "search", "--kind", "conversation", "--explain", "Ok ona"],
    ["graph", "query", "--episodes", "--depth", "2", "what does Dani use"],
    ["graph", "query", "--explain", "Zoë ferry"],
    ["graph", "search", "--kind", "all", "日記"],
    ["graph", "traverse", "Dani"],
    ["graph", "list", "--all"],
    ["search", "cat"],
    ["check"],
    ["status"],
]
MACHINE = """
import json, sys
from pathlib import Path
from tests.command import Shell

vault, cache, steps, asked = json.load(sys.stdin)
shell = Shell(Path.cwd(), Path.cwd(), Path(cache))

def ask(words):
    return shell.run("--vault", vault, "--json", *words).data

for writes, removed in steps:
    for path, text in writes:
        Path(vault, path).parent.mkdir(parents=True, exist_ok=True)
        Path(vault, path).write_text(text, "utf-8", newline="")
    for path in removed:
        Path(vault, path).unlink()
    ask(["rebuild"])
print(json.dumps([ask(words) for words in asked]))
"""

Steps = Sequence[tuple[Sequence[tuple[str, str]], Sequence[str]]]


def on_a_machine(
    folder: Path, steps: Steps, environ: Mapping[str, str], cache: Path
) -> list[dict[str, Any]]:
    """What a machine answers, each without what tells where the vault is and how often it changed.

    Args:
        folder: Where its vault is, and whence it asks.
        steps: What is written and removed before each rebuild.
        environ: What is special about it.
        cache: The user's cache folder.
    """
    folder.mkdir(parents=True)
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", MACHINE],
        input=json.dumps([str(folder / "memory"), str(cache), steps, ASKED]),
        env={**own, **environ},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=300,
    )
    rebuilt, *answered = json.loads(done.stdout)
    assert rebuilt["embedded"] == 0, "nothing was left to do"
    status = answered[-1]
    del status["vault"], status["index"]["generation"]
    return list(answered)


def test_two_machines_give_the_same_answers(tmp_path: Path, cache: Path) -> None:
    vault = {
        path.relative_to(SMALL_VAULT).as_posix(): path.read_text("utf-8")
        for path in SMALL_VAULT.rglob("*.md")
    } | {"conversations/conversation-007.md": TALK, **SAME}
    notes = sorted(vault.items())
    at_once: Steps = [(notes, [])]
    piece_by_piece: Steps = [
        (notes[:5:-1], []),
        ([("notes/c.md", "Something else.\n"), ("gone.md", "ferry ferry ferry\n")], ["notes/e.md"]),
        (notes[5::-1], ["gone.md"]),
        ([(path, vault[path]) for path in ("notes/e.md", "notes/c.md")], []),
    ]

    one = on_a_machine(tmp_path / "a", at_once, {"PYTHONHASHSEED": "5", "LANG": "C.UTF-8"}, cache)
    other = on_a_machine(
        tmp_path / "b" / "far" / "away",
        piece_by_piece,
        {
            "PYTHONHASHSEED": "2",
            "LC_ALL": "C",
            "PYTHONUTF8": "1",
            "TZ": "Pacific/Kiritimati",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
        cache,
    )

    for words, here, there in zip(ASKED[1:], one, other, strict=True):
        assert here == there, words
    found = one[0]["hits"]
    assert len(found) == 3

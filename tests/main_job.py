"""The main job with an installed ``vaultmem``, by standard library alone: run it anywhere.

``python main_job.py TRANSCRIPT`` works in a temporary folder and exits non-zero when an answer is
not what it should be. ``scripts/test`` runs it with the built wheel in a bare environment.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def run(folder: Path, *words: str) -> str:
    """Run a command in a folder, show it, and give what it printed."""
    print("$", shlex.join(words), flush=True)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ask(folder: Path, *words: str) -> dict[str, Any]:
    """Run ``vaultmem --json`` and give its data."""
    answer = json.loads(run(folder, "vaultmem", "--json", *words))
    assert answer["schema_version"] == 1, answer
    data: dict[str, Any] = answer["data"]
    return data


def expect(what: str, *, true: bool, seen: object) -> None:
    """Say that something holds, or end with what was seen instead."""
    if not true:
        sys.exit(f"not so: {what}\n{seen}")
    print("  ok:", what, flush=True)


def archive(root: Path, transcript: Path) -> None:
    """Archive the session twice."""
    first = ask(root, "archive-session", "--transcript", str(transcript))
    expect("at least 40 messages are archived", true=first["messages"] >= 40, seen=first)
    expect("its secrets are redacted", true=first["redacted"] >= 1, seen=first)
    again = ask(root, "archive-session", "--transcript", str(transcript))
    expect("archiving again makes nothing", true=not again["created"], seen=again)


def remember(root: Path) -> None:
    """Add two entities, each with an observation of its own, and relate them."""
    for name, type_, abstract in (
        ("Ferryline", "project", "Ticketing service that sells seats on the island ferries."),
        ("Postgres", "service", "Relational database that keeps orders and seat holds."),
    ):
        made = ask(
            root,
            *("graph", "add-entity", "--name", name, "--type", type_, "--abstract", abstract),
        )
        expect(f"a note of {name} is created", true=len(made["created"]) == 1, seen=made)
    related = ask(root, "graph", "relate", "Ferryline", "--rel", "uses", "--target", "Postgres")
    expect(
        "a first observation by a person is worth 9.8 to 1",
        true=abs(related["belief"]["confidence"] - 0.9074) < 0.0001,
        seen=related,
    )


def recall(root: Path) -> None:
    """Index and find what was remembered."""
    built = ask(root, "rebuild")
    expect("texts are embedded", true=built["embedded"] > 0, seen=built)
    again = ask(root, "rebuild")
    expect("a second rebuild embeds nothing", true=again["embedded"] == 0, seen=again)
    found = ask(root, "graph", "search", "where do we store reservations")
    expect(
        "a paraphrase finds the database first",
        true=[hit["name"] for hit in found["hits"]][:1] == ["Postgres"],
        seen=found,
    )
    walked = ask(root, "graph", "traverse", "ferryline")
    expect(
        "the walk reaches Postgres by one relation",
        true={node["name"] for node in walked["nodes"]} >= {"Postgres"}
        and [edge["rel"] for edge in walked["edges"]] == ["uses"],
        seen=walked,
    )
    checked = ask(root, "check")
    expect("check finds nothing wrong", true=not checked["findings"], seen=checked)


def main() -> None:
    """Run the main job from nothing."""
    transcript = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for variable in [key for key in os.environ if key.startswith("VAULTMEM_")]:
            del os.environ[variable]
        os.environ["HOME"] = str(root / "home")
        run(root, "vaultmem", "--version")
        run(root, "vaultmem", "init", ".", "--git")
        archive(root, transcript)
        remember(root)
        recall(root)
        before = run(root, "git", "-C", "memory", "status", "--porcelain")
        ask(root, "status")
        after = run(root, "git", "-C", "memory", "status", "--porcelain")
        expect("reading wrote nothing", true=before == after, seen=after)
    print("main job passed")


if __name__ == "__main__":
    main()

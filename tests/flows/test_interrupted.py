"""A rebuild that is interrupted keeps what it did, and one from the ground up hides nothing."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.command import PROGRAM, Shell
from tests.flows.conftest import Opened
from vault_memory.flows.embed import embed
from vault_memory.flows.graph_search import take_in
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.embeddings import open_embeddings
from vault_memory.index.rows import Wanted
from vault_memory.vault.lock import embed_lock

WORDS = ("anchor", "buoy", "capstan", "davit", "ensign", "fender", "gaff", "halyard", "jib")
PAGES = 120


def pages(folder: Path, count: int = PAGES) -> None:
    """Write notes that take the model a while, no two alike."""
    for number in range(count):
        body = " ".join(WORDS[(number * at) % len(WORDS)] for at in range(1, 90))
        (folder / f"Page {number:03}.md").write_text(f"Number {number}: {body}.\n")


def stored(folder: Path) -> int:
    """How many texts have been embedded and kept."""
    try:
        with open_embeddings(folder, identity="", dimension=1) as store:
            return store.count()
    except DamagedIndexError:
        return 0


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def test_ctrl_c_keeps_what_was_embedded_and_the_next_run_goes_on(inside: Shell) -> None:
    pages(inside.folder)
    derived = inside.folder / ".vaultmem"
    before = stored(derived)
    with subprocess.Popen(
        [*PROGRAM, "rebuild"],
        cwd=inside.folder,
        env=inside.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_for(lambda: stored(derived) > before)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    kept = stored(derived) - before

    rest = inside.ask("rebuild")

    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert 0 < kept < PAGES
    assert rest["embedded"] == PAGES - kept
    assert rest["notes"]["unchanged"] == 18 + PAGES
    assert inside.ask("status")["index"]["stale"] == 0
    assert not list(derived.glob("*.tmp")) + list(derived.glob("*.new"))


def test_a_full_rebuild_hides_nothing_while_it_runs(notes: Path, opened: Opened) -> None:
    pages(notes, 4)
    seen = []

    with opened() as index, opened() as other:
        refresh(index)
        embed(index)

        def look(what: str, done: int, total: int) -> None:
            del done, total
            query = other.embedder.embed_query("anchor")
            found, _ = other.vectors.search(query, 10, Wanted())
            seen.append((what, len(found), other.catalog.pending_count()))

        answer = rebuild(index, full=True, progress=look, elapsed=lambda: 0.0)

    assert seen == [("Reading", 4, 0), ("Writing", 4, 0)]
    assert (answer["embedded"], answer["cached"]) == (0, 4)
    assert answer["notes"]["changed"] == 4


def test_a_full_rebuild_without_the_embedded_texts_embeds_them_again(
    notes: Path, opened: Opened
) -> None:
    pages(notes, 3)
    with opened() as index:
        refresh(index)
        embed(index)
    (notes / ".vaultmem" / "embeddings.db").unlink()

    with opened() as index:
        answer = rebuild(index, full=True, progress=lambda *_: None, elapsed=lambda: 0.0)

        assert (answer["embedded"], answer["cached"]) == (3, 0)
        assert index.catalog.pending_count() == 0


def test_a_search_leaves_embedding_to_the_process_that_does_it(notes: Path, opened: Opened) -> None:
    pages(notes, 2)
    with opened() as index:
        refresh(index)

        with embed_lock(index.folder, timeout_seconds=0):
            meanwhile = take_in(index)
        afterwards = take_in(index)

        assert (meanwhile, afterwards) == (2, 0)

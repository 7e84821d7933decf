"""``scripts/bench scale``: how time, memory and disk grow with the number of notes."""

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.evaluation.costs import cpu_ms, medians, memory_mb, walk
from vault_memory.evaluation.generated_text import Words
from vault_memory.evaluation.generated_vault import Shape, generate
from vault_memory.evaluation.prepared import age, give_vectors, opened
from vault_memory.flows.embed import embed
from vault_memory.flows.graph_search import UNIT_OF, graph_search
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.index.ann import EXACT_BELOW
from vault_memory.vault.layout import DERIVED

if TYPE_CHECKING:
    from vault_memory.flows.vault_index import VaultIndex

_PARAGRAPHS = 2_000
_QUERIES = 20
_MOST_QUERY_MS = 60.0
_TODAY = date(2026, 9, 1)


@dataclass(frozen=True, slots=True)
class Point:
    """One size of vault; times are CPU of all threads, memory is anonymous (``RssAnon``), at most.

    Attributes:
        notes: How many notes.
        units: How many units of text.
        notes_mb: Size of the notes.
        read_s: To read all notes into the catalogue.
        read_mb: Memory while that is done.
        rows_s: To write the vectors of all units, their texts embedded.
        rows_mb: Memory while that is done.
        hnsw_s: To make the approximate index; 0 where there is none.
        hnsw_mb: Memory while that is done.
        walk_ms: To list and stat the notes.
        nothing_ms: A rebuild when nothing changed.
        one_ms: A rebuild when one note changed, embedding its one text included.
        embed_ms: To embed that text.
        query_ms: A search of all kinds, warm, median over queries.
        query_most_ms: The same, the slowest.
        catalogue_mb: Size of ``index.db``.
        embeddings_mb: Size of ``embeddings.db``.
        vectors_mb: Size of the rows.
        ann_mb: Size of the approximate index.
    """

    notes: int
    units: int
    notes_mb: float
    read_s: float
    read_mb: float
    rows_s: float
    rows_mb: float
    hnsw_s: float
    hnsw_mb: float
    walk_ms: float
    nothing_ms: float
    one_ms: float
    embed_ms: float
    query_ms: float
    query_most_ms: float
    catalogue_mb: float
    embeddings_mb: float
    vectors_mb: float
    ann_mb: float


def measure_apart(notes: int, work: Path, *, seed: int, runs: int) -> Point:
    """Measure one size in a process of its own, whose memory nothing else has used."""
    words = [sys.executable, "-m", "vault_memory.evaluation", "scale", "--point"]
    words += ["--notes", str(notes), "--work", str(work), "--seed", str(seed), "--runs", str(runs)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)  # noqa: S603 - ourselves
    return Point(**json.loads(done.stdout))


def measure(
    notes: int, work: Path, *, seed: int, runs: int, exact_below: int = EXACT_BELOW
) -> Point:
    """Generate a vault, index it step by step, and measure each step.

    Args:
        notes: How many notes.
        work: A folder for vault and cache, which is written to.
        seed: Of the vault.
        runs: How often quick things are measured; the median counts.
        exact_below: Units from which there is an approximate index.
    """
    vault = work / f"vault-{notes}"
    generate(vault, Shape(notes, seed=seed, paragraphs=_PARAGRAPHS))
    age(vault, time.time_ns())
    for left in (vault / DERIVED).glob("*"):
        left.unlink()
    with opened(vault, work / "cache", exact_below=exact_below) as index:
        index.embedder.embed_query("warm")
        read_s, read_mb = _spent(lambda: refresh(index))
        give_vectors(index)
        rows_s, rows_mb = _spent(lambda: embed(index))
        due = index.vectors.is_cover_due
        hnsw_s, hnsw_mb = _spent(lambda: index.vectors.cover(index.locked)) if due else (0.0, 0.0)
        quick = _quick(index, vault, runs)
        asked = [_asked(index, query) for query in _queries(seed)][1:]
        units = index.catalog.unit_count()
    return Point(
        notes=notes,
        units=units,
        notes_mb=sum(_mb(path) for path in vault.rglob("*.md")),
        read_s=read_s,
        read_mb=read_mb,
        rows_s=rows_s,
        rows_mb=rows_mb,
        hnsw_s=hnsw_s,
        hnsw_mb=hnsw_mb,
        walk_ms=quick["walk"],
        nothing_ms=quick["nothing"],
        one_ms=quick["one"],
        embed_ms=quick["embed"],
        query_ms=statistics.median(asked),
        query_most_ms=max(asked),
        catalogue_mb=sum(map(_mb, (vault / DERIVED).glob("index.db*"))),
        embeddings_mb=sum(map(_mb, (vault / DERIVED).glob("embeddings.db*"))),
        vectors_mb=_mb(vault / DERIVED / "vectors.f32"),
        ann_mb=_mb(vault / DERIVED / "hnsw.usearch"),
    )


def _spent(work: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds and the most memory that some work takes."""
    with _peak() as peak:
        took = cpu_ms(work)
    return took / 1000, peak[0]


@contextmanager
def _peak() -> Iterator[list[float]]:
    """Watch the memory of this process: the most that it held, in MB, at the end."""
    most, ended = [memory_mb("RssAnon")], threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            most[0] = max(most[0], memory_mb("RssAnon"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()
        most[0] = max(most[0], memory_mb("RssAnon"))


def _quick(index: "VaultIndex", vault: Path, runs: int) -> dict[str, float]:
    changes = iter(range(1_000_000))

    def text() -> str:
        return f"# Memory\n\n- Counted {next(changes)} times.\n"

    def changed() -> float:
        (vault / "MEMORY.md").write_text(text(), encoding="utf-8")
        return cpu_ms(lambda: _rebuild(index))

    changed()
    jobs = {
        "walk": lambda: cpu_ms(lambda: list(walk(vault))),
        "nothing": lambda: cpu_ms(lambda: _rebuild(index)),
        "embed": lambda: cpu_ms(lambda: index.embedder.embed_query(text())),
    }
    return medians(jobs, runs) | medians({"one": changed}, runs)


def _rebuild(index: "VaultIndex") -> None:
    rebuild(index, full=False, progress=lambda *_: None, elapsed=lambda: 0.0)


def _queries(seed: int) -> list[str]:
    """Questions in the words of the notes, frequent and rare."""
    words = Words(seed + 1)
    return [words.sentence() for _ in range(_QUERIES)]


def _asked(index: "VaultIndex", query: str) -> float:
    """CPU milliseconds of a warm search of all kinds."""
    return cpu_ms(
        lambda: graph_search(
            index,
            query,
            kinds=list(UNIT_OF),
            type_="",
            keyword="",
            limit=10,
            unsupported=False,
            explain=False,
            today=_TODAY,
        )
    )


def _mb(path: Path) -> float:
    return path.stat().st_size / 1e6 if path.exists() else 0.0


def render(points: Sequence[Point]) -> Iterator[str]:
    """Yield the points as tables in markdown: time, then memory and disk."""
    yield "| notes | units | read s | rows s | HNSW s | walk ms | nothing | one | query ms | most |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for one in points:
        yield (
            f"| {one.notes:,} | {one.units:,} | {one.read_s:.1f} | {one.rows_s:.1f}"
            f" | {one.hnsw_s:.1f} | {one.walk_ms:.1f} | {one.nothing_ms / one.walk_ms:.2f} x walk"
            f" | {(one.one_ms - one.embed_ms) / one.walk_ms:.2f} x walk | {one.query_ms:.1f}"
            f" | {one.query_most_ms:.1f} |"
        )
    yield ""
    yield (
        "| notes | notes MB | index.db MB | embeddings.db MB | vectors MB | HNSW MB"
        " | memory: reading | rows | HNSW |"
    )
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for one in points:
        yield (
            f"| {one.notes:,} | {one.notes_mb:.1f} | {one.catalogue_mb:.1f}"
            f" | {one.embeddings_mb:.1f} | {one.vectors_mb:.1f} | {one.ann_mb:.1f}"
            f" | {one.read_mb:.0f} MB | {one.rows_mb:.0f} MB | {one.hnsw_mb:.0f} MB |"
        )


def bars(points: Sequence[Point]) -> Iterator[str]:
    """Yield each bar that a point does not hold."""
    for one in points:
        limits = {
            "nothing changed": (one.nothing_ms, 2 * one.walk_ms),
            "one note changed": (one.one_ms, one.embed_ms + 2 * one.nothing_ms),
            "query": (one.query_ms, _MOST_QUERY_MS),
        }
        for what, (measured, most) in limits.items():
            if measured > most:
                yield f"{one.notes:,} notes, {what}: {measured:.1f} ms, where {most:.1f} may be"


def as_json(points: Sequence[Point]) -> str:
    """The points for a file."""
    return json.dumps([asdict(point) for point in points], indent=2) + "\n"

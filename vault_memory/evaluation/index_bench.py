"""``scripts/bench index``: what it costs to build an index and to keep it, beside the floors."""

import hashlib
import shutil
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.evaluation.costs import Cost, cpu_ms, medians, walk
from vault_memory.evaluation.generated_vault import Shape, generate
from vault_memory.evaluation.prepared import age, give_vectors, opened
from vault_memory.flows.embed import embed
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.index.ann import CONNECTIVITY, EXACT_BELOW, EXPANSION_ADD
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.schema import TABLES
from vault_memory.index.session import open_session
from vault_memory.vault.layout import DERIVED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.flows.vault_index import VaultIndex

_SAMPLE = 150
"""Texts that the model runs on to measure it."""

_PARAGRAPHS = 500
_CHANGED = "# Memory\n\n- The harbour was measured for the time number {}.\n"


def measure(
    notes: int, work: Path, *, seed: int, runs: int, exact_below: int = EXACT_BELOW
) -> list[Cost]:
    """Build a vault of so many notes and its index, and measure both.

    Args:
        notes: How many.
        work: A folder for vault and cache, which is written to.
        seed: Of the vault.
        runs: How often quick things are measured; the median counts.
        exact_below: Units from which there is an approximate index.
    """
    vault = work / f"vault-{notes}"
    generate(vault, Shape(notes, seed=seed, paragraphs=_PARAGRAPHS))
    age(vault, time.time_ns())
    with opened(vault, work / "cache") as index:
        refresh(index)
        give_vectors(index)
    costs = [_from_nothing(vault, work)]
    with opened(vault, work / "cache", exact_below=exact_below) as index:
        costs += _kept(index, vault, runs)
        costs += _covered(index)
        costs += _embedded(index, work)
    return costs


def _from_nothing(vault: Path, work: Path) -> Cost:
    """The catalogue and the rows anew from notes and embedded texts."""
    kept = vault / DERIVED / "embeddings.db"
    put_by = work / "embeddings.db"
    kept.replace(put_by)
    shutil.rmtree(vault / DERIVED)
    (vault / DERIVED).mkdir()
    put_by.replace(kept)
    with opened(vault, work / "cache") as index:
        _ = index.model

        def run() -> None:
            refresh(index)
            embed(index)

        spent = cpu_ms(run)
    return Cost("rebuild from nothing, texts embedded", spent, _least(vault, work), 1.5)


def _least(vault: Path, work: Path) -> float:
    """CPU milliseconds to read and hash all notes, to insert what the index holds, and to copy."""
    database = sqlite3.connect(vault / DERIVED / "index.db")
    names = [
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    rows = {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}  # noqa: S608
    database.close()
    copy = work / "floor.db"
    copy.unlink(missing_ok=True)

    def run() -> None:
        for path in walk(vault):
            if path.endswith(".md"):
                hashlib.sha256(Path(path).read_bytes())
        plain = sqlite3.connect(copy, isolation_level=None)
        plain.executescript(f"PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;BEGIN;{TABLES}")
        for name, held in rows.items():
            if held and not name.startswith("sqlite_"):
                marks = ",".join("?" * len(held[0]))
                plain.executemany(f"INSERT INTO {name} VALUES ({marks})", held)  # noqa: S608
        plain.execute("COMMIT")
        plain.close()
        (work / "floor.f32").write_bytes((vault / DERIVED / "vectors.f32").read_bytes())

    return cpu_ms(run)


def _kept(index: "VaultIndex", vault: Path, runs: int) -> list[Cost]:
    """What a rebuild costs when nothing, and when one note changed."""

    def nothing() -> float:
        return cpu_ms(lambda: _rebuild(index))

    changes = iter(range(1_000_000))

    def one() -> float:
        (vault / "MEMORY.md").write_text(_CHANGED.format(next(changes)), encoding="utf-8")
        return cpu_ms(lambda: _rebuild(index))

    def bare() -> float:
        return cpu_ms(lambda: index.embedder.embed_query(_CHANGED.format(next(changes))))

    bare()
    one()
    spent = medians({"walk": lambda: cpu_ms(lambda: list(walk(vault))), "nothing": nothing}, runs)
    changed = medians({"one": one, "bare": bare}, runs)
    time.sleep(0.05)
    return [
        Cost("rebuild, nothing changed", spent["nothing"], spent["walk"], 2),
        Cost(
            "rebuild, one note changed", changed["one"], changed["bare"] + 2 * spent["nothing"], 1
        ),
    ]


def _rebuild(index: "VaultIndex") -> None:
    rebuild(index, full=False, progress=lambda *_: None, elapsed=lambda: 0.0)


def _covered(index: "VaultIndex") -> list[Cost]:
    """What the approximate index costs, where the vault is large enough for one."""
    index.catalog.place_file(lambda: {"ann": ""})
    if not index.vectors.is_cover_due:
        return []
    matrix = index.vectors.matrix()
    ours = cpu_ms(lambda: index.vectors.cover(index.locked))
    bare = cpu_ms(lambda: _bare_usearch(matrix))
    return [Cost(f"HNSW over {len(matrix):,} units", ours, bare, 1.2)]


def _bare_usearch(matrix: "NDArray[np.float32]") -> None:
    import numpy as np
    from usearch.index import Index

    bare = Index(
        ndim=matrix.shape[1],
        metric="ip",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
    )
    bare.add(np.arange(len(matrix), dtype=np.uint64), matrix, threads=2)


def _embedded(index: "VaultIndex", work: Path) -> list[Cost]:
    """CPU of the model within a rebuild against a bare session on the same texts."""
    texts = [text for _, _, text, _ in index.catalog.ordered_units()]
    texts = list(dict.fromkeys(texts))[:: max(1, len(texts) // _SAMPLE)][:_SAMPLE]
    costs = []
    for threads in (1, 2):
        units, ours = _embedding(texts, work, threads)
        bare = _bare_model(index, units, threads)
        what = f"embedding {len(texts)} texts, {threads} thread{'s' * (threads > 1)}"
        costs.append(Cost(what, ours, bare, 1 / 0.9))
    return costs


def _embedding(texts: list[str], work: Path, threads: int) -> tuple[list[str], float]:
    """What is embedded of notes that hold these texts, and what that costs within a rebuild."""
    vault = work / f"texts-{threads}"
    shutil.rmtree(vault, ignore_errors=True)
    vault.mkdir()
    for number, text in enumerate(texts):
        (vault / f"{number}.md").write_text(text, encoding="utf-8")
    with opened(vault, work / "cache") as index:
        index.embedder = OnnxEmbedder(index.model, cache=work / "cache", threads=threads)
        index.embedder.embed_query("warm")
        refresh(index)
        units = index.catalog.pending_texts()
        return units, cpu_ms(lambda: embed(index))


def _bare_model(index: "VaultIndex", texts: list[str], threads: int) -> float:
    """What tokenizer and session alone cost."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np
    from tokenizers import Tokenizer

    session = open_session(index.model, cache=index.cache)
    tokenizer = Tokenizer.from_file(str(index.model.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)
    names = [node.name for node in session.get_inputs()]

    def run(text: str) -> None:
        words = tokenizer.encode(text)
        offered = {
            "input_ids": words.ids,
            "attention_mask": words.attention_mask,
            "token_type_ids": words.type_ids,
        }
        session.run(None, {name: np.array([offered[name]], dtype=np.int64) for name in names})

    def all_texts() -> None:
        if threads == 1:
            for text in texts:
                run(text)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(run, texts))

    run("warm")
    return cpu_ms(all_texts)

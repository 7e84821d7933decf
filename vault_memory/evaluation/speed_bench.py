"""``scripts/bench speed``: what whole commands cost, beside the least that they can cost."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.core.evidence import EvidenceLine
from vault_memory.core.identity import line_id, origin_key
from vault_memory.errors import StorageError
from vault_memory.evaluation.costs import Cost, cpu_ms, medians, walk
from vault_memory.evaluation.generated_vault import Shape, generate
from vault_memory.evaluation.prepared import age, give_vectors, opened
from vault_memory.flows.graph_search import UNIT_OF, graph_search
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.index.model import SHIPPED
from vault_memory.notes.decode import decode
from vault_memory.notes.evidence_line import render_line

if TYPE_CHECKING:
    from vault_memory.flows.vault_index import VaultIndex

_PARAGRAPHS = 2_000
_EVIDENCE_LINES = 5_000
_MOST_MB = 220.0
"""What may be resident in a cold search; it stands for a floor, which memory has none."""

_WORDS_MS = 3.0
"""What BM25 over 10,000 units may cost."""

_TODAY = date(2026, 12, 1)
_QUERIES = (
    "who mends the boiler",
    "the nurse counts the yearly lighthouse in March",
    "which ferry was restored because the tide is low",
    "what does the librarian borrow on Sunday",
    "harbour engine",
    "when was the telescope cleaned",
    "who reviews the hidden ledger",
)

_STATUS = "import click, sqlite3"
_REBUILD = "import click, sqlite3, tomllib, hashlib, json"
_SEARCH = """
import sys, click, numpy, onnxruntime
from tokenizers import Tokenizer
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.log_severity_level = 3
options.add_session_config_entry("session.intra_op.allow_spinning", "0")
graph, saved = sys.argv[2], len(sys.argv) > 3
if saved:
    options.optimized_model_filepath = sys.argv[3]
else:
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
words = Tokenizer.from_file(sys.argv[1]).encode("who looks after the harbour lights")
feeds = {
    "input_ids": words.ids, "attention_mask": words.attention_mask, "token_type_ids": words.type_ids
}
names = [each.name for each in session.get_inputs()]
session.run(None, {name: numpy.array([feeds[name]], dtype=numpy.int64) for name in names})
"""
"""The libraries, the model's optimised graph, its tokenizer and one run: what a search needs."""

Words = Sequence[str | Path]


def measure(notes: int, work: Path, *, seed: int, runs: int) -> list[Cost]:
    """Make a vault of so many notes and measure commands on it.

    Args:
        notes: How many.
        work: A folder for vault and cache, which is written to.
        seed: Of the vault.
        runs: How often each command is run; the median counts.

    Raises:
        StorageError: A command failed.
    """
    vault = work / f"speed-{notes}"
    generate(vault, Shape(notes, seed=seed, paragraphs=_PARAGRAPHS))
    age(vault, time.time_ns())
    with opened(vault, work / ".cache" / "vaultmem") as index:
        refresh(index)
        give_vectors(index)
        rebuild(index, full=False, progress=lambda *_: None, elapsed=lambda: 0.0)
    time.sleep(0.05)
    costs = list(_commands(vault, work, runs))
    with opened(vault, work / ".cache" / "vaultmem") as index:
        costs += _warm(index, runs)
    return [*costs, _evidence(runs)]


def _commands(vault: Path, work: Path, runs: int) -> Iterator[Cost]:
    """Whole processes, floors and commands in turn."""
    environ = {"HOME": str(work), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    python, bin_folder = Path(sys.executable), Path(sys.executable).parent
    saved = work / "optimised.onnx"
    memory: list[float] = []

    def cost(words: Words) -> Callable[[], float]:
        return lambda: run_process(words, environ)[0]

    def code(text: str, *arguments: str | Path) -> Callable[[], float]:
        return cost([python, "-c", text, *arguments])

    def command(*words: str) -> Callable[[], float]:
        return cost([bin_folder / "vaultmem", "--vault", vault, *words])

    def search() -> float:
        words: Words = [bin_folder / "vaultmem", "--vault", vault, "graph", "search", _QUERIES[0]]
        spent, peak = run_process(words, environ)
        memory.append(peak)
        return spent

    name = next((vault / "entities").rglob("*.md")).stem
    code(_SEARCH, SHIPPED / "tokenizer.json", SHIPPED / "model.onnx", saved)()
    command("graph", "search", _QUERIES[0])()
    spent = medians(
        {
            "interpreter": code("pass"),
            "import click": code("import click"),
            "status floor": code(_STATUS),
            "rebuild floor": code(_REBUILD),
            "search floor": code(_SEARCH, SHIPPED / "tokenizer.json", saved),
            "walk": lambda: cpu_ms(lambda: list(walk(vault))),
            "status": command("status"),
            "rebuild": command("rebuild"),
            "search": search,
            "traverse": command("graph", "traverse", name),
            "show": command("graph", "show", name),
            "list": command("graph", "list"),
            "archives": command("search", "harbour"),
            "add-entity": command(
                "graph",
                "add-entity",
                "--name",
                "Bench",
                "--type",
                "tool",
                "--abstract",
                "A",
                "--dry-run",
            ),
        },
        runs,
    )
    walked = spent["walk"]
    yield Cost("interpreter", spent["interpreter"])
    yield Cost("`import click`", spent["import click"])
    yield Cost("scandir and stat of all notes", walked)
    yield Cost("`status`", spent["status"], spent["status floor"] + walked, 1.4)
    # 1.2 times the imports and twice the walk, as one floor under one factor.
    nothing = spent["rebuild floor"] + 2 * walked / 1.2
    yield Cost("`rebuild`, nothing changed", spent["rebuild"], nothing, 1.2)
    yield Cost("`graph search`, cold", spent["search"], spent["search floor"] + walked, 1.25)
    yield Cost("memory of a cold `graph search`", max(memory), _MOST_MB, 1, "MiB")
    for what, words in (
        ("traverse", "`graph traverse`"),
        ("show", "`graph show`"),
        ("list", "`graph list`"),
        ("archives", "`search` of all archives"),
        ("add-entity", "`graph add-entity --dry-run`"),
    ):
        yield Cost(words, spent[what], spent["import click"])


def run_process(words: Words, environ: dict[str, str]) -> tuple[float, float]:
    """CPU milliseconds and the most memory, in MiB, of one process.

    Raises:
        StorageError: It failed.
    """
    process = subprocess.Popen(  # noqa: S603 - the interpreter, or the command itself
        [str(word) for word in words],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        said = " ".join(map(str, words))
        raise StorageError(f"exit {process.returncode} of {said}", where="bench speed")
    return 1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def _warm(index: "VaultIndex", runs: int) -> Iterator[Cost]:
    """What is asked of an index that is open, the model loaded."""

    def every(ask: Callable[[str], object]) -> Callable[[], float]:
        return lambda: cpu_ms(lambda: [ask(query) for query in _QUERIES]) / len(_QUERIES)

    def search(query: str) -> object:
        return graph_search(
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

    search(_QUERIES[0])
    spent = medians(
        {
            "embed": every(index.embedder.embed_query),
            "search": every(search),
            "words": every(index.catalog.by_words),
        },
        runs,
    )
    units = index.catalog.unit_count()
    yield Cost("one query embedded, warm", spent["embed"])
    yield Cost(f"search of all kinds among {units:,} units, warm", spent["search"], spent["embed"])
    yield Cost("words alone (BM25), warm, for each 10,000 units", spent["words"], units / 10_000, 3)


def _evidence(runs: int) -> Cost:
    """A note of 5,000 evidence lines, decoded, beside reading its bytes as text."""
    lines = "\n".join(render_line(_line(number)) for number in range(_EVIDENCE_LINES))
    data = f"---\ntype: tool\nabstract: A tool.\n---\n# Tool\n\n## Evidence\n{lines}\n".encode()
    path = "entities/tool/Tool.md"
    spent = medians(
        {
            "read": lambda: cpu_ms(lambda: [data.decode().split("\n") for _ in range(10)]) / 10,
            "decode": lambda: cpu_ms(lambda: decode(path, data)),
        },
        runs,
    )
    what = f"a note of {_EVIDENCE_LINES:,} evidence lines decoded"
    return Cost(what, spent["decode"], spent["read"], 2)


def _line(number: int) -> EvidenceLine:
    origin = f"session-{number}"
    return EvidenceLine(
        line_id(origin, "human", "supports"),
        "2026-03-06",
        "supports",
        "human",
        Decimal("0.8"),
        origin_key(origin),
        source=f"conversation-{number:03}#^t-1a2b3c4d5e6f",
        linked=True,
        quote="we keep the holds in Postgres, decided",
    )

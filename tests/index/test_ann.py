"""HNSW finds what exact search finds, and a damaged file of it is never opened."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vault_memory.errors import StorageError
from vault_memory.index.ann import AnnIndex, AnnRecord, ann_due, build_ann, open_ann
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.nearest import by_nearness
from vault_memory.index.vectors import Damaged, Header

_HEADER = Header("model", "first")


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return unit


@pytest.fixture(scope="module")
def sentences(embedder: OnnxEmbedder) -> NDArray[np.float32]:
    """Vectors of 140 real sentences."""
    who = ["Dani", "my sister", "the harbour master", "a customer", "nobody"]
    did = ["repaired", "sold", "wrote about", "forgot", "painted", "argued over", "found"]
    what = ["the blue bicycle", "a database index", "an old song", "the tax return"]
    return embedder.embed([f"{a} {b} {c}." for a in who for b in did for c in what])


@pytest.fixture(scope="module")
def matrix(sentences: NDArray[np.float32]) -> NDArray[np.float32]:
    """Six thousand unit vectors, each between three of the sentences and a little beside them."""
    chance = np.random.default_rng(5)
    weights = chance.dirichlet([0.6, 0.6, 0.6], 6_000).astype(np.float32)
    chosen = sentences[chance.integers(0, len(sentences), (6_000, 3))]
    noise = 0.01 * chance.standard_normal((6_000, 384)).astype(np.float32)
    return _unit(np.einsum("nw,nwd->nd", weights, chosen) + noise)


@pytest.fixture(scope="module")
def built(matrix: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an approximate index of the matrix."""
    folder = tmp_path_factory.mktemp("ann")
    build_ann(folder / "hnsw.usearch", matrix, _HEADER)
    return folder


def _recall(matrix: NDArray[np.float32], queries: NDArray[np.float32], ann: AnnIndex) -> float:
    found = 0
    for query in queries:
        exact = by_nearness(matrix, query)(10)
        near = by_nearness(matrix, query, ann=ann)(10)
        found += len(set(exact.tolist()) & set(near.tolist()))
    return found / (10 * len(queries))


def test_recall_is_at_least_99_in_100(
    matrix: NDArray[np.float32], sentences: NDArray[np.float32], tmp_path: Path
) -> None:
    built = build_ann(tmp_path / "h", matrix, _HEADER)
    ann = open_ann(tmp_path / "h", _HEADER, built.record, verified=None)

    assert isinstance(ann, AnnIndex)
    assert ann.stamp == built.stamp
    assert _recall(matrix, _unit(sentences + sentences[::-1]), ann) >= 0.99


def test_an_index_that_was_grown_finds_old_and_new_rows(
    matrix: NDArray[np.float32], sentences: NDArray[np.float32], tmp_path: Path
) -> None:
    first = build_ann(tmp_path / "h", matrix[:1_500], _HEADER)
    grown = build_ann(tmp_path / "h", matrix[:2_500], _HEADER, known=first.record)
    ann = open_ann(tmp_path / "h", _HEADER, grown.record, verified=None)

    assert isinstance(ann, AnnIndex)
    assert ann.rows == 2_500
    assert _recall(matrix[:2_500], sentences, ann) >= 0.99


def test_an_index_that_cannot_be_grown_is_built_from_nothing(
    matrix: NDArray[np.float32], tmp_path: Path
) -> None:
    path = tmp_path / "h"
    first = build_ann(path, matrix[:300], _HEADER, threads=1)
    expected = path.read_bytes()
    path.write_bytes(bytes(1000))
    damaged = build_ann(path, matrix[:300], _HEADER, known=first.record, threads=1)
    shrunk = damaged.record._replace(rows=500)
    again = build_ann(path, matrix[:300], _HEADER, known=shrunk, threads=1)

    assert path.read_bytes() == expected
    assert first.record == damaged.record == again.record
    assert [found.name for found in tmp_path.iterdir()] == ["h"]


def test_an_index_of_no_rows_can_be_opened(tmp_path: Path) -> None:
    nothing = np.empty((0, 384), np.float32)
    built = build_ann(tmp_path / "h", nothing, _HEADER)
    ann = open_ann(tmp_path / "h", _HEADER, built.record, verified=None)

    assert isinstance(ann, AnnIndex)
    rows = by_nearness(nothing, _unit(np.ones(384, np.float32)), ann=ann)(3)
    assert len(rows) == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model": "other"}, "another model"),
        ({"file_id": "other"}, "another generation"),
        ({"dimension": 128}, "128 dimensions"),
        ({"dtype": "i8"}, "i8"),
        ({"size": 7}, "another size"),
        ({"rows": 5_999}, "what was recorded"),
        ({"sha256": "0" * 64}, "damaged"),
    ],
)
def test_a_record_that_does_not_fit_is_damage(
    built: Path, matrix: NDArray[np.float32], change: dict[str, object], reason: str
) -> None:
    record = _record(built / "hnsw.usearch", len(matrix))

    found = open_ann(
        built / "hnsw.usearch",
        _HEADER,
        record._replace(**change),  # type: ignore[arg-type]
        verified=None,
    )

    assert isinstance(found, Damaged)
    assert reason in found.reason


def test_a_file_that_is_gone_is_damage(tmp_path: Path) -> None:
    record = AnnRecord(1, "", 1, 384, "model", "first")

    assert open_ann(tmp_path / "h", _HEADER, record, verified=None) == Damaged(
        "the approximate index is missing"
    )


def test_a_disk_that_refuses_is_named(tmp_path: Path, matrix: NDArray[np.float32]) -> None:
    with pytest.raises(StorageError) as caught:
        build_ann(tmp_path / "none" / "h", matrix[:10], _HEADER)

    assert str(tmp_path / "none" / "h") in caught.value.message


_FULL = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from vault_memory.errors import StorageError
from vault_memory.index.ann import build_ann
from vault_memory.index.vectors import Header

path = Path(sys.argv[1]) / "h"
rows = np.random.default_rng(1).standard_normal((400, 384)).astype(np.float32)
size = build_ann(path, rows, Header("model", "first")).record.size
sound = path.read_bytes()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for limit in (size - 1, size - 100, size // 2, 0):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        build_ann(path, rows, Header("model", "second"))
    except StorageError as error:
        files = [found.name for found in path.parent.iterdir()]
        print(str(path) in error.message, path.read_bytes() == sound, files)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


def test_an_index_that_the_disk_cut_off_is_never_taken_for_a_sound_one(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == ["True True ['h']"] * 4


def test_a_process_that_made_an_index_can_still_embed(tmp_path: Path, model_cache: Path) -> None:
    program = """
import sys
from pathlib import Path
import numpy as np
from vault_memory.index.ann import build_ann
from vault_memory.index.embedder import OnnxEmbedder
from vault_memory.index.model import find_model
from vault_memory.index.vectors import Header

rows = np.eye(384, dtype=np.float32)
build_ann(Path(sys.argv[1]) / "h", rows, Header("model", "first"))
cache = Path(sys.argv[2])
print(len(OnnxEmbedder(find_model(None, cache=cache), cache=cache).embed_query("heron")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), str(model_cache)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout) == (0, "384\n"), done.stderr


@pytest.mark.parametrize(
    ("rows", "covered", "due"),
    [
        (0, 0, False),
        (19_999, 0, False),
        (20_000, 0, True),
        (30_000, 20_000, False),
        (30_001, 20_000, True),
    ],
)
def test_when_an_index_is_due(rows: int, covered: int, due: bool) -> None:
    assert ann_due(rows, covered) is due


_DAMAGE = """
import random, sys
from pathlib import Path
from vault_memory.index.ann import AnnRecord, open_ann
from vault_memory.index.vectors import Damaged, Header
from vault_memory.index.session import load_runtime
import numpy as np

load_runtime()
from usearch.index import Index

folder = Path(sys.argv[1])
sound = (folder / "hnsw.usearch").read_bytes()
import hashlib
record = AnnRecord(len(sound), hashlib.sha256(sound).hexdigest(), 6000, 384, "model", "first")
header = Header("model", "first")
chance = random.Random(33)

def scattered(count):
    content = bytearray(sound)
    for place in chance.sample(range(len(content)), count):
        content[place] ^= chance.randrange(1, 256)
    return bytes(content)

other = Index(ndim=128, metric="ip", dtype="f16")
other.add(np.arange(50), np.ones((50, 128), np.float32))
damages = {
    "empty": b"", "cut": sound[: len(sound) // 2], "one byte short": sound[:-1],
    "longer": sound + b"x", "zeroed": bytes(len(sound)),
    "zeroed end": sound[:-4096] + bytes(4096), "other dimension": bytes(other.save()),
    "garbage": chance.randbytes(len(sound)),
} | {f"1 byte, {n}": scattered(1) for n in range(12)} | {
    f"20 bytes, {n}": scattered(20) for n in range(12)
}
broken = folder / "broken"
for name, content in damages.items():
    broken.write_bytes(content)
    found = open_ann(broken, header, record, verified=None)
    print(name, type(found).__name__)
(folder / "sound").write_bytes(sound)
print("sound", type(open_ann(folder / "sound", header, record, verified=None)).__name__)
"""


def test_no_damage_reaches_usearch(built: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _DAMAGE, str(built)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.stderr == ""
    assert done.returncode == 0
    *damages, sound = done.stdout.splitlines()
    assert len(damages) == 32
    assert {line.rsplit(" ", 1)[1] for line in damages} == {"Damaged"}
    assert sound == "sound AnnIndex"


def _record(path: Path, rows: int) -> AnnRecord:
    import hashlib

    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return AnnRecord(len(content), digest, rows, 384, "model", "first")

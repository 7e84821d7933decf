"""Opening the model in onnxruntime, by its optimised graph when that was saved before.

Optimising takes most of the time in which a session opens, so the result is saved in the user's
cache. It holds for one version of onnxruntime on one kind of processor, and its file's name
carries both that key and the checksum of its content; whatever is wrong with it, the original
graph is used.

From version 1.32 on onnxruntime gives every user a device ID, keeps a database of events in the
cache and sends it to its makers, unless an environment variable forbids it before the first
import. A memory is nobody else's business, so it is forbidden here.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import ModelError
from vault_memory.index.checksums import remembered_sha256, sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onnxruntime import InferenceSession, SessionOptions

    from vault_memory.index.model import ModelFiles

_KEPT_GRAPHS = 3
_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"


def open_session(files: ModelFiles, *, cache: Path, output: str = "") -> InferenceSession:
    """A session that runs each call on the thread of its caller.

    Args:
        files: The model.
        output: The name of one more tensor in its graph to answer; empty for none.
        cache: The user's cache folder; optimised graphs lie in its ``graphs`` folder. It need
            not exist or be writable.

    Raises:
        ModelError: onnxruntime does not accept the model.
    """
    load_runtime()
    graphs = cache / "graphs"
    key = _graph_key(files, output)
    return _from_saved(graphs, key, cache) or _from_original(files, graphs, key, output)


def load_runtime() -> None:
    """Load onnxruntime, which tells nobody about it.

    usearch is loaded only after it: the other way round, version 1.32 ends the process.
    """
    os.environ[_NO_TELEMETRY] = "1"
    import onnxruntime  # noqa: F401 - for its effect


def _from_saved(graphs: Path, key: str, cache: Path) -> InferenceSession | None:
    from onnxruntime import GraphOptimizationLevel, InferenceSession

    for path in sorted(graphs.glob(f"{key}-*.onnx")):
        try:
            if path.stem != f"{key}-{remembered_sha256(path, cache)}":
                path.unlink()
                continue
            options = _options()
            options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
            return InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except _cache_errors():
            continue
    return None


def _from_original(files: ModelFiles, graphs: Path, key: str, output: str) -> InferenceSession:
    from onnxruntime import InferenceSession

    from vault_memory.index.tokens import with_output

    model = with_output(files.model.read_bytes(), output) if output else files.model
    try:
        with _draft(graphs) as draft:
            options = _options()
            options.optimized_model_filepath = str(draft)
            session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
            with suppress(OSError):
                _keep(draft, graphs, key)
            return session
    except _cache_errors():
        pass
    try:
        return InferenceSession(model, _options(), providers=["CPUExecutionProvider"])
    except session_errors() as error:
        raise ModelError(
            f"onnxruntime does not accept the embedding model ({error})",
            where=str(files.model),
            cure="Put a sound model.onnx there, or name another folder as [embedding] model",
        ) from error


@contextmanager
def _draft(graphs: Path) -> Iterator[Path]:
    """Where one process at a time writes a graph; what a killed one left is written over.

    Raises:
        OSError: Another process does so, or the disk refuses.
    """
    graphs.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = graphs / "draft"
    folder = os.open(graphs, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            draft.unlink(missing_ok=True)
            yield draft
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    finally:
        os.close(folder)


def _keep(draft: Path, graphs: Path, key: str) -> None:
    draft.replace(graphs / f"{key}-{sha256_of(draft)}.onnx")
    saved = sorted(graphs.glob("*.onnx"), key=lambda path: path.stat().st_mtime_ns)
    for outdated in saved[:-_KEPT_GRAPHS]:
        outdated.unlink()


def _options() -> SessionOptions:
    from onnxruntime import SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    return options


def _cache_errors() -> tuple[type[Exception], ...]:
    return (OSError, *session_errors())


def session_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises when it cannot open or run a model."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NoModel,
        state.NoSuchFile,
        state.NotImplemented,
        state.RuntimeException,
    )


def _graph_key(files: ModelFiles, output: str) -> str:
    import hashlib
    import platform

    import onnxruntime

    parts = (
        files.model_sha256,
        output,
        onnxruntime.__version__,
        platform.system(),
        platform.machine(),
        _processor(),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _processor() -> str:
    """Model and features of the processor, as far as the system tells without a new process."""
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            first = file.read(8192).partition(b"\n\n")[0].decode("utf-8", "replace")
    except OSError:
        return ""
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    return "\n".join(line for line in first.splitlines() if line.startswith(wanted))

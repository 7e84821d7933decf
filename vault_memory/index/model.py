"""Finding the embedding model and making sure that it is what it should be."""

from pathlib import Path
from typing import NamedTuple

from vault_memory.errors import ModelError
from vault_memory.index.checksums import remembered_sha256
from vault_memory.index.model_usage import USUAL, Usage, read_usage

SHIPPED = Path(__file__).parent / "bge-small-en-v1.5"
"""The folder of the model that comes with the package; its ``ORIGIN.md`` says from where."""

MODEL_SHA256 = "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"
TOKENIZER_SHA256 = "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
TOKENS_SHA256 = "d0aae3df76969ee09b3c78ee4e1c6e1e181f170bc719350ab983cbd6d39c740c"

PIPELINE_VERSION = 1
"""Goes up whenever the same text and model would give another vector than before."""

SHIPPED_IDENTITY = "58370d20acced184"
"""What ``identity_of`` gives for the model of the package, so that no start has to hash."""

TOKENS_FILE = "tokens.bin"
"""The projection of the shipped model's token vectors."""

TOKEN_IDENTITY = f"{SHIPPED_IDENTITY}-{TOKENS_SHA256[:16]}"
"""Changes whenever the same text may get other token vectors from the model of the package."""

TOKEN_BYTES = 16
"""What the vector of a token takes when it is packed: 128 components of one bit."""


class ModelFiles(NamedTuple):
    """A model that was found and checked.

    Attributes:
        folder: Where it lies.
        model: The ONNX graph.
        tokenizer: The definition of its tokenizer.
        model_sha256: The sha256 of the graph, in hex; with weights in files of their own, of the
            checksums of all.
        identity: Sixteen hex digits that change whenever the same text may get another vector:
            of the graph, the tokenizer, how it is used and the version of the pipeline.
        usage: How it is to be used.
        shipped: Whether it is the one that comes with the package.
        tokens: The projection of its token vectors; None when it has none, as another model.
    """

    folder: Path
    model: Path
    tokenizer: Path
    model_sha256: str
    identity: str
    usage: Usage = USUAL
    shipped: bool = True
    tokens: Path | None = None

    @property
    def token_identity(self) -> str:
        """What the token vectors of a text depend on besides the text; empty without any."""
        return TOKEN_IDENTITY if self.tokens else ""


def find_model(configured: str | None, *, cache: Path, shipped: Path = SHIPPED) -> ModelFiles:
    """The model to embed with: the configured one, else the one that comes with the package.

    Costs three ``stat`` calls when the files are those that were checked before, and never
    looks anywhere but in the one folder.

    Args:
        configured: A folder that holds ``model.onnx``, by itself or in ``onnx``, and
            ``tokenizer.json``; none or empty for the model that comes with the package.
        cache: The user's cache folder, where checksums are remembered. It need not exist or
            be writable.
        shipped: Where the model of the package lies.

    Raises:
        ModelError: A file is missing or unreadable, or is not the one that was shipped, or says
            of the model what is not known.
    """
    folder = Path(configured) if configured else shipped
    cure = (
        f"Put model.onnx and tokenizer.json into {folder}, or take [embedding] model out of the "
        "configuration to use the model that comes with vaultmem"
        if configured
        else "Install vaultmem again, or name a folder that holds model.onnx and tokenizer.json "
        "as [embedding] model"
    )
    model = _graph_in(folder) if configured else folder / "model.onnx"
    tokenizer = folder / "tokenizer.json"
    model_sha256 = _checksum(model, cache, cure)
    tokenizer_sha256 = _checksum(tokenizer, cache, cure)
    if not configured:
        _compare(model, model_sha256, MODEL_SHA256, cure)
        _compare(tokenizer, tokenizer_sha256, TOKENIZER_SHA256, cure)
        tokens = folder / TOKENS_FILE
        _compare(tokens, _checksum(tokens, cache, cure), TOKENS_SHA256, cure)
        return ModelFiles(
            folder, model, tokenizer, model_sha256, SHIPPED_IDENTITY, USUAL, True, tokens
        )
    weights = [_checksum(path, cache, cure) for path in _weights_of(model)]
    if weights:
        model_sha256 = _digest(model_sha256, *weights)
    usage = read_usage(folder)
    return ModelFiles(
        folder=folder,
        model=model,
        tokenizer=tokenizer,
        model_sha256=model_sha256,
        identity=identity_of(model_sha256, tokenizer_sha256, *usage.differences),
        usage=usage,
        shipped=False,
    )


def _graph_in(folder: Path) -> Path:
    beside, below = folder / "model.onnx", folder / "onnx" / "model.onnx"
    return below if below.exists() and not beside.exists() else beside


def _weights_of(model: Path) -> list[Path]:
    """The files beside a graph that hold its weights, as exporters name them."""
    found = {*model.parent.glob("model.onnx?*"), *model.parent.glob("model*data")}
    return sorted(path for path in found if path.is_file())


def _checksum(path: Path, cache: Path, cure: str) -> str:
    try:
        return remembered_sha256(path, cache)
    except FileNotFoundError:
        raise ModelError("the embedding model is missing", where=str(path), cure=cure) from None
    except OSError as error:
        problem = f"the embedding model cannot be read ({error.strerror})"
        raise ModelError(problem, where=str(path), cure=cure) from error


def _compare(path: Path, found: str, expected: str, cure: str) -> None:
    if found != expected:
        problem = f"the embedding model is damaged (its sha256 is not {expected})"
        raise ModelError(problem, where=str(path), cure=cure)


def identity_of(*parts: str) -> str:
    """Return the identity of a model by the checksums of its graph and tokenizer, in hex.

    Args:
        parts: The checksums, and what else gives a text another vector than usual.
    """
    return _digest(str(PIPELINE_VERSION), *parts)[:16]


def _digest(*parts: str) -> str:
    import hashlib

    return hashlib.sha256("\n".join(parts).encode()).hexdigest()

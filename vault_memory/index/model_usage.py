"""How a model's folder says that the model is to be used, in the files of sentence-transformers.

Which of a text's token vectors make the vector of the text, how much of a text the model reads, and
what has to stand before a question or a text: without any of these files the first token's vector,
512 tokens and nothing.
"""

from pathlib import Path
from typing import Any, Literal, NamedTuple

from vault_memory.errors import ModelError

Pooling = Literal["cls", "mean", "max", "lasttoken"]

MAX_TOKENS = 512
"""What is read of a text at most, special tokens included; the rest is cut off."""

_LEAST_TOKENS = 8
_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
}
_NAMED_POOLINGS: dict[str, Pooling] = {
    "cls": "cls",
    "mean": "mean",
    "mean_sqrt_len_tokens": "mean",
    "max": "max",
    "lasttoken": "lasttoken",
}
_SIMPLE_MODULES = {"Transformer", "Pooling", "Normalize"}
_OFFSET_POSITIONS = {"roberta", "xlm-roberta", "camembert", "mpnet"}


class Usage(NamedTuple):
    """How a model is to be used.

    Attributes:
        pooling: Which token vectors make the vector of a text, when the graph answers those.
        most_tokens: How many tokens it reads, special ones included.
        before_query: What stands before a question.
        before_text: What stands before a text that is searched.
        vocabulary: How many pieces the model knows; 0 when nothing says so.
        more_layers: The layers of the model that are no part of a graph that answers tokens.
    """

    pooling: Pooling = "cls"
    most_tokens: int = MAX_TOKENS
    before_query: str = ""
    before_text: str = ""
    vocabulary: int = 0
    more_layers: tuple[str, ...] = ()

    @property
    def differences(self) -> tuple[str, ...]:
        """What gives a text another vector than the usual use; nothing for the usual one."""
        said = (self.pooling, self.most_tokens, self.before_query, self.before_text)
        return () if said == ("cls", MAX_TOKENS, "", "") else (repr(said),)


USUAL = Usage()
"""How a model is used whose folder says nothing."""


def read_usage(folder: Path) -> Usage:
    """Read how the model in a folder is to be used.

    Args:
        folder: Holds any of ``1_Pooling/config.json``, ``config_sentence_transformers.json``,
            ``sentence_bert_config.json``, ``tokenizer_config.json``, ``config.json`` and
            ``modules.json``.

    Raises:
        ModelError: One of them cannot be read, or asks for what is not known.
    """
    prompts = _read(folder / "config_sentence_transformers.json")
    said = prompts.get("prompts") or {}
    vocabulary = _read(folder / "config.json").get("vocab_size")
    usual = said.get(prompts.get("default_prompt_name") or "", "")
    return Usage(
        pooling=_pooling(folder / "1_Pooling" / "config.json"),
        most_tokens=_most_tokens(folder),
        before_query=said.get("query", usual),
        before_text=next((said[n] for n in ("document", "passage", "corpus") if n in said), usual),
        vocabulary=vocabulary if isinstance(vocabulary, int) else 0,
        more_layers=_more_layers(folder / "modules.json"),
    )


def _read(path: Path) -> dict[str, Any]:
    found = _read_any(path)
    if not isinstance(found, dict):
        raise _wrong(path, "it is not an object of JSON")
    return found


def _read_any(path: Path) -> Any:  # noqa: ANN401 - whatever JSON holds
    import json

    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise _wrong(path, str(error)) from error


def _pooling(path: Path) -> Pooling:
    config = _read(path)
    named = config.get("pooling_mode")
    wanted = (
        [str(named)]
        if named
        else [key for key, on in config.items() if key.startswith("pooling_mode_") and on]
    )
    known = _NAMED_POOLINGS if named else _POOLINGS
    match wanted:
        case []:
            return "cls"
        case [one] if one in known:
            return known[one]
        case _:
            raise _wrong(path, f"{' and '.join(wanted)} is no pooling that vaultmem knows")


def _most_tokens(folder: Path) -> int:
    config = _read(folder / "config.json")
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _OFFSET_POSITIONS:
        positions -= 2
    stated = (
        (folder / "sentence_bert_config.json", "max_seq_length"),
        (folder / "tokenizer_config.json", "model_max_length"),
    )
    limits = [MAX_TOKENS, positions, *(_read(path).get(key) for path, key in stated)]
    most = min(int(limit) for limit in limits if isinstance(limit, int | float))
    if most < _LEAST_TOKENS:
        raise _wrong(folder, f"a model that reads {most} tokens is of no use")
    return most


def _more_layers(path: Path) -> tuple[str, ...]:
    modules = _read_any(path) or []
    if not isinstance(modules, list):
        raise _wrong(path, "it is not a list of modules")
    names = [str(one.get("type", "")) for one in modules if isinstance(one, dict)]
    return tuple(
        name for one in names if (name := one.rpartition(".")[2]) not in {*_SIMPLE_MODULES, ""}
    )


def _wrong(path: Path, problem: str) -> ModelError:
    return ModelError(
        f"the folder of the embedding model is not what it should be ({problem})",
        where=str(path),
        cure="Put the file there as the model's makers give it, or name another folder as "
        "[embedding] model",
    )

"""The keys of the configuration: what each may hold, and which need the user's trust."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Literal, NamedTuple

HALF_LIFE = "graph.half_life_days"
"""The section whose keys are ``default`` and the types of notes."""


class BadValueError(ValueError):
    """A value that a key cannot hold, told as half a sentence: ``must be a number``."""


class Key(NamedTuple):
    """One key of the configuration.

    Attributes:
        field: The attribute of ``Config`` that holds it.
        read: A TOML value, or the text of an option or variable, to the typed value; raises
            BadValueError.
        trust: ``own`` counts from a vault only when that is trusted; ``outside`` too, when it names
            a place outside the vault; empty always counts.
        is_path: Whether ``~/`` at its start stands for the user's home.
    """

    field: str
    read: Callable[[object], object]
    trust: Literal["", "own", "outside"] = ""
    is_path: bool = False


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise BadValueError("must be text")
    if any(ord(character) < 32 or ord(character) == 127 for character in value):
        raise BadValueError("must not hold control characters")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise BadValueError("must be UTF-8")
    return value


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word for part in value.split(",") if (word := _word(part.strip())))
    if not isinstance(value, list):
        raise BadValueError("must be a list of texts")
    return tuple(_word(item) for item in value)


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _BOOLEANS:
        return _BOOLEANS[value.strip().lower()]
    raise BadValueError("must be true or false")


_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False, "0": False, "no": False, "off": False,
}  # fmt: skip


def _decimal(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadValueError("must be a number")
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        raise BadValueError("must be a number") from None
    if not number.is_finite() or abs(number) > 10**12 or (number and abs(number) < 10**-12):
        raise BadValueError("must be a number of a usual size")
    return number


def _integer(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        number = _decimal(value)
        if number != int(number) or isinstance(value, float) or not low <= number <= high:
            raise BadValueError(f"must be a whole number from {low} to {high}")
        return int(number)

    return read


def _weight(value: object) -> Decimal:
    number = _decimal(value)
    if not 0 <= number <= 1000:
        raise BadValueError("must be a number from 0 to 1000")
    return number


def _seconds(value: object) -> float:
    number = float(_decimal(value))
    if number < 0:
        raise BadValueError("must be a number of seconds, 0 or more")
    return number


def _days(value: object) -> float:
    number = float(_decimal(value))
    if number < 0:
        raise BadValueError("must be a number of days, 0 for never")
    return number


def _choice(*names: str, **also: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        text = also.get(str(value), value)
        if text not in names:
            raise BadValueError("must be one of " + ", ".join(names))
        return str(text)

    return read


KEYS: dict[str, Key] = {
    "vault_format": Key("vault_format", _integer(0, 10**6)),
    "ephemeral.max_entries": Key("ephemeral_max_entries", _integer(1, 50)),
    "llm.provider": Key(
        "llm_provider",
        _choice("claude", "claude-code", "openai", "ollama", "none", anthropic="claude"),
        "own",
    ),
    "llm.model": Key("llm_model", _word, "own"),
    "llm.api_base": Key("llm_api_base", _word, "own"),
    "llm.max_calls": Key("llm_max_calls", _integer(0, 10**6), "own"),
    "llm.auto_extract": Key("llm_auto_extract", _boolean, "own"),
    "pipeline.docs_dir": Key("pipeline_docs_dir", _word, "outside", is_path=True),
    "pipeline.auto_sync": Key("pipeline_auto_sync", _boolean),
    "graph.mode": Key("graph_mode", _choice("embedded", "server")),
    "graph.url": Key("graph_url", _word, "own"),
    "graph.single_valued": Key("graph_single_valued", _words),
    "graph.provenance.external": Key("graph_provenance_external", _weight),
    "graph.provenance.human": Key("graph_provenance_human", _weight),
    "graph.provenance.agent": Key("graph_provenance_agent", _weight),
    "graph.provenance.agent_cap": Key("graph_provenance_agent_cap", _weight),
    HALF_LIFE: Key("graph_half_life_days", _days),
    "serve.autostart": Key("serve_autostart", _boolean),
    "serve.socket_path": Key("serve_socket_path", _word, "own", is_path=True),
    "serve.idle_timeout_secs": Key("serve_idle_timeout_secs", _seconds),
    "serve.lock_timeout_secs": Key("serve_lock_timeout_secs", _seconds),
    "git.auto_commit": Key("git_auto_commit", _boolean),
    "index.dir": Key("index_dir", _word, "outside", is_path=True),
    "vault.exclude": Key("vault_exclude", _words),
    "vault.root": Key("vault_root", _word, "own", is_path=True),
    "embedding.model": Key("embedding_model", _word, "own", is_path=True),
}
"""Every key by its dotted name, in the order of the reference."""


def key_of(name: str) -> Key | None:
    """The key of a dotted name; None when there is none."""
    section, _, last = name.rpartition(".")
    if section != HALF_LIFE:
        return None if name == HALF_LIFE else KEYS.get(name)
    from vault_memory.core.entity import TYPES

    return KEYS[HALF_LIFE] if last in {"default", "relation", *TYPES} else None


def nearest(name: str) -> list[str]:
    """The keys whose names come closest to a mistyped one, best first."""
    import difflib

    last = name.rpartition(".")[2]
    same = [key for key in KEYS if key.rpartition(".")[2] == last]
    return same[:3] or difflib.get_close_matches(name, KEYS, n=3, cutoff=0.5)

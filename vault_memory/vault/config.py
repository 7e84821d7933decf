"""What the user and the vault have configured, in layers, with the source of every value."""

import errno
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from vault_memory.vault.config_keys import HALF_LIFE, KEYS, BadValueError, key_of, nearest
from vault_memory.vault.plain_toml import read_plain
from vault_memory.vault.read import read_bytes

CONFIG_FILE = ".vaultmem.toml"
"""The vault's own configuration; a folder that has one is a vault."""

USER_FILE = "config.toml"
"""The user's configuration, in `config_folder`."""

MAX_CONFIG_BYTES = 1 << 20


DEFAULT_HALF_LIFE = 180.0
"""Days after which an unsupported belief has lost half of what it can lose."""


class Config(NamedTuple):
    """Every setting, typed; the attribute ``section_key`` is the key ``section.key``.

    A named tuple, since a dataclass of so many fields costs every start of the program 3 ms.

    Attributes:
        vault_format: The format the vault says it has; 0 when it says nothing.
        sources: Key to where its value came from: ``option``, ``environment``, ``vault`` or
            ``user``; keys that are not in it have their default.
    """

    vault_format: int = 0
    ephemeral_max_entries: int = 5
    llm_provider: str = "claude"
    llm_model: str = ""
    llm_api_base: str = ""
    llm_max_calls: int = 100
    llm_auto_extract: bool = False
    pipeline_docs_dir: str = ""
    pipeline_auto_sync: bool = False
    graph_mode: str = "embedded"
    graph_url: str = ""
    graph_single_valued: tuple[str, ...] = ()
    graph_provenance_external: Decimal = Decimal("1.0")
    graph_provenance_human: Decimal = Decimal("0.8")
    graph_provenance_agent: Decimal = Decimal("0.05")
    graph_provenance_agent_cap: Decimal = Decimal("1.0")
    graph_half_life_days: Mapping[str, float] = MappingProxyType({"default": DEFAULT_HALF_LIFE})
    serve_autostart: bool = True
    serve_socket_path: str = ""
    serve_idle_timeout_secs: float = 3600.0
    serve_lock_timeout_secs: float = 30.0
    git_auto_commit: bool = False
    index_dir: str = ""
    vault_exclude: tuple[str, ...] = ()
    vault_root: str = ""
    embedding_model: str = ""
    sources: Mapping[str, str] = MappingProxyType({})

    @property
    def weights(self) -> dict[str, Decimal]:
        """The weight of one new evidence line, by provenance."""
        return {
            "external": self.graph_provenance_external,
            "human": self.graph_provenance_human,
            "agent": self.graph_provenance_agent,
        }

    def items(self) -> Iterator[tuple[str, tuple[object, str]]]:
        """Every key with its value and where that came from, in the order of the reference."""
        for name, key in KEYS.items():
            if name != HALF_LIFE:
                yield name, (getattr(self, key.field), self.sources.get(name, "default"))
                continue
            for kind, days in self.graph_half_life_days.items():
                each = f"{HALF_LIFE}.{kind}"
                yield each, (days, self.sources.get(each, "default"))


class _Layer(NamedTuple):
    """One place that settings come from, flat: dotted key to value."""

    source: str
    where: str
    values: Mapping[str, object]


def config_folder(environ: Mapping[str, str], home: Path) -> Path:
    """The folder of the user's own configuration (``XDG_CONFIG_HOME`` respected)."""
    named = environ.get("XDG_CONFIG_HOME", "")
    base = Path(named) if named.startswith("/") else home / ".config"
    return base / "vaultmem"


def load(
    vault_path: Path | None,
    *,
    environ: Mapping[str, str],
    config_folder: Path,
    options: Mapping[str, str] | None = None,
) -> tuple[Config, list[str]]:
    """Read the configuration: option, environment, vault, user, default, the first that says it.

    Args:
        vault_path: The vault; None for the user's own settings alone.
        environ: Where ``VAULTMEM_<SECTION>_<KEY>`` and ``HOME`` are looked up.
        config_folder: The folder of the user's ``config.toml`` and list of trusted vaults.
        options: Dotted key to text, as given on the command line.

    Returns:
        The settings, and a warning for each value that was not taken. A missing file is fine; a
        bad value falls back to its default.
    """
    warnings: list[str] = []
    user = _read_toml(config_folder, USER_FILE, warnings)
    own = _read_toml(vault_path, CONFIG_FILE, warnings) if vault_path else {}
    layers = (
        _Layer("option", "the command line", options or {}),
        _Layer("environment", "the environment", _from_environ(environ)),
        _Layer("vault", CONFIG_FILE, _allowed(own, vault_path, config_folder, warnings)),
        _Layer("user", str(config_folder / USER_FILE), user),
    )
    gathered = _Gathered(warnings)
    for layer in reversed(layers):
        for name, raw in layer.values.items():
            gathered.take(layer, name, raw)
    return gathered.config(environ.get("HOME", "")), warnings


class _Gathered:
    """The values of all layers, the higher over the lower."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._values: dict[str, Any] = {}
        self._half_lives: dict[str, float] = {}
        self._sources: dict[str, str] = {}

    def take(self, layer: _Layer, name: str, raw: object) -> None:
        """Take one value, or warn and return to the default."""
        key = key_of(name)
        if key is None:
            if not name.startswith("policy."):
                hint = nearest(name)
                cure = f" Did you mean {hint[0]}?" if hint else ""
                self._warnings.append(f"{layer.where}: unknown key {name}.{cure}")
            return
        kind = name.removeprefix(HALF_LIFE + ".") if name not in KEYS else ""
        place: dict[str, Any] = self._half_lives if kind else self._values
        try:
            place[kind or key.field] = key.read(raw)
        except BadValueError as error:
            self._warnings.append(f"{layer.where}: {name} {error}; its default is used.")
            place.pop(kind or key.field, None)
            self._sources.pop(name, None)
        else:
            self._sources[name] = layer.source

    def config(self, home: str) -> Config:
        """All that was taken; ``~/`` in paths stands for the home, where there is one."""
        for key in KEYS.values():
            text = self._values.get(key.field, "")
            if key.is_path and home and f"{text}/".startswith("~/"):
                self._values[key.field] = home + text[1:]
        days = {"default": DEFAULT_HALF_LIFE, **self._half_lives}
        return Config(**self._values, graph_half_life_days=days, sources=self._sources)


def _from_environ(environ: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {}
    half_life = _variable(HALF_LIFE) + "_"
    names = {_variable(name): name for name in KEYS if "." in name and name != HALF_LIFE}
    for variable, text in environ.items():
        if not variable.startswith("VAULTMEM_"):
            continue
        if variable in names:
            found[names[variable]] = text
        elif variable.startswith(half_life):
            found[f"{HALF_LIFE}.{variable.removeprefix(half_life).lower()}"] = text
    return found


def _variable(name: str) -> str:
    return "VAULTMEM_" + name.replace(".", "_").upper()


def _allowed(
    values: dict[str, object], vault_path: Path | None, config_folder: Path, warnings: list[str]
) -> dict[str, object]:
    """What the vault may say: all when it is trusted, else nothing that runs, calls or escapes."""
    asked = [name for name in values if (key := key_of(name)) and key.trust]
    if vault_path is None or not asked:
        return values
    from vault_memory.vault.trust import is_trusted

    if is_trusted(vault_path, config_folder):
        return {name: value for name, value in values.items() if name != "vault.root"}
    kept = dict(values)
    for name in asked:
        key = key_of(name)
        if key and key.trust == "outside" and _lies_inside(vault_path, values[name]):
            continue
        del kept[name]
        warnings.append(
            f"{CONFIG_FILE}: {name} counts only from your own configuration, "
            "or after: vaultmem config trust"
        )
    return kept


def _lies_inside(vault_path: Path, value: object) -> bool:
    if not isinstance(value, str) or value.startswith("~") or "\0" in value:
        return False
    vault = vault_path.resolve()
    return (vault / value).resolve().is_relative_to(vault)


def _read_toml(folder: Path, name: str, warnings: list[str]) -> dict[str, object]:
    where = name if name == CONFIG_FILE else str(folder / name)
    try:
        data = (
            read_bytes(folder, name) if name == CONFIG_FILE else (folder / name).read_bytes()
        ) or b""
    except OSError as error:
        if error.errno not in {errno.ENOENT, errno.ENOTDIR}:
            warnings.append(f"{where}: cannot be read ({error.strerror}); defaults are used.")
        return {}
    if not data.strip():
        return {}
    if len(data) > MAX_CONFIG_BYTES:
        warnings.append(f"{where}: larger than 1 MiB; defaults are used.")
        return {}
    try:
        text = data.decode().removeprefix("\ufeff")
        plain = read_plain(text)
        return dict(_flat(_document(text), "")) if plain is None else plain
    except (ValueError, RecursionError) as error:
        warnings.append(f"{where}: is not TOML ({error}); defaults are used.")
        return {}


def _document(text: str) -> dict[str, object]:
    import tomllib

    return tomllib.loads(text)


def _flat(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value

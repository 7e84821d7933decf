"""What one run of the command knows: its options, its surroundings and how it answers."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_memory.errors import UsageError

if TYPE_CHECKING:
    from vault_memory.vault.layout import Vault

SCHEMA_VERSION = 1
"""The version of the JSON answers; no key goes or changes meaning within one."""


@dataclass(slots=True)
class App:
    """Options and surroundings of this run; the only place that reads the environment and clock."""

    root_option: str = ""
    vault_option: str = ""
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    cwd: Path = field(default_factory=Path.cwd)
    _vault: "Vault | None" = None

    @property
    def now(self) -> datetime:
        """The present, UTC; ``VAULTMEM_NOW`` stands in for the clock where answers must repeat."""
        fixed = self.environ.get("VAULTMEM_NOW", "")
        if not fixed:
            return datetime.now(UTC)
        try:
            return datetime.fromisoformat(fixed).astimezone(UTC)
        except ValueError:
            raise UsageError(f"VAULTMEM_NOW is not an ISO 8601 time: {fixed}") from None

    @property
    def home(self) -> Path:
        """The user's home folder, or a folder that does not exist where there is none."""
        named = self.environ.get("HOME", "")
        return Path(named) if named else Path("/nonexistent")

    @property
    def cache(self) -> Path:
        """The user's cache folder of this program (``XDG_CACHE_HOME`` respected)."""
        named = self.environ.get("XDG_CACHE_HOME", "")
        return (Path(named) if named else self.home / ".cache") / "vaultmem"

    def notice(self, text: str) -> None:
        """Say something that is no data: on standard error, unless ``-q``."""
        if not self.quiet:
            print(text, file=sys.stderr)  # noqa: T201

    def detail(self, text: str) -> None:
        """Say something only with ``-v``."""
        if self.verbose:
            self.notice(text)

    def emit(self, data: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Answer: the data as one JSON object, or the lines for a person."""
        if self.json:
            answer = {"schema_version": SCHEMA_VERSION, "data": data}
            text = json.dumps(answer, ensure_ascii=False, default=str)
        else:
            text = "\n".join(lines)
        write_out(text)


def write_out(text: str) -> None:
    """Print to standard output, whatever its encoding makes of the characters."""
    if not text:
        return
    data = (text + "\n").encode("utf-8", "backslashreplace")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8"))
        return
    sys.stdout.flush()
    buffer.write(data)
    buffer.flush()

"""What one run of the command knows: its options, its surroundings and how it answers."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_memory.cli.streams import write_error, write_out
from vault_memory.errors import LockedError, NotFoundError, StorageError, UsageError

if TYPE_CHECKING:
    from vault_memory.cli.hook_input import Payload
    from vault_memory.flows.observation import Observation
    from vault_memory.flows.vault_index import VaultIndex
    from vault_memory.vault.config import Config
    from vault_memory.vault.layout import Vault
    from vault_memory.vault.locate import Located

SCHEMA_VERSION = 1
"""The version of the JSON answers; no key goes or changes meaning within one."""


class App:
    """Options and surroundings of this run; the only place that reads the environment and clock.

    Args:
        environ: The environment; the process's own when None.
        cwd: The working folder; the process's own when None.

    Attributes:
        root_option: ``--root``; empty for none.
        vault_option: ``--vault``; empty for none.
        json: Whether to answer as JSON.
        quiet: Whether to leave notices out.
        verbose: Whether to say more.
        hook: Whether an agent's program runs the command, which no failure may hold up.
    """

    def __init__(
        self, *, environ: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> None:
        self.root_option = ""
        self.vault_option = ""
        self.json = False
        self.quiet = False
        self.verbose = False
        self.hook = False
        self.environ = os.environ if environ is None else environ
        self.cwd = cwd or Path.cwd()
        self._said: set[str] = set()

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

    @property
    def today(self) -> date:
        """The UTC day."""
        return self.now.date()

    @property
    def config_folder(self) -> Path:
        """The folder of the user's own configuration."""
        from vault_memory.vault.config import config_folder

        return config_folder(self.environ, self.home)

    @cached_property
    def stdin(self) -> bytes:
        """All of standard input, read once however often a command has to begin again."""
        return sys.stdin.buffer.read()

    @cached_property
    def hook_input(self) -> bytes:
        """What an agent's program gives on standard input, as far as it came in time."""
        from vault_memory.cli.hook_input import read_hook_input

        return b"" if self.typed_at else read_hook_input(sys.stdin)

    @property
    def payload(self) -> "Payload | None":
        """The JSON object on standard input; None when there is none."""
        from vault_memory.cli.hook_input import payload_of

        return payload_of(self.hook_input)

    @property
    def typed_at(self) -> bool:
        """Whether a person would have to type what is read from standard input."""
        return sys.stdin.isatty()

    @property
    def shows_progress(self) -> bool:
        """Whether a progress bar may be drawn: on a terminal, and not with ``-q``."""
        return sys.stderr.isatty() and not self.quiet

    @property
    def colour(self) -> bool:
        """Whether output may be coloured: on a terminal, unless ``NO_COLOR`` is set."""
        return sys.stdout.isatty() and not self.environ.get("NO_COLOR")

    @cached_property
    def located(self) -> "Located":
        """Which vault is meant, and why.

        Raises:
            NotFoundError: None is.
        """
        from vault_memory.vault.config import load
        from vault_memory.vault.locate import locate

        user, _ = load(None, environ=self.environ, config_folder=self.config_folder)
        return locate(
            root_option=self.root_option,
            vault_option=self.vault_option,
            environ=self.environ,
            cwd=self.cwd,
            home=self.home,
            user_config=user,
        )

    @cached_property
    def vault(self) -> "Vault":
        """The vault that is meant, with its configuration; each bad setting is told once.

        Raises:
            NotFoundError: There is none.
        """
        from vault_memory.vault.config import load
        from vault_memory.vault.layout import Vault, derived_folder

        path = self.located.path
        config, warnings = load(path, environ=self.environ, config_folder=self.config_folder)
        for warning in warnings:
            self.notice(warning)
        derived = derived_folder(path, cache_home=self.cache, configured=config.index_dir)
        return Vault(path, self.located.root, config, derived)

    @property
    def settings(self) -> "Config":
        """The settings that hold here: those of the vault, or where there is none, the user's own.

        Raises:
            NotFoundError: A vault was named, and there is none.
        """
        from vault_memory.vault.config import load

        try:
            return self.vault.config
        except NotFoundError:
            if self.root_option or self.vault_option:
                raise
        config, warnings = load(None, environ=self.environ, config_folder=self.config_folder)
        for warning in warnings:
            self.notice(warning)
        return config

    def writable_vault(self) -> "Vault":
        """The vault that is meant, which may be written to.

        Raises:
            StorageError: It was never made a vault, or is of a newer format.
        """
        from vault_memory.vault.layout import require_writable

        require_writable(self.vault)
        return self.vault

    def open_index(
        self, *, refresh: bool = True, keep: bool = False
    ) -> "AbstractContextManager[VaultIndex]":
        """The index of the vault; with ``refresh`` it first takes in the notes that changed.

        When another process holds the index for too long, what was known before has to do.

        Raises:
            NotFoundError: There is no vault.
            StorageError: With ``keep``, the index cannot be written.
        """
        return self._open(self.vault, refresh=refresh, keep=keep)

    def open_writer(self) -> "AbstractContextManager[VaultIndex]":
        """The index of a vault that may be written to; whoever plans a write refreshes it.

        Raises:
            NotFoundError: There is no vault.
            StorageError: It was never made one, or is of a newer format.
        """
        return self._open(self.writable_vault(), refresh=False)

    @contextmanager
    def _open(self, vault: "Vault", *, refresh: bool, keep: bool = False) -> "Iterator[VaultIndex]":
        from vault_memory.flows.refresh import refresh as take_in
        from vault_memory.flows.vault_index import VaultIndex

        with VaultIndex.open(vault, cache=self.cache, notify=self.notice, keep=keep) as index:
            if refresh:
                try:
                    take_in(index, wait=False)
                except (LockedError, StorageError) as refused:
                    if not index.catalog.generation:
                        raise
                    self.notice(f"{refused.problem}: answering from what was known before")
            yield index

    @property
    def person(self) -> str:
        """Who is at this terminal: git's e-mail address, else the user's name."""
        from vault_memory.flows.observation import person

        return person(self.vault.path, self.environ)

    def observation(
        self,
        *,
        by: str,
        source: str = "",
        quote: str = "",
        date: str = "",
        contradicts: bool = False,
    ) -> "Observation":
        """What is observed now by the person at this terminal.

        Raises:
            UsageError: The date is none, or lies in the future.
        """
        from vault_memory.flows.observation import Observation

        return Observation.of(
            by=by,
            source=source,
            quote=quote,
            date=date,
            contradicts=contradicts,
            today=self.today,
            person=self.person,
        )

    def say(self, text: str | None) -> None:
        """Say a notice if there is one; in the JSON form it stands in the answer."""
        if text and not self.json:
            self.notice(text)

    def say_stale(self, stale: int, notice: str | None) -> None:
        """Say what the answer does not know yet."""
        self.say(notice)
        if stale and not self.json:
            what = "note is" if stale == 1 else "notes are"
            self.notice(f"stale: {stale} {what} not wholly indexed yet; run: vaultmem rebuild")

    def notice(self, text: str) -> None:
        """Say something that is no data, once: on standard error, unless ``-q``."""
        if not self.quiet and text not in self._said:
            self._said.add(text)
            write_error(text)

    def detail(self, text: str) -> None:
        """Say something only with ``-v``."""
        if self.verbose:
            self.notice(text)

    def emit(self, data: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Answer: the data as one JSON object, or the lines for a person."""
        if self.json:
            import json

            answer = {"schema_version": SCHEMA_VERSION, "data": data}
            text = json.dumps(answer, ensure_ascii=False, default=str)
        else:
            text = "\n".join(lines)
        write_out(text)

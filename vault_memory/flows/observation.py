"""What somebody observes with one command: who speaks, when, and where it comes from."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as day
from pathlib import Path

from vault_memory.core.evidence import EvidenceLine, Polarity, new_line
from vault_memory.core.provenance import PROVENANCES, Provenance
from vault_memory.errors import UsageError
from vault_memory.flows.naming import find_note, link_target
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow
from vault_memory.redaction import redact


@dataclass(frozen=True, slots=True)
class Observation:
    """One observation, before it is known which belief it is of.

    Attributes:
        by: Who spoke.
        date: The UTC day.
        polarity: For the belief or against it.
        person: Who is at the terminal, by git e-mail address or user name.
        source: What was given as the source; empty for the person's own observation.
        quote: What was said; empty when there is none.
    """

    by: Provenance
    date: str
    polarity: Polarity
    person: str
    source: str = ""
    quote: str = ""

    @classmethod
    def of(
        cls,
        *,
        by: str,
        source: str,
        quote: str,
        date: str,
        contradicts: bool,
        today: day,
        person: str,
    ) -> "Observation":
        """Check what was given on a command line; secrets in it are redacted.

        Raises:
            UsageError: The speaker is unknown, or the date is none or lies in the future.
        """
        provenance = next((known for known in PROVENANCES if known == by), None)
        if provenance is None:
            raise UsageError(f"--by takes {', '.join(PROVENANCES)}, not {by!r}")
        return cls(
            by=provenance,
            date=checked_day(date, today) if date else today.isoformat(),
            polarity="contradicts" if contradicts else "supports",
            person=person,
            source=redact(source).text.strip(),
            quote=redact(quote).text.strip(),
        )

    def line(self, index: VaultIndex) -> EvidenceLine:
        """The evidence line of this observation, its source looked up in the vault.

        A conversation's origin is its session, a document's its source id; any other text is an
        origin of its own, and without a source it is the person and the day.
        """
        origin, source, linked = self._origin(index)
        return new_line(
            origin,
            date=self.date,
            polarity=self.polarity,
            provenance=self.by,
            weight=index.vault.config.weights[self.by],
            source=source,
            linked=linked,
            quote=self.quote,
        )

    def _origin(self, index: VaultIndex) -> tuple[str, str, bool]:
        if not self.source:
            return f"person:{self.person}:{self.date}", "", False
        named = self.source.removeprefix("[[").removesuffix("]]").split("|")[0]
        name, mark, anchor = named.partition("#")
        note = _source_note(index, name.strip())
        if note is None:
            return self.source, self.source, False
        return note.session, f"{link_target(index, note)}{mark}{anchor.strip()}", True


def _source_note(index: VaultIndex, name: str) -> NoteRow | None:
    """The conversation or source note that is meant, by session, or by name, path or id."""
    by_session = index.catalog.notes_by_session(name)
    if by_session:
        return by_session[0]
    note = find_note(index, name, kinds=("conversation", "source"))
    return note if note is not None and note.session else None


def checked_day(text: str, today: day) -> str:
    """A day given as ``YYYY-MM-DD``.

    Raises:
        UsageError: It is no day, or lies in the future.
    """
    try:
        given = day.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no date", cure="Write it as 2026-03-06") from None
    if given > today:
        raise UsageError(f"{text} lies in the future")
    return given.isoformat()


def person(vault_path: Path, environ: Mapping[str, str]) -> str:
    """Whoever is at the terminal: git's e-mail address, else the user's name."""
    git = shutil.which("git", path=environ.get("PATH"))
    email = ""
    if git:
        asked = subprocess.run(  # noqa: S603 - a fixed question to git
            [git, "-C", str(vault_path), "config", "user.email"],
            capture_output=True,
            check=False,
            text=True,
            env=dict(environ),
        )
        email = asked.stdout.strip()
    return email or environ.get("USER") or environ.get("LOGNAME") or "unknown"

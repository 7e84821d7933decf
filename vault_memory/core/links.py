"""Where a link leads: names and paths as Obsidian resolves them, in any case and Unicode form."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from vault_memory.core.identity import fold

NameKind = Literal["stem", "alias", "title"]

_TIERS: tuple[NameKind, ...] = ("stem", "alias", "title")
_ATTACHMENTS = re.compile(
    r"[^/]\.(?:3gp|avif|base|bmp|canvas|csv|docx?|flac|gif|html?|jpe?g|json|m4a|mkv|mov|mp3|mp4|og[gv]"
    r"|pdf|png|pptx?|svg|txt|wav|web[mp]|xlsx?|zip)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that answers to a name.

    Attributes:
        path: The note's path in the vault, as found on disk.
        kind: What of the note the name is.
    """

    path: str
    kind: NameKind


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads.

    Attributes:
        path: The note's path in the vault; None when there is no such note.
        ambiguous: All paths that fitted equally well, sorted; empty when only one did.
    """

    path: str | None
    ambiguous: tuple[str, ...] = ()


Lookup = Callable[[str], Sequence[Candidate]]
"""The notes that answer to a folded name: a stem (file name without ``.md``), alias or title."""

NOWHERE = Resolution(None)


def resolve(target: str, from_path: str, candidates: Lookup) -> Resolution:
    """Find the note that a link means.

    In order: the path in the vault, the path from the linking note's folder, the one note of that
    name (or whose path ends so), an alias, a title. Several in one of these: what is written
    exactly so, then the shortest path, then the alphabet. A path that begins with ``./`` or ``../``
    is looked for from the linking note's folder only, one that begins with ``/`` from the vault's
    top only; a link out of the vault leads nowhere. The path of a bare name is the vault's top.

    Args:
        target: The target as `Link.target` has it, ``.md`` or not.
        from_path: The path of the note that holds the link.
        candidates: The notes of the vault, by folded name.
    """
    folder = from_path.rpartition("/")[0]
    wanted = _normal(target, folder)
    if not wanted:
        return NOWHERE
    anchored = target.startswith(("/", "./", "../"))
    if found := _by_path(wanted, folder, candidates, anchored=anchored):
        return _choose(found, wanted)
    named = candidates(fold(target))
    for kind in _TIERS[1:]:
        if found := [candidate.path for candidate in named if candidate.kind == kind]:
            return _choose(found, wanted)
    return NOWHERE


def _by_path(wanted: str, folder: str, candidates: Lookup, *, anchored: bool) -> list[str]:
    """The paths that fit best, of the notes whose file is named so."""
    for path in dict.fromkeys((stem_path(wanted), wanted)):
        place = fold(path)
        paths = {
            candidate.path: fold(stem_path(candidate.path))
            for candidate in candidates(place.rpartition("/")[2])
            if candidate.kind == "stem"
        }
        near = place if anchored or not folder else f"{fold(folder)}/{place}"
        for exact in (place, near):
            if found := [path for path, key in paths.items() if key == exact]:
                return found
        if not anchored and (found := [p for p, key in paths.items() if key.endswith(f"/{place}")]):
            return found
    return []


def _choose(paths: Iterable[str], wanted: str) -> Resolution:
    fitting = sorted(set(paths))
    if len(fitting) < 2:
        return Resolution(fitting[0]) if fitting else NOWHERE
    written = stem_path(wanted)

    def order(path: str) -> tuple[bool, int, str]:
        exact = stem_path(path) == written or stem_path(path).endswith(f"/{written}")
        return not exact, len(path), path

    return Resolution(min(fitting, key=order), tuple(fitting))


def _normal(target: str, folder: str) -> str:
    """The target as a path in the vault, ``.`` and ``..`` resolved; empty when it leaves it."""
    parts = folder.split("/") if folder and target.startswith(("./", "../")) else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def stem_path(path: str) -> str:
    """A path without its ``.md``, in whatever case that is written."""
    return path[:-3] if path[-3:].lower() == ".md" else path


def names_attachment(target: str) -> bool:
    """Whether a target names a picture, document or other file that is no note."""
    return _ATTACHMENTS.fullmatch(target, max(target.rfind(".") - 1, 0)) is not None


def names_of(path: str, aliases: Iterable[str] = (), title: str = "") -> list[tuple[str, NameKind]]:
    """The folded names that a note answers to, as `resolve` looks them up.

    Args:
        path: The note's path in the vault.
        aliases: Its other names; the true name too, when the file is not named so.
        title: Its title, if any.
    """
    names: list[tuple[str, NameKind]] = [(fold(stem_path(path).rpartition("/")[2]), "stem")]
    names += [(fold(alias), "alias") for alias in aliases]
    if title:
        names.append((fold(title), "title"))
    return names


class LinkTable:
    """The names of all notes of a vault, held in memory, to resolve links by."""

    __slots__ = ("_named",)

    def __init__(self) -> None:
        self._named: dict[str, list[Candidate]] = {}

    def add(self, path: str, aliases: Iterable[str] = (), title: str = "") -> None:
        """Add a note with its other names, as for `names_of`; call it once for each path."""
        for name, kind in names_of(path, aliases, title):
            self._named.setdefault(name, []).append(Candidate(path, kind))

    def candidates(self, name: str) -> Sequence[Candidate]:
        """The notes that answer to a folded name."""
        return self._named.get(name, ())

    def resolve(self, target: str, from_path: str) -> Resolution:
        """Find the note that a link in the note at ``from_path`` means; see `resolve`."""
        return resolve(target, from_path, self.candidates)

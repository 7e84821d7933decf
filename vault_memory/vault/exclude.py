"""The globs of ``[vault] exclude``."""

import unicodedata
from collections.abc import Sequence
from fnmatch import fnmatchcase


class Excluded:
    """What the user keeps out of the index.

    A pattern without ``/`` fits a name in any folder; one with ``/`` fits a path from the vault
    down, where ``**`` stands for any number of folders; with ``/`` at its end it fits folders
    only. ``*``, ``?`` and ``[…]`` stay within one name. What lies in a folder that fits is out.
    """

    __slots__ = ("_names", "_paths")

    def __init__(self, patterns: Sequence[str]) -> None:
        self._names: list[tuple[str, bool]] = []
        self._paths: list[tuple[list[str], bool]] = []
        for pattern in patterns:
            text = unicodedata.normalize("NFC", pattern)
            only_folders = text.endswith("/")
            text = text.removesuffix("/")
            if "/" in text:
                self._paths.append((text.lstrip("/").split("/"), only_folders))
            elif text:
                self._names.append((text, only_folders))

    def __bool__(self) -> bool:
        return bool(self._names or self._paths)

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path relative to the vault is excluded, its parents not considered."""
        parts = unicodedata.normalize("NFC", path).split("/")
        for name, only_folders in self._names:
            if (is_folder or not only_folders) and fnmatchcase(parts[-1], name):
                return True
        return any(
            (is_folder or not only_folders) and _fits(parts, pattern)
            for pattern, only_folders in self._paths
        )


def _fits(parts: list[str], pattern: list[str]) -> bool:
    """Match names against globs of names: one pass over a row of reachable positions."""
    reachable = {0}
    for name in parts:
        following = set()
        for position in _past_stars(reachable, pattern):
            if position == len(pattern):
                continue
            if pattern[position] == "**":
                following.add(position)
            elif fnmatchcase(name, pattern[position]):
                following.add(position + 1)
        reachable = following
    return len(pattern) in _past_stars(reachable, pattern)


def _past_stars(reachable: set[int], pattern: list[str]) -> set[int]:
    found = set(reachable)
    for position in reachable:
        while position < len(pattern) and pattern[position] == "**":
            position += 1  # noqa: PLW2901
            found.add(position)
    return found

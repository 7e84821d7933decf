"""What a working folder says of the work in it: its path, its git remote and its branch."""

import re
from collections.abc import Iterator
from pathlib import Path

_URL = re.compile(r"^\s*url\s*=\s*(\S+)", re.MULTILINE)
_LARGEST = 64 * 1024
_PARTS_OF_PATH = 4
"""Folders from the end of the path that tell what is worked on; those above tell who works."""


def texts_of(folder: Path) -> list[str]:
    """Return the texts whose words tell what is worked on: path, remotes, branch.

    Nothing is run: git's own files are read, as far as they are there.

    Args:
        folder: The folder, absolute.
    """
    names = folder.parts[1:]
    told = list(names[-_PARTS_OF_PATH:])
    git = _git_folder(folder)
    if git is None:
        return told
    common = _text(git / "commondir").strip()
    shared = git / common if common else git
    told += [_without_user(url) for url in _URL.findall(_text(shared / "config"))]
    head = _text(git / "HEAD").strip()
    if head.startswith("ref: refs/heads/"):
        told.append(head.removeprefix("ref: refs/heads/"))
    return told


def _git_folder(folder: Path) -> Path | None:
    for above in (folder, *folder.parents):
        git = above / ".git"
        if git.is_dir():
            return git
        named = _text(git)
        if named.startswith("gitdir:"):
            return above / named.removeprefix("gitdir:").strip()
    return None


def _without_user(url: str) -> str:
    """The address without scheme, user and host, which are the same for all that one works on."""
    address = re.sub(r"^(?:[a-z+]+://)?(?:[^/@]*@)?", "", url)
    return re.sub(r"^[^/:]*(?::\d+/)?[/:]?", "", address)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def words_of(texts: list[str]) -> Iterator[str]:
    """Yield the words of names: parted at signs, digits and inner capitals, in lower case."""
    for text in texts:
        for run in re.findall(r"[^\W\d_]+", text):
            parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+", run)
            yield from (word.lower() for word in {run, *parts})

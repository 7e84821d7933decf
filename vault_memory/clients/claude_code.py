"""Where Claude Code keeps its settings and its sessions."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

NAME = "claude-code"

_FOLDER = ".claude"
_SETTINGS = "settings.json"
_SUBAGENT = "agent-"
_LONGEST_NAME = 200
"""Characters of a project's folder name, behind which a longer one goes on with a hash."""

_HEAD = 256 * 1024
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\\n]|\\.)*")')


class SessionFile(NamedTuple):
    """The file of one session, as a look at its folder shows it.

    Attributes:
        path: Where it lies.
        size: In bytes.
        mtime_ns: Time of the last change, in nanoseconds.
    """

    path: Path
    size: int
    mtime_ns: int


def config_folder(environ: Mapping[str, str], home: Path) -> Path:
    """The folder of the user's own settings and sessions (``CLAUDE_CONFIG_DIR`` respected)."""
    named = environ.get("CLAUDE_CONFIG_DIR", "")
    return home / named if named else home / _FOLDER


def user_settings(environ: Mapping[str, str], home: Path) -> Path:
    """The settings file of the user."""
    return config_folder(environ, home) / _SETTINGS


def project_settings(project: Path) -> Path:
    """The settings file that a project shares."""
    return project / _FOLDER / _SETTINGS


def session_folders(projects: Path, *, project: Path | None = None) -> list[Path]:
    """The folders that hold sessions, by name.

    Args:
        projects: The folder ``projects`` of the configuration.
        project: A working folder whose sessions are wanted alone; or the folder of its sessions.
    """
    if project is not None and project.parent == projects:
        return [project]
    wanted = {project, Path(os.path.realpath(project))} if project else set()
    try:
        with os.scandir(projects) as entries:
            found = [Path(entry.path) for entry in entries if entry.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    if project is None:
        return sorted(found)
    return sorted(path for path in found if any(_belongs(path.name, each) for each in wanted))


def folder_name(project: Path) -> str:
    """What the folder of a working folder's sessions is called, before it is cut."""
    return re.sub(r"[^A-Za-z0-9]", "-", str(project))


def session_files(folders: Sequence[Path]) -> list[SessionFile]:
    """The files of sessions, those changed first at the front; never those of subagents."""
    return sorted(_files(folders), key=lambda file: (file.mtime_ns, file.path))


def working_folder(path: Path) -> str:
    """The folder that a session began in, as its file says near its start; empty when it does not.

    Raises:
        OSError: The file cannot be read.
    """
    import json

    with path.open("rb") as file:
        found = _CWD.search(file.read(_HEAD))
    try:
        return str(json.loads(found[1])) if found else ""
    except ValueError:
        return ""


def _files(folders: Sequence[Path]) -> Iterator[SessionFile]:
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".jsonl") and not entry.name.startswith(_SUBAGENT):
                    status = entry.stat()
                    if entry.is_file():
                        yield SessionFile(Path(entry.path), status.st_size, status.st_mtime_ns)


def _belongs(name: str, project: Path) -> bool:
    wanted = folder_name(project)
    if len(wanted) <= _LONGEST_NAME:
        return name == wanted
    return name.startswith(wanted[:_LONGEST_NAME])

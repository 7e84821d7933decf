"""Where Claude Code keeps settings and sessions."""

import json
import os
from pathlib import Path

from vault_memory.clients.claude_code import (
    config_folder,
    folder_name,
    session_files,
    session_folders,
    user_settings,
    working_folder,
)


def test_the_variable_names_another_folder() -> None:
    home = Path("/home/dani")

    assert user_settings({}, home) == Path("/home/dani/.claude/settings.json")
    assert config_folder({"CLAUDE_CONFIG_DIR": "/etc/agent"}, home) == Path("/etc/agent")


def test_a_working_folder_has_one_folder_of_sessions(tmp_path: Path) -> None:
    for name in ("-w-my-app-2", "-w-my-app", "-w-other"):
        (tmp_path / name).mkdir()
    (tmp_path / "a file").touch()

    assert [each.name for each in session_folders(tmp_path)] == [
        "-w-my-app",
        "-w-my-app-2",
        "-w-other",
    ]
    assert session_folders(tmp_path, project=Path("/w/my.app")) == [tmp_path / "-w-my-app"]
    assert session_folders(tmp_path, project=tmp_path / "-w-other") == [tmp_path / "-w-other"]
    assert session_folders(tmp_path, project=Path("/w/none")) == []
    assert session_folders(tmp_path / "missing") == []


def test_a_link_to_a_project_leads_to_its_sessions(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    projects = tmp_path / "projects"
    (projects / folder_name(real)).mkdir(parents=True)

    assert session_folders(projects, project=tmp_path / "link") == [projects / folder_name(real)]


def test_a_long_name_is_cut_and_goes_on_with_a_hash(tmp_path: Path) -> None:
    project = Path("/w") / ("long-" * 60)
    cut = f"{folder_name(project)[:200]}-1a2b3c"
    (tmp_path / cut).mkdir()

    assert session_folders(tmp_path, project=project) == [tmp_path / cut]


def test_sessions_come_oldest_first_and_subagents_never(tmp_path: Path) -> None:
    for age, name in enumerate(["new.jsonl", "agent-1.jsonl", "old.jsonl", "notes.txt"]):
        (tmp_path / name).write_text("{}\n")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    (tmp_path / "old" / "subagents").mkdir(parents=True)
    (tmp_path / "old" / "subagents" / "agent-2.jsonl").touch()
    (tmp_path / "folder.jsonl").mkdir()

    files = session_files([tmp_path])

    assert [file.path.name for file in files] == ["old.jsonl", "new.jsonl"]
    assert files[0].size == 3


def test_a_session_tells_where_it_began(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(
        json.dumps({"type": "mode"}) + "\n" + json.dumps({"type": "user", "cwd": '/w/"a"'}) + "\n"
    )
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "torn.jsonl").write_text('{"cwd": "\\x"}')

    assert working_folder(file) == '/w/"a"'
    assert working_folder(tmp_path / "empty.jsonl") == ""
    assert working_folder(tmp_path / "torn.jsonl") == ""

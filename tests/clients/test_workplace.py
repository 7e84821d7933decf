"""What a working folder says of the work in it, without running anything."""

from pathlib import Path

from tests.cases.vaults import git
from vault_memory.clients.workplace import texts_of, words_of


def test_path_remote_and_branch_tell_what_is_worked_on(tmp_path: Path) -> None:
    folder = tmp_path / "seatHolds"
    folder.mkdir()
    git(tmp_path, "init", "-q", "-b", "feat/redis-cache")
    git(tmp_path, "remote", "add", "origin", "https://dani:secret@git.example/ines/Ferryline.git")

    texts = texts_of(folder)

    assert texts[-2:] == ["ines/Ferryline.git", "feat/redis-cache"]
    assert {"seat", "holds", "ferryline", "redis", "cache"} <= set(words_of(texts))
    assert "secret" not in " ".join(texts)


def test_a_second_working_tree_tells_the_same_remote_and_its_own_branch(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    main.mkdir()
    git(main, "init", "-q", "-b", "trunk")
    git(main, "remote", "add", "origin", "git@git.example:ines/ferryline.git")
    git(main, "commit", "-q", "--allow-empty", "-m", "one")
    git(main, "worktree", "add", "-q", "-b", "holds", str(other))

    assert texts_of(other)[-2:] == ["ines/ferryline.git", "holds"]


def test_where_there_is_no_git_the_path_is_all(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nothing of git's")

    assert texts_of(tmp_path) == list(tmp_path.parts[1:][-4:])
    assert texts_of(Path("/")) == []


def test_a_detached_head_names_no_branch(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    git(tmp_path, "checkout", "-q", "--detach")

    assert texts_of(tmp_path) == list(tmp_path.parts[1:][-4:])


def test_words_are_parted_at_signs_digits_and_capitals() -> None:
    assert set(words_of(["seatHolds2go", "HTTPServer_v1", "日本-\u00e9t\u00e9"])) == {
        "seatholds", "seat", "holds", "go",
        "httpserver", "http", "server", "v",
        "日本", "\u00e9t\u00e9",
    }  # fmt: skip

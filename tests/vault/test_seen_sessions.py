"""What is known of session files is kept, and is safe to lose."""

from pathlib import Path

import pytest

from vault_memory.vault.seen_sessions import SEEN_FILE, Seen, add_seen, read_seen


def test_what_was_seen_is_kept_until_the_file_is_gone(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.touch()
    two.touch()
    add_seen(tmp_path / "derived", {str(one): Seen(1, 2, "session")})
    add_seen(tmp_path / "derived", {str(two): Seen(3, 4, "checkpoint")})

    both = read_seen(tmp_path / "derived")
    one.unlink()
    add_seen(tmp_path / "derived", {str(two): Seen(5, 6, "session")})

    assert both == {str(one): Seen(1, 2, "session"), str(two): Seen(3, 4, "checkpoint")}
    assert read_seen(tmp_path / "derived") == {str(two): Seen(5, 6, "session")}
    assert (tmp_path / "derived" / ".gitignore").is_file()


@pytest.mark.parametrize(
    "data", ["", "{", "[]", "7", '{"a": 7}', '{"a": [1, 2]}', '{"a": ["1", 2, "session"]}']
)
def test_a_damaged_list_is_an_empty_one(tmp_path: Path, data: str) -> None:
    (tmp_path / SEEN_FILE).write_text(data)

    assert read_seen(tmp_path) == {}


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    add_seen(tmp_path / "file" / "derived", {"/a": Seen(1, 2, "session")})
    add_seen(tmp_path, {})

    assert read_seen(tmp_path / "file" / "derived") == {}
    assert not (tmp_path / SEEN_FILE).exists()

"""The file itself: damage is recognised, processes get along, a read-only disk will do."""

import multiprocessing
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from vault_memory.core.note import Note, Unit
from vault_memory.errors import StorageError
from vault_memory.index.catalog import FILE_NAME, Catalog, open_catalog
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.manifest import Stamp

STAMP = Stamp(1, 2, 3, b"\x00" * 32)
NOBODY = 65534
FORK = multiprocessing.get_context("fork")


def put(catalog: Catalog, number: int, count: int = 1) -> None:
    """Put notes that all say the same number."""
    notes = [
        Note(f"{at}.md", "note", "note", "", f"{at}", units=(Unit("note", "", 1, f"word{number}"),))
        for at in range(count)
    ]
    catalog.apply([(note, STAMP) for note in notes], facts={"number": str(number)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good catalogue."""
    with open_catalog(tmp_path, mode="write") as catalog:
        put(catalog, 7, count=300)
    return tmp_path


def ask(folder: Path) -> int:
    """How many notes a search finds; reads every part of the index."""
    with open_catalog(folder) as catalog:
        catalog.files()
        catalog.notes()
        catalog.links()
        catalog.counts()
        return len(catalog.search_words("word7", limit=1000))


def test_reading_before_anything_was_indexed_says_so(tmp_path: Path) -> None:
    with pytest.raises(DamagedIndexError) as error:
        open_catalog(tmp_path)

    assert error.value.missing
    assert not (tmp_path / FILE_NAME).exists()


def test_a_good_file_is_all_that_is_left_when_it_is_closed(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [FILE_NAME, f"{FILE_NAME}-seal"]
    assert ask(folder) == 300


def as_another_program(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE meta (key, value)")
    connection.close()


def with_version(number: int) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version={number:d}")
        connection.commit()
        connection.close()

    return change


def without_a_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE meta")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.write_bytes(b""), "it is empty"),
        (lambda path: path.write_bytes(b"garbage"), "it is not a database"),
        (lambda path: path.write_bytes(bytes(path.stat().st_size)), "it is not a database"),
        (lambda path: os.truncate(path, 60), "it is not a database"),
        (lambda path: os.truncate(path, 5000), "part of it is missing"),
        (lambda path: os.truncate(path, path.stat().st_size // 2), "part of it is missing"),
        (as_another_program, "it was made by another program"),
        (with_version(0), "it was made by an older version"),
        (with_version(99), "it was made by a newer version"),
        (without_a_table, "it is not what was written to it"),
    ],
)
@pytest.mark.parametrize("mode", ["read", "write"])
def test_damage_is_told_with_its_reason_and_mended_by_making_it_anew(
    folder: Path, damage: Callable[[Path], object], reason: str, mode: str
) -> None:
    damage(folder / FILE_NAME)
    told: list[str] = []

    with pytest.raises(DamagedIndexError) as error:
        open_catalog(folder, mode="read" if mode == "read" else "write")
    with open_catalog(folder, mode="write", mend=told.append) as catalog:
        put(catalog, 7)

    assert told == [error.value.reason]
    assert reason in error.value.reason
    assert ask(folder) == 1


@pytest.mark.parametrize("seed", range(40))
def test_a_byte_that_changed_anywhere_is_noticed(folder: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a reproducible damage, not a secret
    data = bytearray((folder / FILE_NAME).read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    (folder / FILE_NAME).write_bytes(data)

    with pytest.raises(DamagedIndexError):
        ask(folder)


def test_a_log_that_was_left_behind_is_not_mixed_into_a_new_file(folder: Path) -> None:
    catalog = open_catalog(folder, mode="write")
    put(catalog, 7, count=301)
    log = (folder / f"{FILE_NAME}-wal").read_bytes()
    catalog.close()
    (folder / FILE_NAME).unlink()
    (folder / f"{FILE_NAME}-wal").write_bytes(log)

    with open_catalog(folder, mode="write") as fresh:
        assert fresh.files() == []


def test_a_change_that_fails_half_way_changes_nothing(folder: Path) -> None:
    def breaking() -> Iterator[tuple[Note, Stamp]]:
        yield Note("new.md", "note", "note", "", "new", units=(Unit("note", "", 1, "new"),)), STAMP
        raise KeyError("in the middle")

    with open_catalog(folder, mode="write") as catalog:
        with pytest.raises(KeyError):
            catalog.apply(breaking(), removed=["0.md"])

        assert catalog.generation == 1
        assert len(catalog.search_words("word7", limit=1000)) == 300
        assert catalog.search_words("new") == []


def test_what_is_read_in_a_snapshot_is_of_one_generation(folder: Path) -> None:
    with open_catalog(folder) as reader, open_catalog(folder, mode="write") as writer:
        with reader.snapshot():
            before = reader.generation
            put(writer, 8)
            assert reader.generation == before
            assert len(reader.search_words("word7", limit=1000)) == 300
        assert reader.generation == before + 1


def write_often(folder: Path, numbers: range) -> None:
    with open_catalog(folder, mode="write") as catalog:
        for number in numbers:
            put(catalog, number, count=20)


def test_a_reader_sees_the_old_state_or_the_new_while_two_processes_write(tmp_path: Path) -> None:
    write_often(tmp_path, range(1))
    writers = [
        FORK.Process(target=write_often, args=(tmp_path, numbers))
        for numbers in (range(1, 11), range(11, 21))
    ]
    for writer in writers:
        writer.start()

    seen = set()
    with open_catalog(tmp_path) as reader:
        while any(writer.is_alive() for writer in writers):
            with reader.snapshot():
                number = reader.facts()["number"]
                seen.add(reader.generation)
                assert len(reader.search_words(f"word{number}")) == 20
        for writer in writers:
            writer.join()

        assert [writer.exitcode for writer in writers] == [0, 0]
        assert reader.generation == 21
        assert seen <= set(range(1, 22))


def test_processes_that_make_the_file_at_once_share_one(tmp_path: Path) -> None:
    makers = [
        FORK.Process(target=write_often, args=(tmp_path, range(number, number + 1)))
        for number in range(6)
    ]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()

    assert [maker.exitcode for maker in makers] == [0] * 6
    with open_catalog(tmp_path) as catalog:
        assert catalog.generation == 6


def answer_as_nobody(folder: Path, answers: Connection) -> None:
    if os.getuid() == 0:
        os.setuid(NOBODY)
    try:
        open_catalog(folder, mode="write")
    except StorageError as error:
        answers.send(error.message)
    else:
        answers.send("it could be written")
    try:
        answers.send(ask(folder))
    except DamagedIndexError as error:
        answers.send(error.reason)


def ask_on_a_read_only_disk(folder: Path) -> tuple[str, object]:
    """What opening for writing says and what reading gives where nothing can be written."""
    receiver, sender = FORK.Pipe(duplex=False)
    folder.chmod(0o555)
    process = FORK.Process(target=answer_as_nobody, args=(folder, sender))
    process.start()
    sender.close()
    answers = (receiver.recv(), receiver.recv())
    process.join()
    folder.chmod(0o755)
    return answers


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_an_index_on_a_read_only_disk_is_read_and_not_written(open_folder: Path) -> None:
    with open_catalog(open_folder, mode="write") as catalog:
        put(catalog, 7, count=3)
    for path in open_folder.iterdir():
        path.chmod(0o444)

    told, found = ask_on_a_read_only_disk(open_folder)

    assert "cannot be written" in told
    assert found == 3


def test_a_write_that_was_cut_off_is_told_where_it_cannot_be_finished(open_folder: Path) -> None:
    catalog = open_catalog(open_folder, mode="write")
    put(catalog, 7)
    left = {path.name: path.read_bytes() for path in open_folder.iterdir()}
    catalog.close()
    for name, data in left.items():
        (open_folder / name).write_bytes(data)
        (open_folder / name).chmod(0o444)

    told, found = ask_on_a_read_only_disk(open_folder)

    assert "cannot be written" in told
    assert found == "a write was cut off"


def test_the_file_is_the_users_alone(folder: Path) -> None:
    assert (folder / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(StorageError, match=r"cannot be written"):
        open_catalog(tmp_path / "file" / "sub", mode="write")

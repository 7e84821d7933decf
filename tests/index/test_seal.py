"""The seal of a database: other content is noticed, a killed process's log is taken in or not."""

import multiprocessing
import os
import shutil
import signal
import threading
from pathlib import Path

import pytest

from vault_memory.core.note import Note, Unit
from vault_memory.errors import StorageError
from vault_memory.index.catalog import FILE_NAME, Catalog, open_catalog
from vault_memory.index.database import DamagedIndexError
from vault_memory.index.manifest import Stamp
from vault_memory.index.seal import SUFFIX

STAMP = Stamp(1, 2, 3, b"\x00" * 32)
FORK = multiprocessing.get_context("fork")


def put(catalog: Catalog, word: str, count: int = 1) -> None:
    """Put notes that all say one word."""
    notes = [
        Note(f"{at}.md", "note", "note", "", f"{at}", units=(Unit("note", "", 1, word),))
        for at in range(count)
    ]
    catalog.apply([(note, STAMP) for note in notes])


def said(folder: Path) -> str:
    """What the notes say, and nothing when the catalogue had to be made anew."""
    with open_catalog(folder, mode="write", mend=lambda _: None) as catalog:
        words = {word for word in ("first", "second", "third") if catalog.search_words(word)}
        return " ".join(sorted(words))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good catalogue, whose notes say ``first``."""
    with open_catalog(tmp_path, mode="write") as catalog:
        put(catalog, "first", count=40)
    return tmp_path


def write_and_die(folder: Path, word: str, count: int) -> None:
    catalog = open_catalog(folder, mode="write")
    put(catalog, word, count)
    os.kill(os.getpid(), signal.SIGKILL)


def die_writing(folder: Path, word: str, count: int = 40) -> Path:
    """Have a process write and be killed, and give the log that it leaves."""
    process = FORK.Process(target=write_and_die, args=(folder, word, count))
    process.start()
    process.join()
    log = folder / f"{FILE_NAME}-wal"
    assert log.stat().st_size
    return log


def test_what_a_killed_process_wrote_is_taken_in(folder: Path) -> None:
    die_writing(folder, "second")

    assert said(folder) == "second"
    assert sorted(path.name for path in folder.iterdir()) == [FILE_NAME, FILE_NAME + SUFFIX]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.99])
def test_a_log_that_is_cut_gives_the_state_before_or_none(folder: Path, share: float) -> None:
    log = die_writing(folder, "second")
    os.truncate(log, int(log.stat().st_size * share))

    assert said(folder) in {"first", ""}


@pytest.mark.parametrize("at", [0, 5, 17, 40, 3_000, 20_000, 30_000])
def test_a_byte_that_changed_in_a_log_gives_the_state_before_or_none(folder: Path, at: int) -> None:
    log = die_writing(folder, "second")
    data = bytearray(log.read_bytes())
    data[at] ^= 0x10
    log.write_bytes(data)

    assert said(folder) in {"first", ""}


def test_the_log_of_another_state_is_not_mixed_in(folder: Path) -> None:
    log = shutil.copy(die_writing(folder, "second", count=3), folder.parent / "log")
    with open_catalog(folder, mode="write") as catalog:
        put(catalog, "third", count=40)
    shutil.copy(log, folder / f"{FILE_NAME}-wal")
    reasons: list[str] = []

    with open_catalog(folder, mode="write", mend=reasons.append) as catalog:
        assert catalog.notes() == []

    assert reasons == ["its log belongs to another state"]


def test_a_database_of_another_day_is_not_taken_for_the_one_that_was_sealed(folder: Path) -> None:
    shutil.copy2(folder / FILE_NAME, folder.parent / "yesterday")
    with open_catalog(folder, mode="write") as catalog:
        put(catalog, "second", count=40)
    shutil.copy2(folder.parent / "yesterday", folder / FILE_NAME)

    with pytest.raises(DamagedIndexError, match="not what was written"):
        open_catalog(folder, mode="write")
    assert said(folder) == ""


def test_no_byte_that_changes_in_a_seal_changes_an_answer(folder: Path) -> None:
    seal = folder / (FILE_NAME + SUFFIX)
    good = seal.read_bytes()
    outcomes = set()

    for at in range(len(good.rstrip())):
        seal.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        try:
            with open_catalog(folder, mode="write") as catalog:
                outcomes.add(len(catalog.search_words("first", limit=99)))
        except DamagedIndexError:
            outcomes.add(-1)

    assert outcomes == {40, -1}


def test_a_copy_is_known_by_its_content(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "copy"
    shutil.copytree(folder, other)

    assert said(other) == said(other) == "first"


def test_the_last_to_close_seals_what_others_wrote(folder: Path) -> None:
    with open_catalog(folder, mode="write") as reader:
        with open_catalog(folder, mode="write") as writer:
            put(writer, "second", count=40)
        assert reader.search_words("second")

    assert said(folder) == "second"


def test_what_changed_behind_sqlite_is_not_sealed(folder: Path) -> None:
    with open_catalog(folder, mode="write"), (folder / FILE_NAME).open("r+b") as file:
        file.seek(9_000)
        file.write(b"\xff" * 20)

    with pytest.raises(DamagedIndexError, match="not what was written"):
        open_catalog(folder, mode="write")


def test_a_database_without_a_seal_is_not_used(folder: Path) -> None:
    (folder / (FILE_NAME + SUFFIX)).unlink()

    with pytest.raises(DamagedIndexError, match="nothing tells"):
        open_catalog(folder)
    assert said(folder) == ""


def test_damage_that_shows_in_use_has_the_file_made_anew_once_nobody_uses_it(folder: Path) -> None:
    bystander = open_catalog(folder, mode="write")

    def fail() -> None:
        with open_catalog(folder, mode="write") as catalog:
            raise DamagedIndexError(catalog.database.path, "it smells")

    with pytest.raises(DamagedIndexError):
        fail()
    threading.Timer(0.2, bystander.close).start()
    reasons: list[str] = []

    with open_catalog(folder, mode="write", mend=reasons.append) as catalog:
        assert catalog.notes() == []

    assert reasons == ["it smells"]


def test_what_a_killed_process_left_half_made_is_cleared_away(folder: Path) -> None:
    for name in (f"{FILE_NAME}.new", f"{FILE_NAME}.new-wal", "vectors.f32.tmp", "hnsw.usearch.new"):
        (folder / name).write_bytes(b"half")

    assert said(folder) == "first"
    assert sorted(path.name for path in folder.iterdir()) == [FILE_NAME, FILE_NAME + SUFFIX]


def test_a_seal_that_was_taken_away_while_the_file_is_open_is_not_trusted(folder: Path) -> None:
    with open_catalog(folder, mode="write") as catalog:
        put(catalog, "second")
        (folder / (FILE_NAME + SUFFIX)).unlink()

    assert said(folder) == ""


def test_a_catalogue_that_is_only_read_is_read_beside_a_writer(folder: Path) -> None:
    with open_catalog(folder, mode="write") as writer, open_catalog(folder) as reader:
        put(writer, "second", count=40)
        assert reader.search_words("second")
        with reader.snapshot(), reader.snapshot():
            assert reader.notes()

    assert said(folder) == "second"


def test_what_is_condemned_is_not_read_either(folder: Path) -> None:
    with open_catalog(folder, mode="write") as catalog:
        catalog.database.condemn("it smells")

    with pytest.raises(DamagedIndexError, match="it smells"):
        open_catalog(folder)


def test_a_seal_that_cannot_be_one_is_told(folder: Path) -> None:
    (folder / (FILE_NAME + SUFFIX)).unlink()
    (folder / (FILE_NAME + SUFFIX)).mkdir()

    for mode in ("read", "write"):
        with pytest.raises(StorageError, match="Is a directory"):
            open_catalog(folder, mode="read" if mode == "read" else "write")

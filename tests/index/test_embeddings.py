"""The store of vectors: what was embedded once is never asked of the model again."""

from pathlib import Path

import pytest

from vault_memory.index.database import DamagedIndexError
from vault_memory.index.embeddings import FILE_NAME, Embeddings, open_embeddings

ONE, TWO = b"\x01" * 8, b"\x02" * 8


def opened(folder: Path, identity: str = "model 1") -> Embeddings:
    """A store of vectors of two numbers."""
    return open_embeddings(folder, identity=identity, dimension=2, mode="write")


def test_vectors_come_back_by_text_also_when_opened_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE, "two \udcff": TWO})

    with open_embeddings(tmp_path, identity="model 1", dimension=2) as store:
        assert store.get(["two \udcff", "three", "one"]) == {"one": ONE, "two \udcff": TWO}
        assert store.count() == 2


def test_another_model_or_pipeline_has_vectors_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE})
    with opened(tmp_path, "model 2") as store:
        assert store.get(["one"]) == {}
        store.put({"one": TWO})
    with opened(tmp_path) as store:
        assert store.get(["one"]) == {"one": ONE}


def test_a_damaged_vector_is_as_if_it_were_not_there_until_it_is_put_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE, "two": TWO})
        store.database.run("UPDATE embeddings SET vector = x'0102030405060708090a0b0c'")
        assert store.get(["one", "two"]) == {}

        store.put({"one": ONE})

        assert store.get(["one", "two"]) == {"one": ONE}


def test_a_vector_of_another_dimension_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as store, pytest.raises(ValueError, match="8 bytes"):
        store.put({"one": b"\x01" * 12})


def test_more_texts_than_one_statement_takes_are_found(tmp_path: Path) -> None:
    vectors = {f"text {number}": ONE for number in range(1203)}
    with opened(tmp_path) as store:
        store.put(vectors)

        assert store.get(vectors) == vectors


def test_pruning_keeps_what_is_named(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE, "two": TWO})

        assert store.prune(["two", "new"]) == 1
        assert store.get(["one", "two"]) == {"two": TWO}
        assert store.prune(["two"]) == 0


def mended(folder: Path, reasons: list[str]) -> Embeddings:
    """The store, made anew when it is damaged."""
    return open_embeddings(
        folder, identity="model 1", dimension=2, mode="write", mend=reasons.append
    )


def test_a_file_that_is_no_store_is_told_and_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"garbage")
    reasons: list[str] = []

    with pytest.raises(DamagedIndexError):
        opened(tmp_path)
    with mended(tmp_path, reasons) as store:
        assert store.count() == 0

    assert reasons == ["it is not a database"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE_NAME, f"{FILE_NAME}-seal"]


def test_what_is_sound_in_a_store_that_proves_damaged_is_kept(tmp_path: Path) -> None:
    vectors = {f"text {number}": number.to_bytes(8, "little") for number in range(5_000)}
    with opened(tmp_path) as store:
        store.put(vectors)
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek(4 * 16384)
        file.write(bytes(4 * 16384))
    with pytest.raises(DamagedIndexError), opened(tmp_path) as store:
        store.get(vectors)
    reasons: list[str] = []

    with mended(tmp_path, reasons) as store:
        kept = store.get(vectors)

    assert "it is damaged" in reasons[0]
    assert 1_000 < len(kept) < 5_000
    assert kept.items() <= vectors.items()
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE_NAME, f"{FILE_NAME}-seal"]


def test_a_key_that_leads_to_the_vector_of_another_text_is_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE, "two": TWO})
        store.database.run("UPDATE embeddings SET vector = (SELECT vector FROM embeddings LIMIT 1)")

        assert store.get(["one", "two"]) == {"one": ONE}

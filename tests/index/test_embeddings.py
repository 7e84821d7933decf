"""The store of vectors: what was embedded once is never asked of the model again."""

from pathlib import Path

import pytest

from vault_memory.index.database import DamagedIndexError
from vault_memory.index.embeddings import FILE_NAME, Embeddings, TokenKind, open_embeddings

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


def with_tokens(folder: Path, identity: str = "projection 1") -> Embeddings:
    """The same with token vectors of four bytes each."""
    kind = TokenKind(identity, 4)
    return open_embeddings(folder, identity="model 1", dimension=2, tokens=kind, mode="write")


def test_token_vectors_come_back_beside_the_vectors(tmp_path: Path) -> None:
    with with_tokens(tmp_path) as store:
        store.put({"one": ONE, "two": TWO}, {"one": b"\x01" * 12, "none": b""})

        assert store.get(["one", "two", "none"]) == {"one": ONE, "two": TWO}
        assert store.get_tokens(["one", "two", "none"]) == {"one": b"\x01" * 12, "none": b""}
        assert store.prune(["one"]) == 2
        assert store.get_tokens(["one", "none"]) == {"one": b"\x01" * 12}


def test_another_projection_has_token_vectors_of_its_own(tmp_path: Path) -> None:
    with with_tokens(tmp_path) as store:
        store.put({"one": ONE}, {"one": b"1234"})
    with with_tokens(tmp_path, "projection 2") as store:
        assert store.get_tokens(["one"]) == {}
        assert store.get(["one"]) == {"one": ONE}
    with opened(tmp_path) as store:
        assert store.get_tokens(["one"]) == {}


@pytest.mark.parametrize("stored", [b"1234", b"12345678", b"123", b""])
def test_damaged_token_vectors_are_as_if_they_were_not_there(tmp_path: Path, stored: bytes) -> None:
    with with_tokens(tmp_path) as store:
        store.put({}, {"one": b"1234"})
        store.database.run("UPDATE embeddings SET vector = ?", (stored,))

        assert store.get_tokens(["one"]) == {}


def test_token_vectors_of_another_size_are_refused(tmp_path: Path) -> None:
    with with_tokens(tmp_path) as store, pytest.raises(ValueError, match="4 bytes"):
        store.put({"one": ONE}, {"one": b"12345"})
    with opened(tmp_path) as store, pytest.raises(ValueError, match="0 bytes"):
        store.put({"one": ONE}, {"one": b"1234"})


def test_a_store_whose_tables_are_damaged_is_made_anew_with_one_line(tmp_path: Path) -> None:
    told: list[str] = []
    with opened(tmp_path) as store:
        store.put({f"text {number}": ONE for number in range(2_000)})
    path = tmp_path / FILE_NAME
    with path.open("r+b") as file:
        file.seek(120)
        file.write(b"\xa5" * (path.stat().st_size // 2))
    with pytest.raises(DamagedIndexError):
        opened(tmp_path)

    with open_embeddings(
        tmp_path, identity="model 1", dimension=2, mode="write", mend=told.append
    ) as store:
        store.put({"new": TWO})
        assert store.get(["new"]) == {"new": TWO}

    assert len(told) == 1


def test_a_rescue_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.put({"one": ONE})
    (tmp_path / FILE_NAME).rename(tmp_path / f"{FILE_NAME}.damaged")

    with mended(tmp_path, []) as store:
        assert store.get(["one"]) == {"one": ONE}
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE_NAME, f"{FILE_NAME}-seal"]

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.transcripts.jsonl import read_records

A: dict[str, object] = {
    "type": "user",
    "uuid": "a",
    "message": {"content": [{"type": "text", "text": "{}"}]},
}
B: dict[str, object] = {"parentUuid": None, "type": "assistant", "uuid": "b"}
LINE_A, LINE_B = json.dumps(A).encode(), json.dumps(B).encode()


def read(data: bytes) -> tuple[list[dict[str, object]], dict[str, int]]:
    skipped: Counter[str] = Counter()
    records = list(read_records(data.splitlines(keepends=True), skipped))
    return records, {reason: number for reason, number in skipped.items() if number}


@pytest.mark.parametrize(
    ("data", "lost"),
    [
        (LINE_A + b"\n" + LINE_B + b"\n", {}),
        (LINE_A + LINE_B, {}),
        (b"\xef\xbb\xbf" + LINE_A + b"\r\n\n  \n" + b"\x00" * 9 + LINE_B, {}),
        (LINE_A + b'\n[]\n"x"\nnull\n42\n' + LINE_B, {}),
        (LINE_A[:70] + LINE_A + b"\n" + LINE_B, {"lost_fragments": 1}),
        (LINE_A + b'\n{"type":\n' + LINE_B, {"lost_fragments": 1}),
        (LINE_A + LINE_A[:30] + LINE_B, {"lost_fragments": 1}),
        (LINE_A + b"\n" + LINE_B + b"\n" + LINE_A[:50], {"cut_tail": 1}),
        (LINE_A + b"\n" + LINE_B + b'\n{"type":"user","message":"\xff"}\n', {"damaged_records": 1}),
        (LINE_A + b"\n" + b'{"a":' * 50_000 + b"\n" + LINE_B, {"lost_fragments": 1}),
    ],
)
def test_whole_records_are_kept_and_lost_pieces_counted(data: bytes, lost: dict[str, int]) -> None:
    assert read(data) == ([A, B], lost)


def test_a_damaged_record_that_something_identifies_is_kept() -> None:
    (record,), skipped = read(b'{"uuid":"u","text":"caf\xff"}\n')

    assert record == {"uuid": "u", "text": "caf�"}
    assert skipped == {}


def test_an_object_inside_a_cut_record_is_no_record() -> None:
    assert read(LINE_A[:-1] + b"\n" + LINE_B)[0] == [B]


@given(st.binary(max_size=200))
def test_no_bytes_are_an_error(data: bytes) -> None:
    records, _ = read(data)

    assert all(isinstance(record, dict) for record in records)


@given(st.integers(0, len(LINE_A)), st.integers(0, len(LINE_A)))
def test_a_cut_never_takes_its_neighbours_with_it(start: int, end: int) -> None:
    torn = LINE_B + b"\n" + LINE_A[start:end] + LINE_B + b"\n" + LINE_B

    records, _ = read(torn)

    assert records.count(B) >= 2

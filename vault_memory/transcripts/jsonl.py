"""Lines of JSON as they really lie on disk: torn, spliced, cut and half overwritten."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

Record = dict[str, Any]

_ATTEMPTS = 256
"""How often the beginning of a record is looked for in one torn line."""

_START = re.compile(
    r'\{\s*"(?:parentUuid|type|uuid|sessionId|isSidechain|timestamp|message|role|payload)"'
)
_NOISE = b"\x00 \t\r\n\xef\xbb\xbf"
_LENIENT = json.JSONDecoder(strict=False)


def read_records(lines: Iterable[bytes], skipped: Counter[str]) -> Iterator[Record]:
    """Yield every whole record, in order, and count what was lost.

    A record that follows a cut one, or another without a line end between, is recovered. NULs, a
    byte order mark, blank lines and JSON that is no object are ignored.

    Args:
        lines: The lines of the file, with or without their line ends.
        skipped: Gains ``lost_fragments`` (pieces of records that cannot be read), ``cut_tail`` (a
            last line still being written) and ``damaged_records`` (bytes that are not UTF-8 in a
            record that nothing identifies).
    """
    cut = False
    for raw in lines:
        line = raw.strip(_NOISE)
        if not line:
            continue
        if cut:
            skipped["lost_fragments"] += 1
        cut = False
        try:
            record = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            for piece in _recover(line, skipped):
                if piece is not None:
                    yield piece
                skipped["lost_fragments"] += piece is None
                cut = piece is None
            skipped["lost_fragments"] -= cut
            continue
        if isinstance(record, dict):
            yield record
    skipped["cut_tail"] += cut


def _recover(line: bytes, skipped: Counter[str]) -> Iterator[Record | None]:
    """Yield the whole records of a torn line, and None in place of each lost stretch."""
    text = line.replace(b"\x00", b"").decode("utf-8", "replace").strip()
    trusted = _is_utf8(line)
    position, lost, attempts, budget = 0, False, 0, 8 * len(text)
    while position < len(text) and attempts < _ATTEMPTS and budget >= 0:
        record, end = _decode_at(text, position)
        budget -= end - position
        if record is not None:
            if lost:
                yield None
            lost = False
            if trusted or isinstance(record.get("uuid"), str):
                yield record
            else:
                skipped["damaged_records"] += 1
            position = end
            continue
        lost = True
        attempts += 1
        start = _START.search(text, position + 1)
        position = start.start() if start else len(text)
    if lost or position < len(text):
        yield None


def _decode_at(text: str, position: int) -> tuple[Record | None, int]:
    """Return the record that begins here, if another or nothing follows it, and how far was read.

    What follows tells a record from an object inside a cut one.
    """
    try:
        value, end = _LENIENT.raw_decode(text, position)
    except json.JSONDecodeError as error:
        return None, error.pos
    except (ValueError, RecursionError):
        return None, len(text)
    while end < len(text) and text[end].isspace():
        end += 1
    whole = end == len(text) or text[end] == "{"
    return (value, end) if whole and isinstance(value, dict) else (None, end)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

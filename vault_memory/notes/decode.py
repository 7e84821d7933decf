"""From the bytes of any note to what the index, the graph and the commands know of it."""

from decimal import Decimal

from vault_memory.core.entity import entity_type
from vault_memory.core.findings import Finding
from vault_memory.core.identity import nfc
from vault_memory.core.note import Note, Unit
from vault_memory.core.provenance import AGENT_CAP
from vault_memory.notes import (
    conversation_units,
    entity_note,
    plain_note,
    relation_note,
    source_note,
)
from vault_memory.notes.reading import read, sound
from vault_memory.notes.text import MAX_NOTE_BYTES


def decode(path: str, data: bytes, *, agent_cap: Decimal = AGENT_CAP) -> Note:
    """Return a note of the vault, of the kind its ``type`` says, wherever it lies.

    Nothing in a note is an error: what is wrong or odd is among its findings.

    Args:
        path: Relative to the vault, with ``/``, in the form found on disk.
        data: The note's bytes.
        agent_cap: The most that agent lines of one belief add in each direction.
    """
    if len(data) > MAX_NOTE_BYTES:
        return _too_large(path)
    reading = read(path, data)
    written = reading.scalar("type")
    kind = entity_type(written)
    if kind is not None:
        return entity_note.decode(reading, kind, agent_cap=agent_cap)
    if written == "relation":
        return relation_note.decode(reading, agent_cap=agent_cap)
    if written == "conversation":
        return conversation_units.decode(reading)
    if written == "source":
        return source_note.decode(reading)
    return plain_note.decode(reading)


def _too_large(path: str) -> Note:
    name = nfc(sound(path.rpartition("/")[2].removesuffix(".md")))
    limit = MAX_NOTE_BYTES // 1024 // 1024
    message = f"over {limit} MiB, so only its name is indexed; split it"
    return Note(
        path=path,
        kind="note",
        type="note",
        id="",
        name=name,
        units=(Unit("note", "", 1, name),),
        findings=(Finding(path, 0, "note-too-large", message),),
    )

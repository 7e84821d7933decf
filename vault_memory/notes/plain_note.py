"""A person's own note: read, found and linked, and never written to."""

from vault_memory.core.belief import day_of
from vault_memory.core.note import Note, Unit
from vault_memory.notes.reading import Reading
from vault_memory.notes.units import section_units


def decode(reading: Reading) -> Note:
    """Return a note that is neither entity, relation, source nor conversation."""
    name, title = reading.stem, reading.title
    created = reading.scalar("created")
    days = (reading.scalar("date"), created, name)
    date = next((day for day in days if day_of(day)), "")
    units = tuple(section_units(reading, "note", title or name, date=date))
    return Note(
        path=reading.path,
        kind="note",
        type="note",
        id="",
        name=name,
        aliases=reading.aliases,
        title=title,
        abstract=" ".join(reading.scalar("abstract").split()),
        created=created,
        updated=reading.scalar("updated") or reading.scalar("modified"),
        links=reading.links(),
        units=units or (Unit("note", "", 1, title or name, date=date),),
        findings=reading.findings,
    )

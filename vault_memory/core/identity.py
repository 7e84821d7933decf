"""What a thing is, as short hashes: the same on every machine and after every move or rename."""

import hashlib
import unicodedata


def nfc(text: str) -> str:
    """Return the text in Unicode's composed form, the form in which all text is compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Return the text as names are matched: without case and in one Unicode form."""
    return text.lower() if text.isascii() else nfc(nfc(text).casefold())


def digest12(*fields: str) -> str:
    """Return the first twelve hex digits of sha256 over the fields, UTF-8 NFC joined by newline.

    Lone surrogates, which stand for bytes that were not UTF-8, are hashed and never an error.
    """
    joined = "\n".join(map(nfc, fields)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:12]


def entity_id(type: str, first_name: str) -> str:  # noqa: A002 - the word of the format
    """Return the id of an entity: of its type and the casefolded name it was first given."""
    return digest12(type, fold(first_name))


def relation_id(source: str, rel: str, target: str, ordinal: int = 1) -> str:
    """Return the id of a relation.

    Args:
        source: The id of the entity it starts from; the folded name of an end without a note.
        rel: The verb, in lower snake case.
        target: The id or folded name of the entity it leads to.
        ordinal: 1 for the first note with these ends, 2 for a return to an old value, and so on.
    """
    return digest12("relation", source, rel, target, str(ordinal))


def origin_key(origin: str) -> str:
    """Return the short key of an origin: a session id, source id, person and day, or any text."""
    return digest12(origin)


def line_id(origin: str, provenance: str, polarity: str) -> str:
    """Return the id of an evidence line; an origin has one for each provenance and polarity."""
    return digest12(origin, provenance, polarity)


def turn_id(*record: str) -> str:
    """Return the id of a turn.

    Args:
        record: The uuid of the turn's first record; without one, the session id and the ordinal.
    """
    return f"t-{digest12(*record)}"

"""TOML as people mostly write it, read without the library for all of it, which loads slowly."""

from itertools import accumulate


def read_plain(text: str) -> dict[str, object] | None:
    """Read TOML that holds nothing but comments, sections and one-line values.

    Args:
        text: The file, without a byte-order mark.

    Returns:
        Dotted key to value, as the whole language would give it; None for anything that is not
        quite plain, which is then for ``tomllib`` to read or refuse.
    """
    found: dict[str, object] = {}
    opened: set[str] = set()
    tables: set[str] = set()
    prefix = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        said = line.strip(" \t")
        if _is_silent(said):
            continue
        if said[0] == "[":
            name = said[1:-1]
            around = list(accumulate(name.split("."), "{}.{}".format))
            if said[-1] != "]" or name in opened or not found.keys().isdisjoint(around):
                return None
            if not all(map(_is_bare, name.split("."))):
                return None
            opened.add(name)
            tables.update(around)
            prefix = f"{name}."
            continue
        key, _, written = said.partition("=")
        name, value = prefix + key.rstrip(" \t"), _value(written.lstrip(" \t"))
        if value is None or not _is_bare(key.rstrip(" \t")) or name in found or name in tables:
            return None
        found[name] = value
    return found


def _is_silent(said: str) -> bool:
    """Whether what stands there, without blanks around it, is nothing or a comment."""
    return not said or (said[0] == "#" and said.isprintable())


def _is_bare(key: str) -> bool:
    return key.isascii() and key.replace("-", "_").isidentifier()


def _value(written: str) -> object:
    """A whole number, a truth or a text without escapes; None for anything else."""
    if written[:1] == '"':
        inside, quote, rest = written[1:].partition('"')
        whole = quote and "\\" not in inside and inside.isprintable()
        return inside if whole and _is_silent(rest.strip(" \t")) else None
    word, mark, rest = written.partition("#")
    word = word.rstrip(" \t")
    if not _is_silent(mark + rest):
        return None
    if word in {"true", "false"}:
        return word == "true"
    if word.isdecimal() and word.isascii() and len(word) < 19 and (word[0] != "0" or word == "0"):
        return int(word)
    return None

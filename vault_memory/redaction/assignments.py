"""Secrets that are known by their names: ``DB_PASSWORD=…``, ``"token": "…"``, "the password is …".

Transcripts are full of code in which such names are given variables and calls, so a value must
look like a literal: quoted, or set without blanks, or with a digit in it.
"""

import re
from collections.abc import Iterator

from vault_memory.redaction.placeholders import is_placeholder
from vault_memory.redaction.spans import Found

_NAME = re.compile(
    r"password|passwd|passphrase|passwort|contraseña|(?<![a-z])pwd|secret|token|credential"
    r"|(?:api|access|account|auth|client|encryption|master|private|service|signing)[_ -]?key",
    re.IGNORECASE,
)
_PASSWORDS = ("passw", "passp", "contr", "pwd")
_REST_OF_NAME = re.compile(r"(?:[A-Z0-9_][A-Za-z0-9_]{0,40}|(?:[-.][A-Za-z0-9_]{1,20}){1,3})?")
_HARMLESS_END = re.compile(
    r"(?:type|ids?|ur[li]|path|file|name|env|count|limit|len|length|size|field|policy|ttl|hint|label"
    r"|placeholder|reset|usage|budget|expir\w{0,8}|manager|provider|store|kind|class)\Z",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\\?[\"'\]]{0,2}(?P<before>[ \t]{0,8})(?P<sign>:=|=>|[=:](?!=))(?P<after>[ \t]{0,8})"
    r"(?:\\?(?P<quote>[\"'`])|)"
)
_SAID = re.compile(
    r"[ \t]{1,4}(?:is|was|ist|est|es|=|:)[ \t]{1,4}[\"'`]?(?P<value>[^\s\"'`]{6,128})"
)
_BARE = re.compile(r"[^\s\"'`,;]{1,512}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_.-]*\Z")
_WORD_BEFORE = 40


def assigned_secrets(text: str) -> Iterator[Found]:
    """Yield the values of names that say they are secret."""
    for name in _NAME.finditer(text):
        if (rest := _rest_of_name(text, name)) is None:
            continue
        kind = "password" if name[0].lower().startswith(_PASSWORDS) else "secret"
        found = _set_value(text, name, rest, kind) or _said_value(text, rest, kind)
        if found:
            yield found


def _rest_of_name(text: str, name: re.Match[str]) -> int | None:
    """Return where the whole name ends; None if it is another word, or names no secret."""
    end = name.end()
    after = text[end : end + 1]
    if after.isalpha() and not (after.isupper() and text[end - 1].islower()):
        return None
    rest = _REST_OF_NAME.match(text, end)
    end = rest.end() if rest else end
    return None if _HARMLESS_END.search(text, name.start(), end) else end


def _set_value(text: str, name: re.Match[str], end: int, kind: str) -> Found | None:
    is_set = _SET.match(text, end)
    if not is_set:
        return None
    start = is_set.end()
    if quote := is_set["quote"]:
        line_end = text.find("\n", start, start + 600)
        limit = line_end if line_end >= 0 else start + 600
        closing = text.find(quote, start, limit)
        stop = closing if closing >= 0 else min(limit, len(text))
        stop -= text[stop - 1 : stop] == "\\"
        return Found(start, stop, kind) if _is_literal(text[start:stop], kind) else None
    bare = _BARE.match(text, start)
    if not bare:
        return None
    value = bare[0].rstrip(".)") if is_set["sign"] == ":" else bare[0]
    tight = is_set["sign"] == "=" and not is_set["before"] and not is_set["after"]
    loud = tight and _is_loud(text, name)
    good = _is_loud_value(value, kind) if loud else _is_bare_secret(value, kind)
    return Found(start, start + len(value), kind) if good else None


def _said_value(text: str, end: int, kind: str) -> Found | None:
    said = _SAID.match(text, end)
    if not said:
        return None
    value = said["value"].rstrip(".,;:!?)")
    if not _is_bare_secret(value, kind):
        return None
    return Found(said.start("value"), said.start("value") + len(value), kind)


def _is_loud(text: str, name: re.Match[str]) -> bool:
    """Return whether the name is in capitals, as in the environment, or an option of a command."""
    start = name.start()
    before = text[max(start - _WORD_BEFORE, 0) : start]
    word = before[len(before.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-")) :]
    return name[0].isupper() or word.startswith("--")


def _is_literal(value: str, kind: str) -> bool:
    """Return whether a quoted value can be a secret and not a word about one."""
    if len(value) < 4 or is_placeholder(value):
        return False
    has_digit = any(char.isdigit() for char in value)
    if any(char.isspace() for char in value):
        return has_digit and len(value) <= 40 and kind == "password"
    named = any(word in value.lower() for word in ("passw", "token", "secret", "key"))
    return has_digit or (not named and (kind == "password" or len(value) >= 16))


def _is_loud_value(value: str, kind: str) -> bool:
    return (
        not is_placeholder(value) and (kind == "password" or not value.isdigit()) and len(value) > 3
    )


def _is_bare_secret(value: str, kind: str) -> bool:
    """Return whether an unquoted value can be a secret and not a variable, type or number."""
    if len(value) < 6 or is_placeholder(value) or _IDENTIFIER.match(value):
        return False
    if not any(char.isdigit() for char in value):
        return kind == "password" and len(value) >= 8 and not value.replace("/", "").isalpha()
    return kind == "password" or (
        len(value) >= 8 and any(char.isalpha() for char in value) and value[:1] not in "/.~"
    )

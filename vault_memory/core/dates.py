"""Days, months and years that a query names, and whether a unit is of them."""

import re
from collections.abc import Collection, Iterator

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)([a-z]{0,6})\.?"
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)[0-9]{2})\b"
_BEFORE_YEAR = r"(?:, ?| )"
_ISO = re.compile(r"\b((?:19|20)[0-9]{2})-([0-9]{2})(?:-([0-9]{2}))?\b")
_DAY_FIRST = re.compile(rf"\b{_DAY}(?: of)? {_MONTH}(?:{_BEFORE_YEAR}{_YEAR}|(?![a-z0-9]))")
_MONTH_FIRST = re.compile(rf"\b{_MONTH} {_DAY}(?:{_BEFORE_YEAR}{_YEAR}|(?![a-z0-9]))")
_MONTH_ONLY = re.compile(rf"\b{_MONTH}{_BEFORE_YEAR}{_YEAR}")
_NO_YEAR = re.compile(
    rf"\b(?:in|of|last|since|until|till|during|early|mid|late) ({'|'.join(_MONTHS)})\b"
)
"""A month alone, which must stand where no verb and no person can: one may march with April."""


def dates_in(query: str) -> tuple[str, ...]:
    """Return the dates that a query names, as ISO 8601 writes them, each once.

    ``2026-03-06`` and ``8 May, 2023`` give a day, ``2026-03`` and ``March 2026`` a month; without
    a year ``16 June`` gives ``--06-16`` and ``in June`` gives ``--06``. Words are English.
    """
    flat = " ".join(query.lower().split())
    return tuple(dict.fromkeys(_found(flat)))


def is_of(date: str, wanted: Collection[str]) -> bool:
    """Tell whether a unit's day or time is one of these dates or lies in one of these months."""
    return any(
        _begins(date[4:], one[1:]) if one[0] == "-" else _begins(date, one) for one in wanted
    )


def _begins(date: str, one: str) -> bool:
    return date.startswith(one) and date[len(one) : len(one) + 1] in "-T "


def _found(flat: str) -> Iterator[str]:
    for match in _ISO.finditer(flat):
        year, month, day = match.groups()
        yield from _date(year, int(month), day)
    days = [
        *((found[4], found[2] + found[3], found[1]) for found in _DAY_FIRST.finditer(flat)),
        *((found[4], found[1] + found[2], found[3]) for found in _MONTH_FIRST.finditer(flat)),
    ]
    for year, word, day in days:
        yield from _date(year, _month(word), day)
    without_days = _MONTH_FIRST.sub(" ", _DAY_FIRST.sub(" ", flat))
    for match in _MONTH_ONLY.finditer(without_days):
        yield from _date(match[3], _month(match[1] + match[2]), None)
    for match in _NO_YEAR.finditer(_MONTH_ONLY.sub(" ", without_days)):
        yield from _date(None, _month(match[1]), None)


def _date(year: str | None, month: int, day: str | None) -> Iterator[str]:
    if 1 <= month <= 12 and (day is None or 1 <= int(day) <= 31):
        yield f"{year or '-'}-{month:02}" + (f"-{int(day):02}" if day else "")


def _month(word: str) -> int:
    """Return the number of a month's name, whole or cut to three letters or more; 0 for none."""
    return next((place for place, name in enumerate(_MONTHS, 1) if name.startswith(word)), 0)

"""Dates in a query are found in the forms people write, and match what is of them."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.dates import dates_in, is_of


@pytest.mark.parametrize(
    ("query", "dates"),
    [
        ("what happened on 2026-03-06?", ("2026-03-06",)),
        ("in 2026-03", ("2026-03",)),
        ("in March 2026", ("2026-03",)),
        ("on 8 May, 2023", ("2023-05-08",)),
        ("on 8th of May 2023", ("2023-05-08",)),
        ("on May 8, 2023", ("2023-05-08",)),
        ("on Sept. 8 2023", ("2023-09-08",)),
        ("on December 1,2023", ("2023-12-01",)),
        ("on 16 June", ("--06-16",)),
        ("between June 16 and the 17th of June 2023", ("2023-06-17", "--06-16")),
        ("in June, or since late May", ("--06", "--05")),
        ("of March 2026, and in March", ("2026-03", "--03")),
        ("what did June say to April, and may I march?", ()),
        ("he may 5x it; on 4 mayors; 3 marches", ()),
        ("from 1 Jan 2023 to February 2023", ("2023-01-01", "2023-02")),
        ("2026-03-06 and 6 March 2026", ("2026-03-06",)),
        ("the mayor 2023", ()),
        ("may I ask, in 2023", ()),
        ("2026-13-01 and 2026-02-77 and 32 May 2023", ()),
        ("version 1.2023-04", ("2023-04",)),
        ("", ()),
    ],
)
def test_dates_are_found_as_people_write_them(query: str, dates: tuple[str, ...]) -> None:
    assert dates_in(query) == dates


def test_a_unit_is_of_a_day_or_month() -> None:
    assert is_of("2026-03-06T10:30:00Z", ["2026-03-06"])
    assert is_of("2026-03-06", ["2026-01", "2026-03"])
    assert is_of("2026-03-06T10:30:00Z", ["--03-06"])
    assert is_of("2026-03-06", ["--03"])
    assert not is_of("2026-03-07", ["2026-03-06"])
    assert not is_of("2026-03-07", ["--03-06", "--07", "--02"])
    assert not is_of("", ["2026-03"])
    assert not is_of("2026-03-06", [])


@given(st.dates(min_value=dt.date(1900, 1, 1), max_value=dt.date(2099, 12, 31)))
def test_every_day_is_found_in_every_form(day: dt.date) -> None:
    iso = day.isoformat()
    for form in ("%d %B, %Y", "%B %d, %Y", "%d %b %Y", "%Y-%m-%d"):
        assert dates_in(f"when: {day:{form}}?") == (iso,)


def test_a_long_query_takes_no_time() -> None:
    assert dates_in("8 may " * 20_000 + "2" * 50_000) == ("--05-08",)
    assert dates_in("may " * 20_000 + "2" * 50_000) == ()

"""Belief is the Beta distribution of the format page, checked against scipy where it has it."""

import math
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as scipy_beta
from scipy.stats import norm

from vault_memory.core.belief import (
    PRIORS,
    Counts,
    Standing,
    day_of,
    effective,
    faded,
    interval,
    log_odds,
    parse_number,
    prior_counts,
    prior_name,
    variance,
    write_number,
)
from vault_memory.core.beta import cumulative, quantile

GRID = [0.01, 0.05, 0.3, 1.0, 2.5, 9.8, 100.0, 5000.0, 3e5]
NUMBERS = st.decimals(min_value=0, max_value=10**6, places=4)


def counts(alpha: float | str, beta: float | str) -> Counts:
    return Counts(Decimal(str(alpha)), Decimal(str(beta)))


def standing(*, prior: str = "explicit", last_support: str = "") -> Standing:
    return Standing(
        alpha=Decimal(9),
        beta=Decimal(1),
        self_part=Decimal(0),
        prior=prior,
        provenance="human",
        valid_from="",
        valid_until="",
        last_support=last_support,
        unsupported=False,
    )


def test_a_prior_is_worth_ten_observations() -> None:
    assert {
        "authoritative": counts(10, 0),
        "explicit": counts(9, 1),
        "inferred": counts(6, 4),
        "speculative": counts(3, 7),
    } == PRIORS


@pytest.mark.parametrize("alpha", GRID)
@pytest.mark.parametrize("beta", GRID)
def test_moments_and_interval_are_those_of_scipy(alpha: float, beta: float) -> None:
    known = scipy_beta(alpha, beta)

    low, high = interval(counts(alpha, beta))

    assert float(counts(alpha, beta).mean) == pytest.approx(known.mean(), rel=1e-12)
    assert variance(counts(alpha, beta)) == pytest.approx(known.var(), rel=1e-9)
    assert low == pytest.approx(known.ppf(0.05), abs=1e-9)
    assert high == pytest.approx(known.ppf(0.95), abs=1e-9)


@pytest.mark.parametrize("x", [0.0, 1e-6, 0.1, 0.5, 0.9, 1 - 1e-9, 1.0])
@pytest.mark.parametrize(("alpha", "beta"), [(9.8, 1), (0.3, 7), (2000, 3000)])
def test_the_cumulative_probability_is_that_of_scipy(alpha: float, beta: float, x: float) -> None:
    assert cumulative(alpha, beta, x) == pytest.approx(scipy_beta.cdf(x, alpha, beta), abs=1e-10)


def test_a_vast_number_of_observations_gives_the_normal_interval() -> None:
    low, high = interval(counts(2e6, 2e6))

    assert low == pytest.approx(scipy_beta.ppf(0.05, 2e6, 2e6), abs=1e-9)
    assert high == pytest.approx(scipy_beta.ppf(0.95, 2e6, 2e6), abs=1e-9)
    assert interval(counts(1e12, 1))[1] <= 1
    assert quantile(1e12, 1e12, norm.cdf(0)) == pytest.approx(0.5)


def test_without_a_doubt_or_without_support_the_interval_is_a_point() -> None:
    assert interval(counts(10, 0)) == (1.0, 1.0)
    assert interval(counts(0, 10)) == (0.0, 0.0)
    assert variance(counts(10, 0)) == 0
    assert variance(counts(0, 10)) == 0


def test_nothing_observed_at_all_says_nothing() -> None:
    assert interval(counts(0, 0)) == (0.0, 1.0)
    assert counts(0, 0).mean == Decimal("0.5")


@given(
    st.decimals(min_value=Decimal("1e-18"), max_value=10**12),
    st.decimals(min_value=Decimal("1e-18"), max_value=10**12),
)
def test_an_interval_is_ordered_and_within_nought_and_one(alpha: Decimal, beta: Decimal) -> None:
    low, high = interval(Counts(alpha, beta))

    assert 0 <= low <= high <= 1


def test_log_odds_are_finite_for_certainty() -> None:
    assert log_odds(1.0) == pytest.approx(math.log(999))
    assert log_odds(0.0) == pytest.approx(-math.log(999))
    assert log_odds(0.75) == pytest.approx(math.log(3))


@pytest.mark.parametrize(
    ("number", "written"),
    [
        ("9.8", "9.8"),
        ("1.0", "1"),
        ("0.907407407", "0.9074"),
        ("0.907834", "0.9078"),
        ("10", "10"),
        ("1E+2", "100"),
        ("0", "0"),
        ("0.00001", "0"),
        ("-0.00001", "0"),
        ("123456789012.12345", "123456789012.1234"),
    ],
)
def test_numbers_have_at_most_four_places_and_no_needless_noughts(
    number: str, written: str
) -> None:
    assert write_number(Decimal(number)) == written


@given(NUMBERS)
def test_a_written_number_reads_back(number: Decimal) -> None:
    assert parse_number(write_number(number)) == number


@pytest.mark.parametrize("word", ["", ".", "yes", "-3", "+3", "1e5", "nan", "1_000", "٣", "1.2.3"])
def test_words_signs_and_exponents_are_no_numbers(word: str) -> None:
    assert parse_number(word) is None


def test_numbers_nobody_could_have_counted_are_refused() -> None:
    assert parse_number("9" * 13) is None
    assert parse_number("0." + "1" * 21) is None
    assert parse_number(" 12.50 ") == Decimal("12.5")
    assert parse_number(".5") == Decimal("0.5")


def test_a_prior_is_a_name_or_a_pair() -> None:
    assert prior_counts("inferred") == counts(6, 4)
    assert prior_counts("4:6") == counts(4, 6)
    assert prior_counts("2.5:0") == counts("2.5", 0)


@pytest.mark.parametrize("prior", ["", "strong", "4", "4:", "0:0", "4:6:1", "-1:2", "Explicit"])
def test_anything_else_is_no_prior(prior: str) -> None:
    assert prior_counts(prior) is None


def test_a_base_keeps_the_name_that_gives_it_and_else_becomes_a_pair() -> None:
    assert prior_name(counts(6, 4), declared="inferred") == "inferred"
    assert prior_name(counts(9, 1)) == "explicit"
    assert prior_name(counts(4, 6)) == "4:6"
    assert prior_name(counts(10, 0)) == "10:0"
    assert prior_name(counts(6, 4), declared="explicit") == "6:4"


def test_half_of_what_stands_above_the_floor_is_gone_after_a_half_life() -> None:
    assert faded(0.9, 180, 180) == pytest.approx(0.6)
    assert faded(0.9, 360, 180) == pytest.approx(0.45)


def test_a_mean_below_the_floor_does_not_fade_and_never_rises() -> None:
    assert faded(0.2, 10_000) == 0.2


def test_the_future_an_unknown_age_and_no_half_life_fade_nothing() -> None:
    assert faded(0.9, -5) == 0.9
    assert faded(0.9, None) == 0.9
    assert faded(0.9, 50, 0) == 0.9


@given(st.floats(0, 1), st.floats(0, 1e6), st.floats(1, 1e4))
def test_age_leaves_a_confidence_between_floor_and_mean(
    mean: float, age: float, half_life: float
) -> None:
    left = faded(mean, age, half_life)

    assert min(mean, 0.3) - 1e-12 <= left <= mean + 1e-12


def test_age_counts_from_the_last_support_and_else_from_the_note() -> None:
    supported = standing(last_support="2026-01-01")

    by_line = effective(supported, today=date(2026, 6, 30), updated="2026-06-30")
    by_note = effective(standing(), today=date(2026, 6, 30), updated="2026-01-01T09:00:00Z")
    unknown = effective(standing(), today=date(2026, 6, 30), updated="once")

    assert by_line == pytest.approx(0.6)
    assert by_note == pytest.approx(0.6)
    assert unknown == 0.9


def test_what_is_authoritative_or_touches_the_immutable_never_fades() -> None:
    old = "2001-01-01"

    lasting = effective(standing(last_support=old), today=date(2026, 1, 1), lasting=True)
    given_ = effective(
        standing(prior="authoritative", last_support=old), today=date(2026, 1, 1), half_life=1
    )

    assert lasting == 0.9
    assert given_ == 0.9


@pytest.mark.parametrize("text", ["", "2026-13-01", "2026-1-1", "20260101XY", "2026-02-30"])
def test_what_is_no_day_has_none(text: str) -> None:
    assert day_of(text) is None

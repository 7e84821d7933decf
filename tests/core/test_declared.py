"""A note without evidence stands by its own keys; with evidence they are only a cache."""

from decimal import Decimal

import pytest

from vault_memory.core.belief import Counts
from vault_memory.core.declared import Base, Declared, base_of, stand
from vault_memory.core.evidence import new_line


def d(number: str) -> Decimal:
    return Decimal(number)


def test_with_nothing_the_prior_is_explicit() -> None:
    assert base_of(Declared(), has_lines=False) == Base(Counts(d("9"), d("1")), "explicit")


def test_a_named_prior_without_counts_is_the_base() -> None:
    base = base_of(Declared(prior="speculative"), has_lines=False)

    assert base == Base(Counts(d("3"), d("7")), "speculative")


def test_a_note_without_evidence_stands_by_its_counts() -> None:
    base = base_of(Declared(alpha=d("4"), beta=d("6")), has_lines=False)

    assert base == Base(Counts(d("4"), d("6")), "4:6")


def test_confidence_alone_is_worth_ten_observations() -> None:
    base = base_of(Declared(confidence=d("0.4")), has_lines=False)

    assert base == Base(Counts(d("4.0"), d("6.0")), "4:6")


def test_counts_too_small_to_be_written_are_none() -> None:
    base = base_of(Declared(alpha=d("0.00004"), beta=d("0.00004")), has_lines=False)

    assert base == base_of(Declared(), has_lines=False)


def test_where_no_line_stands_confidence_wins_and_keeps_the_sum() -> None:
    base = base_of(Declared(confidence=d("0.25"), alpha=d("9"), beta=d("3")), has_lines=False)

    assert base == Base(Counts(d("3.00"), d("9.00")), "3:9")


def test_a_confidence_that_is_rounded_agrees() -> None:
    declared = Declared(confidence=d("0.9074"), alpha=d("9.8"), beta=d("1"))

    assert base_of(declared, has_lines=False).counts == Counts(d("9.8"), d("1"))


@pytest.mark.parametrize("confidence", ["0", "1"])
def test_certainty_counts_too(confidence: str) -> None:
    standing = stand(Declared(confidence=d(confidence)), [])

    assert standing.mean == float(confidence)


def test_certainty_by_number_is_not_the_authority_that_never_fades() -> None:
    assert base_of(Declared(confidence=d("1")), has_lines=False).prior == "10:0"


def test_a_prior_that_gives_the_counts_keeps_its_name() -> None:
    declared = Declared(prior="inferred", alpha=d("6.0"), beta=d("4.0"), confidence=d("0.6"))

    assert base_of(declared, has_lines=False).prior == "inferred"
    assert base_of(Declared(alpha=d("9"), beta=d("1")), has_lines=False).prior == "explicit"


def test_a_pair_that_gives_the_counts_stays_as_written() -> None:
    declared = Declared(prior="4.0:6.0", alpha=d("4"), beta=d("6"))

    assert base_of(declared, has_lines=False).prior == "4.0:6.0"


def test_one_count_without_the_other_is_none() -> None:
    assert base_of(Declared(alpha=d("3")), has_lines=False).prior == "explicit"
    assert base_of(Declared(alpha=d("0"), beta=d("0")), has_lines=False).prior == "explicit"


def test_with_evidence_the_counts_are_the_prior_and_the_lines() -> None:
    stale = Declared(prior="inferred", alpha=d("99"), beta=d("1"), confidence=d("0.2"))

    standing = stand(stale, [new_line("o", date="2026-03-06")])

    assert (standing.alpha, standing.beta) == (d("6.8"), d("4"))
    assert standing.prior == "inferred"
    assert standing.provenance == "human"
    assert standing.last_support == "2026-03-06"


def test_without_a_support_that_counts_the_provenance_stays() -> None:
    denial = new_line("o", date="2026-03-06", polarity="contradicts")

    assert stand(Declared(provenance="external"), [denial]).provenance == "external"


def test_validity_is_what_the_note_says() -> None:
    standing = stand(Declared(valid_from="2026-01-01", valid_until="2026-02-01"), [])

    assert (standing.valid_from, standing.valid_until) == ("2026-01-01", "2026-02-01")


def test_an_unknown_prior_counts_as_explicit() -> None:
    line = new_line("o", date="2026-03-06")

    assert stand(Declared(prior="strong"), [line]).prior == "explicit"

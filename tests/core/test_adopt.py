"""A person's own confidence becomes one human line that moves the mean there, within bounds."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.adopt import Adoption, adopt
from vault_memory.core.belief import PRIORS, Counts
from vault_memory.core.evidence import EvidenceLine, new_line
from vault_memory.core.identity import line_id, origin_key

SAID = new_line("abc", date="2026-03-06")


def edit(confidence: str, *lines: EvidenceLine, date: str = "2026-04-01") -> Adoption:
    return adopt(PRIORS["explicit"], lines, Decimal(confidence), person="ana@x.org", date=date)


def test_doubt_becomes_a_line_against() -> None:
    adoption = edit("0.6", SAID)

    assert adoption.line is not None
    assert (adoption.line.polarity, adoption.line.provenance) == ("contradicts", "human")
    assert adoption.line.weight == Decimal("5.5333")
    assert adoption.mean == pytest.approx(Decimal("0.6"), abs=Decimal("0.0001"))
    assert not adoption.short


def test_trust_becomes_a_line_in_support() -> None:
    adoption = edit("0.95", SAID)

    assert adoption.line is not None
    assert adoption.line.polarity == "supports"
    assert not adoption.short


def test_its_origin_is_the_person_without_a_day() -> None:
    first, second = edit("0.6"), edit("0.6", date="2026-05-01")

    assert first.line is not None
    assert second.line is not None
    assert first.line.id == second.line.id == line_id("edit:ana@x.org", "human", "contradicts")
    assert first.replaced == first.line.origin == origin_key("edit:ana@x.org")


def test_an_older_edit_is_taken_out_before_a_new_one_is_computed() -> None:
    older = edit("0.6", SAID).line
    assert older is not None

    assert edit("0.95", SAID, older).line == edit("0.95", SAID).line


def test_one_line_moves_the_mean_only_so_far_and_says_so() -> None:
    many = [new_line(f"s{number}", date="2026-03-06") for number in range(60)]

    adoption = edit("0.1", *many)

    assert adoption.line is not None
    assert adoption.line.weight == 20
    assert adoption.short


def test_nobody_is_certain() -> None:
    sure, never = edit("1", SAID), edit("0", SAID)

    assert (sure.short, never.short) == (True, True)
    assert sure.line is not None
    assert sure.line.weight == Decimal(20)
    assert sure.mean < Decimal("0.98")
    assert never.mean == pytest.approx(Decimal("0.3182"), abs=Decimal("0.0001"))


@pytest.mark.parametrize(("written", "mean"), [("1", "0.98"), ("0.99", "0.98"), ("0", "0.02")])
def test_an_edit_keeps_within_its_bounds_and_says_so(written: str, mean: str) -> None:
    few = Counts(Decimal("0.1"), Decimal("0.1"))

    adoption = adopt(few, [], Decimal(written), person="ana", date="2026-04-01")

    assert adoption.mean == pytest.approx(Decimal(mean), abs=Decimal("0.0001"))
    assert adoption.short


def test_a_confidence_the_evidence_gives_anyway_needs_no_line() -> None:
    older = edit("0.6", SAID).line
    assert older is not None

    adoption = edit("0.907407", SAID, older)

    assert adoption.line is None
    assert not adoption.short


@given(
    st.decimals(min_value=Decimal("0.02"), max_value=Decimal("0.98"), places=4),
    st.decimals(min_value=Decimal("0.1"), max_value=5, places=2),
    st.decimals(min_value=Decimal("0.1"), max_value=5, places=2),
)
def test_the_mean_goes_where_the_person_put_it_or_it_is_said(
    confidence: Decimal, alpha: Decimal, beta: Decimal
) -> None:
    adoption = adopt(Counts(alpha, beta), [], confidence, person="ana", date="2026-04-01")

    assert adoption.short or abs(adoption.mean - confidence) <= Decimal("0.0001")
    if adoption.line:
        assert adoption.line.weight <= 20

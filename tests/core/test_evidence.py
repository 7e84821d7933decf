"""Evidence lines are the truth of a belief: what they add up to, in whatever order they come."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.belief import PRIORS, Counts, write_number
from vault_memory.core.evidence import (
    EvidenceLine,
    Polarity,
    distinct,
    new_line,
    quotable,
    tally,
)
from vault_memory.core.identity import line_id, origin_key
from vault_memory.core.provenance import Provenance

EXPLICIT = PRIORS["explicit"]
ONE = Decimal(1)

DAYS = st.dates().map(lambda day: day.isoformat())
LINES = st.builds(
    lambda origin, day, polarity, provenance, weight, struck: new_line(
        origin, date=day, polarity=polarity, provenance=provenance, weight=weight
    )._replace(struck=struck),
    st.sampled_from(["s1", "s2", "s3", "person:ana@x:2026-03-06"]),
    DAYS,
    st.sampled_from(["supports", "contradicts"]),
    st.sampled_from(["external", "human", "agent"]),
    st.decimals(min_value=0, max_value=3, places=2),
    st.booleans(),
)


def line(
    origin: str = "abc123",
    *,
    day: str = "2026-03-06",
    provenance: Provenance = "human",
    polarity: Polarity = "supports",
    weight: str | None = None,
    struck: bool = False,
) -> EvidenceLine:
    made = new_line(
        origin,
        date=day,
        polarity=polarity,
        provenance=provenance,
        weight=None if weight is None else Decimal(weight),
    )
    return made._replace(struck=struck)


def test_the_examples_of_the_format_come_out() -> None:
    human = line()
    agent = line("other", provenance="agent", day="2026-03-09")

    first = tally(EXPLICIT, [human])
    second = tally(EXPLICIT, [human, agent])

    assert (write_number(first.alpha), write_number(first.beta)) == ("9.8", "1")
    assert write_number(first.counts.mean) == "0.9074"
    assert write_number(second.alpha) == "9.85"
    assert write_number(second.counts.mean) == "0.9078"
    assert write_number(second.self_part) == "0.05"
    assert (second.created, second.updated) == ("2026-03-06", "2026-03-09")
    assert second.provenance == "human"


def test_a_new_line_carries_the_key_of_its_origin_and_its_own_id() -> None:
    made = line()

    assert made.origin == origin_key("abc123")
    assert made.id == line_id("abc123", "human", "supports")


def test_what_a_line_weighs_depends_on_who_spoke() -> None:
    weights = [line(provenance=who).weight for who in ("external", "human", "agent")]

    assert weights == [ONE, Decimal("0.8"), Decimal("0.05")]


def test_a_line_weighs_what_can_be_written_of_it() -> None:
    made = new_line("o", date="2026-03-06", weight=Decimal("0.12345"))

    assert write_number(made.weight) == str(made.weight) == "0.1234"


def test_contradiction_adds_to_beta() -> None:
    total = tally(EXPLICIT, [line(polarity="contradicts")])

    assert (total.alpha, total.beta) == (Decimal(9), Decimal("1.8"))
    assert total.last_support == ""
    assert not total.unsupported


def test_one_origin_counts_once_for_each_provenance_and_polarity() -> None:
    said = line()
    said_again = line(day="2026-03-07")._replace(id="0" * 12)
    denied = line(polarity="contradicts")

    total = tally(EXPLICIT, [said, said_again, denied])

    assert (total.alpha, total.beta) == (Decimal("9.8"), Decimal("1.8"))


def test_agents_add_at_most_the_cap_in_each_direction() -> None:
    chorus = [line(f"s{n}", provenance="agent", weight="0.3") for n in range(10)]
    denial = [
        line(f"s{n}", provenance="agent", weight="0.4", polarity="contradicts") for n in range(2)
    ]

    total = tally(EXPLICIT, [*chorus, *denial, line()])

    assert total.alpha == Decimal("10.8")
    assert total.beta == Decimal("1.8")
    assert total.self_part == Decimal("1.8")


def test_the_cap_is_a_setting() -> None:
    total = tally(EXPLICIT, [line(provenance="agent", weight="0.7")], agent_cap=Decimal("0.25"))

    assert total.self_part == Decimal("0.25")


def test_struck_lines_weigh_nothing_but_are_remembered_in_the_dates() -> None:
    struck = line("old", day="2026-01-01", struck=True)

    total = tally(EXPLICIT, [struck, line()])

    assert total.alpha == Decimal("9.8")
    assert (total.created, total.updated) == ("2026-01-01", "2026-03-06")
    assert total.last_support == "2026-03-06"


def test_a_belief_none_of_whose_lines_counts_is_unsupported() -> None:
    assert tally(EXPLICIT, [line(struck=True)]).unsupported
    assert not tally(EXPLICIT, []).unsupported
    assert not tally(EXPLICIT, [line(struck=True), line("b")]).unsupported


def test_provenance_is_that_of_the_heaviest_support_that_counts() -> None:
    external = line("doc", provenance="external")

    assert tally(EXPLICIT, [line(), external]).provenance == "external"
    assert tally(EXPLICIT, [line(), external._replace(struck=True)]).provenance == "human"
    assert tally(EXPLICIT, [line(polarity="contradicts")]).provenance == ""


def test_equal_weights_go_to_external_then_human_then_agent() -> None:
    lines = [
        line("a", provenance="agent", weight="0.8"),
        line("b", provenance="human", weight="0.8"),
        line("c", provenance="external", weight="0.8"),
    ]

    assert tally(EXPLICIT, lines).provenance == "external"
    assert tally(EXPLICIT, lines[:2]).provenance == "human"


def test_an_agent_is_no_heavier_than_what_its_word_adds() -> None:
    lines = [line("a", provenance="agent", weight="5"), line("b", provenance="external")]

    assert tally(EXPLICIT, lines).provenance == "external"


def test_of_two_copies_the_struck_one_stands() -> None:
    assert distinct([line(), line(struck=True)]) == [line(struck=True)]


@given(st.lists(LINES, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(lines: list[EvidenceLine], random: object) -> None:
    shuffled = list(lines)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert tally(EXPLICIT, shuffled) == tally(EXPLICIT, lines)


@given(st.lists(LINES, max_size=12))
def test_a_line_twice_changes_nothing(lines: list[EvidenceLine]) -> None:
    assert tally(EXPLICIT, [*lines, *lines]) == tally(EXPLICIT, lines)


@given(st.lists(LINES, max_size=12))
def test_counts_are_the_prior_and_the_lines(lines: list[EvidenceLine]) -> None:
    live = [one for one in distinct(lines) if not one.struck]

    def added(polarity: str) -> Decimal:
        mine = [one for one in live if one.polarity == polarity]
        agent = sum((one.weight for one in mine if one.provenance == "agent"), Decimal(0))
        other = sum((one.weight for one in mine if one.provenance != "agent"), Decimal(0))
        return other + min(agent, ONE)

    total = tally(Counts(Decimal(4), Decimal(6)), lines)

    assert total.alpha == 4 + added("supports")
    assert total.beta == 6 + added("contradicts")


@given(st.lists(LINES, max_size=8), LINES)
def test_support_never_lowers_and_contradiction_never_raises_the_mean(
    lines: list[EvidenceLine], one: EvidenceLine
) -> None:
    fresh = one._replace(id="f" * 12, origin="e" * 12, struck=False)
    before = tally(EXPLICIT, lines).counts.mean

    after = tally(EXPLICIT, [*lines, fresh]).counts.mean

    if fresh.polarity == "supports":
        assert after >= before
    else:
        assert after <= before


def test_a_quote_is_one_line_of_at_most_three_hundred_characters() -> None:
    assert quotable("I moved\n  everything\x00to\u2028NeoVim") == "I moved everything to NeoVim"
    assert len(quotable("x" * 301)) == 300
    assert quotable("x" * 301).endswith("x…")
    assert quotable("x" * 300) == "x" * 300


@given(st.text(max_size=700))
def test_a_quote_brought_to_one_line_stays_as_it_is(text: str) -> None:
    once = quotable(text)

    assert quotable(once) == once
    assert len(once) <= 300
    assert len(once.splitlines()) <= 1


@pytest.mark.parametrize(
    ("source", "target", "anchor"),
    [
        ("conversation-005#^t-1a2b3c4d5e6f", "conversation-005", "^t-1a2b3c4d5e6f"),
        ("C-|C#", "C-", ""),
        ("Notes#A#B|shown", "Notes", "A#B"),
    ],
)
def test_a_linked_source_names_its_note_and_place(source: str, target: str, anchor: str) -> None:
    made = new_line("o", date="2026-03-06", source=source, linked=True)

    assert (made.target, made.anchor) == (target, anchor)


def test_a_source_of_plain_text_links_to_nothing() -> None:
    made = new_line("o", date="2026-03-06", source="call with\nAna #1")

    assert made.source == "call with Ana #1"
    assert (made.target, made.anchor) == ("", "")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.conversation import Conversation, Text, Turn
from vault_memory.core.summary import Summary
from vault_memory.notes.ephemeral import entry_of, put
from vault_memory.notes.ephemeral_entries import Entry, parse_entries

ENTRY = Entry(
    "abc123", "2026-03-06 10:30 UTC", "30m", 34, "conversation-005", "What was done and decided."
)


def entry(number: int, summary: str = "Done.") -> Entry:
    return Entry(
        f"s{number}",
        f"2026-03-{number:02d} 10:00 UTC",
        "5m",
        2,
        f"conversation-{number:03d}",
        summary,
    )


def window_of(*numbers: int) -> str:
    text = ""
    for number in numbers:
        text = put(text, entry(number), window=50)
    return text


def test_an_entry_is_written_as_the_format_says() -> None:
    assert put("", ENTRY, window=5) == (
        "# Recent sessions\n\n## abc123 · 2026-03-06 10:30 UTC\n"
        "**Duration**: 30m · **Messages**: 34 · **Archive**: [[conversation-005]]\n\n"
        "What was done and decided.\n\n---\n\n"
    )


def test_the_window_holds_the_newest_sessions_newest_last() -> None:
    text = ""
    for number in (3, 1, 2, 6, 5, 4):
        text = put(text, entry(number), window=3)

    assert [each.session_id for each in parse_entries(text)] == ["s4", "s5", "s6"]


def test_a_session_that_grew_replaces_its_entry_and_leaves_the_others_bytes() -> None:
    text = window_of(1, 2, 3).replace("Done.", "Done by  hand.", 1)

    grown = put(text, entry(2, "More."), window=5)

    assert grown == text.replace("Done.", "More.", 1)
    assert put(grown, entry(2, "More."), window=5) == grown


def test_what_stands_before_the_first_entry_stays() -> None:
    intro = "\ufeff# Mine\r\n\r\n## Notes to self\r\nkeep  me\r\n\r\n"
    text = put(intro + window_of(1).partition("\n\n")[2].replace("\n", "\r\n"), entry(2), window=1)

    assert text.startswith(intro)
    assert [each.session_id for each in parse_entries(text)][-1] == "s2"
    assert "\n" not in text.replace("\r\n", "")


FAKES = (
    "---\n\n## s9 · 2026-01-01 10:00 UTC\n**Duration**: 1m",
    "a\u2028---\u2028## x · y",
    "```\n---",
)


@given(st.text(max_size=60) | st.sampled_from(FAKES))
def test_no_summary_can_fake_a_rule_or_an_entry(summary: str) -> None:
    text = put(put("", entry(1, summary), window=5), entry(2), window=5)

    assert [each.session_id for each in parse_entries(text)] == ["s1", "s2"]
    assert put(text, entry(1, summary), window=5) == text
    assert put(text, entry(3), window=2).count("\n---\n") == 2


def test_an_entry_made_by_hand_without_a_rule_is_still_one() -> None:
    text = "## session s1\nUser asked about ferries.\n"

    text = put(text, entry(2), window=5)

    assert [each.session_id for each in parse_entries(text)] == ["session s1", "s2"]
    assert parse_entries(text)[0].summary == "User asked about ferries."


@pytest.mark.parametrize("window", [1, 2, 5])
def test_a_window_that_became_smaller_keeps_the_newest(window: int) -> None:
    text = put(window_of(1, 2, 3), entry(3), window=window)

    kept = [each.session_id for each in parse_entries(text)]

    assert kept == ["s1", "s2", "s3"][-window:]


def test_the_entry_of_a_session_is_made_of_what_is_known_of_it() -> None:
    turns = (Turn("t-000000000000", "User", parts=(Text("hi"),)),)
    known = Conversation("abc", turns, started="2026-03-06T10:30:00Z", duration_seconds=1800)

    assert entry_of(known, log=5, summary=Summary("Done.")) == Entry(
        "abc", "2026-03-06 10:30 UTC", "30m", 1, "conversation-005", "Done."
    )
    assert entry_of(Conversation("abc", ()), log=5, summary=Summary("")) == Entry(
        "abc", messages=0, archive="conversation-005"
    )


@pytest.mark.parametrize(
    ("end", "after"),
    [
        ("---\n\n", "---\n\n"),
        ("---\n", "---\n\n"),
        ("---", "---\n\n"),
        ("mine  \n", "mine\n\n---\n\n"),
        ("---\n\n\n\n", "---\n\n\n\n"),
    ],
)
def test_only_the_end_before_a_new_entry_is_made_ready_for_it(end: str, after: str) -> None:
    odd = "# Mine\n## one · 2026-03-01\nFirst.\n---\n## two · 2026-03-02\nSecond.\n\n"

    text = put(odd + end, entry(9), window=9)

    assert text == odd + after + put("", entry(9), window=9).removeprefix("# Recent sessions\n\n")
    assert [each.session_id for each in parse_entries(text)] == ["one", "two", "s9"]


INTRO = "# Recent sessions\n\n"
TORN = (
    f"{window_of(1)}<<<<<<< HEAD\n{window_of(2).removeprefix(INTRO)}=======\n"
    f"{window_of(3).removeprefix(INTRO)}>>>>>>> laptop\n"
)


@pytest.mark.parametrize("window", [1, 2, 50])
def test_a_conflict_stays_whole_whatever_comes_into_the_window(window: int) -> None:
    text = put(TORN, entry(2, "Newer."), window=window)
    longer = put(TORN, entry(4)._replace(date="2026-03-01 00:00 UTC"), window=window)

    assert text == TORN
    assert longer.startswith(TORN.rstrip())
    after = longer[longer.index(">>>>>>>") :]
    assert [each.session_id for each in parse_entries(after)] == ["s4"]

"""The mechanism that replays transcripts: it must see what is wrong, or the pages prove nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replay import (
    WILDCARD,
    Command,
    Directive,
    PageError,
    agree,
    line_agrees,
    parse,
    rewrite,
    run,
)


def page(*lines: str) -> str:
    return "\n".join(["# Page", "", "```console", *lines, "```", ""])


def only(text: str, folder: Path) -> tuple[bool, str]:
    (outcome,) = run(parse(text), folder)
    return outcome.agrees, outcome.difference


def test_commands_know_their_line_output_and_exit_code() -> None:
    steps = parse(page("$ one", "said", "", "$ two \\", "> more", "[exit 3]"))

    assert steps == [
        Command(line=4, end=7, words="one", expected=("said", ""), exit_code=0),
        Command(line=7, end=10, words="two \\\nmore", expected=(), exit_code=3),
    ]


def test_blocks_of_another_language_are_no_commands() -> None:
    assert parse("```bash\n$ rm -r memory\n```\n") == []


def test_a_fence_inside_a_longer_fence_is_text() -> None:
    assert parse("````markdown\n```console\n$ one\n```\n````\n") == []


def test_off_leaves_out_the_next_block_only() -> None:
    text = "<!-- replay: off -->\n" + page("$ one") + page("$ two")

    assert [step.words for step in parse(text) if isinstance(step, Command)] == ["two"]


def test_off_looks_past_blocks_that_would_not_run_anyway() -> None:
    text = "<!-- replay: off -->\n```bash\nls\n```\n" + page("$ one")

    assert parse(text) == []


def test_directives_stand_among_the_commands() -> None:
    text = (
        "<!-- replay: vault twenty-notes -->\n" + page("$ one") + "<!-- replay: now 2026-04-01 -->"
    )

    first, _, last = parse(text)

    assert first == Directive("vault", "twenty-notes")
    assert last == Directive("now", "2026-04-01")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (page("said"), "line 4: output before any command"),
        (page("$ one", WILDCARD), "line 5: a wildcard alone"),
        ("```console\n$ one\n", "line 1: the fence is never closed"),
        ("<!-- replay: later -->", "line 1: no such directive"),
        ("<!-- replay: vault -->", "line 1: no such directive"),
        ("<!-- replay: off now -->", "line 1: no such directive"),
    ],
)
def test_a_page_that_makes_no_sense_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(PageError, match=problem):
        parse(text)


def test_a_command_that_prints_what_the_page_says_agrees(tmp_path: Path) -> None:
    assert only(page("$ printf 'one\\ntwo\\n'; exit 4", "one", "two", "[exit 4]"), tmp_path)[0]


@pytest.mark.parametrize(
    "lines",
    [
        ("$ echo one", "two"),
        ("$ echo one",),
        ("$ true", "one"),
        ("$ echo one", "one", "one"),
        ("$ echo one; exit 1", "one"),
        ("$ echo one", "one", "[exit 1]"),
        ("$ echo one two", f"one {WILDCARD} two"),
    ],
)
def test_any_difference_is_seen(lines: tuple[str, ...], tmp_path: Path) -> None:
    agrees, difference = only(page(*lines), tmp_path)

    assert not agrees
    assert difference.startswith("line 4: $ ")
    assert "--- page" in difference


def test_what_is_said_on_standard_error_counts(tmp_path: Path) -> None:
    assert only(page("$ echo problem >&2", "problem"), tmp_path)[0]


def test_commands_share_a_folder_but_no_settings_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_ROOT", "elsewhere")
    text = page("$ echo kept >file", "$ cat file", "kept", "$ echo ${VAULTMEM_ROOT-none}", "none")

    assert all(outcome.agrees for outcome in run(parse(text), tmp_path))


def test_the_clock_stands_where_the_page_puts_it(tmp_path: Path) -> None:
    text = "<!-- replay: now 2026-04-01T00:00:00Z -->\n" + page(
        "$ echo $VAULTMEM_NOW", "2026-04-01T00:00:00Z"
    )

    assert only(text, tmp_path)[0]


def test_a_vault_is_copied_and_an_unknown_one_refused(tmp_path: Path) -> None:
    text = "<!-- replay: vault twenty-notes -->\n" + page(
        "$ ls memory/MEMORY.md", "memory/MEMORY.md"
    )

    assert only(text, tmp_path / "first")[0]
    with pytest.raises(PageError, match="no such folder of notes"):
        run([Directive("vault", "none")], tmp_path / "second")


def test_the_folder_of_the_run_shows_as_a_wildcard(tmp_path: Path) -> None:
    assert only(page("$ echo in $PWD/memory", f"in {WILDCARD}/memory"), tmp_path)[0]


def test_rewriting_puts_in_what_was_printed_and_keeps_wildcards(tmp_path: Path) -> None:
    took = ("$ echo took 12 ms", f"took {WILDCARD} ms")
    text = page(*took, "$ printf 'a\\nb\\n'; exit 2", "old", "$ true", "x")

    rewritten = rewrite(text, run(parse(text), tmp_path))

    assert rewritten == page(*took, "$ printf 'a\\nb\\n'; exit 2", "a", "b", "[exit 2]", "$ true")


plain = st.text(st.characters(exclude_characters=WILDCARD + "\n"))


@given(plain, plain)
def test_without_a_wildcard_a_line_agrees_with_itself_alone(line: str, other: str) -> None:
    assert line_agrees(line, other) == (line == other)


@given(st.lists(plain, min_size=2), st.data())
def test_wildcards_stand_for_anything_within_their_line(
    parts: list[str], data: st.DataObject
) -> None:
    printed = parts[0] + "".join(data.draw(plain) + part for part in parts[1:])

    assert line_agrees(WILDCARD.join(parts), printed)


@given(plain.filter(bool), plain)
def test_a_line_without_what_stands_around_the_wildcard_differs(part: str, line: str) -> None:
    assert line_agrees(f"{WILDCARD}{part}{WILDCARD}", line) == (part in line)


def test_a_head_and_a_tail_may_not_overlap() -> None:
    assert not agree([f"aba{WILDCARD}aba"], ["aba"])

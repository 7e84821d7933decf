"""Conflicts are seen outside code only, and the rest of the note stays where it is."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vault_memory.notes.conflicts import conflict_regions, strip_conflicts

CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> laptop"


def found(text: str) -> list[str]:
    return [text[region.start : region.end] for region in conflict_regions(text)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("a\n", "\nb\n"),
        ("---\nid: x\n", "\nbeta: 2\n---\nbody\n"),
        ("\ufeff---\r\nid: |\r\n ```\r\n", "\r\n---\r\nbody"),
        ("---\nid: x\n---\n```\ncode\n```\n", "\n"),
        ("- a\n  ```\n  code\n", "\n"),
        ("    code\n", "\n"),
        ("`a\n", "\nb`"),
        ("> ```\n", ""),
    ],
)
def test_a_conflict_outside_code_is_found(before: str, after: str) -> None:
    text = before + CONFLICT + after
    assert found(text) == [CONFLICT]
    assert conflict_regions(text)[0].line == before.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"```\n{CONFLICT}\n```\n",
        f"---\nid: x\n---\n~~~~\n{CONFLICT}\n",
        f"<!--\n{CONFLICT}\n-->",
        f"<pre>\n{CONFLICT}\n</pre>",
        CONFLICT.replace("\n", "\n    ").replace("<", "    <", 1),
        CONFLICT.replace("=======\n", ""),
        CONFLICT.replace(">>>>>>>", ">>>>>>>>"),
        CONFLICT.replace("<<<<<<<", "<<<<<<<<"),
        CONFLICT.replace("<<<<<<< HEAD", "<<<<<<<HEAD"),
        "a <<<<<<< HEAD\n=======\n>>>>>>> x",
        "=======\n>>>>>>> x\n<<<<<<< HEAD",
    ],
)
def test_what_is_no_conflict_is_left_alone(text: str) -> None:
    assert conflict_regions(text) == []
    assert strip_conflicts(text) == text


def test_every_conflict_of_a_note_is_found() -> None:
    text = f"---\n{CONFLICT}\n---\n{CONFLICT}\n```\n{CONFLICT}\n```\n{CONFLICT}\n"
    assert [region.line for region in conflict_regions(text)] == [2, 8, 20]


def test_a_fence_opened_within_a_conflict_hides_nothing_behind_it() -> None:
    text = CONFLICT.replace("ours", "```\nours") + "\nb\n" + CONFLICT
    assert len(found(text)) == 2


def test_the_base_that_git_may_show_is_part_of_the_conflict() -> None:
    text = "<<<<<<< a\nx\n||||||| base\ny\n=======\nz\n>>>>>>> b\n"
    assert found(text) == [text[:-1]]


def test_a_conflict_may_hold_the_end_of_the_frontmatter() -> None:
    text = "---\n<<<<<<< a\nx: 1\n---\none\n=======\nx: 2\n---\ntwo\n>>>>>>> b\nrest"
    assert strip_conflicts(text).split() == ["---", "rest"]


def test_what_is_left_stays_at_its_place() -> None:
    text = f"a\r\n{CONFLICT}\r\nb"
    left = strip_conflicts(text)
    assert len(left) == len(text)
    assert left.split() == ["a", "b"]
    assert left.index("b") == text.rindex("b")
    assert left.count("\n") == text.count("\n")


marks = st.sampled_from(
    ["<<<<<<< a", "=======", ">>>>>>> b", "|||||||", "```", "---", "a", "", "    b", "- c", "> ```"]
)


@settings(deadline=None)
@given(st.lists(marks, max_size=20).map("\n".join))
@example("<<<<<<< a\n=======\n<<<<<<< a\n=======\n>>>>>>> b\n>>>>>>> b")
def test_a_note_without_its_conflicts_has_none(text: str) -> None:
    left = strip_conflicts(text)
    assert len(left) == len(text)
    assert conflict_regions(left) == []


@pytest.mark.parametrize(
    "unit", ["<<<<<<< \n", "<<<<<<< \n=======\n", CONFLICT + "\n", "=======\n"]
)
def test_a_huge_note_of_markers_is_read(unit: str) -> None:
    text = "---\n" + unit * (500_000 // len(unit)) + CONFLICT
    assert found(text)[-1] == CONFLICT

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vault_memory.core.conversation import Conversation, Mark, Text, ToolUse, Turn
from vault_memory.core.summary import Summary
from vault_memory.core.tags import Tags
from vault_memory.notes.conversation_note import parse, render, rerender
from vault_memory.notes.frontmatter import parse as parse_frontmatter

CONVERSATION = Conversation(
    "abc123",
    (
        Turn("t-1a2b3c4d5e6f", "User", "2026-03-06T10:30:05Z", (Text("Move auth to JWT"),)),
        Turn(
            "t-77aa01f2b3c4",
            "Assistant",
            "2026-03-06T10:31:00Z",
            (
                Text("Looking."),
                ToolUse("Bash", "npm test", error=True, result_head="1 failed", result_length=8),
                Mark("answer", "Which? → JWT"),
                Mark("interrupt"),
            ),
        ),
    ),
    title="Move auth to JWT",
    started="2026-03-06T10:30:00Z",
    ended="2026-03-06T11:00:00Z",
    duration_seconds=1800,
    project="backend",
    branch="main",
)
SUMMARY = Summary("What was done.", ("auth", "jwt"), ("Chose JWT.",), ("Refresh endpoint.",))
TAGS = Tags(("decided to use JWT",), ("need to refresh",), ("src/auth.py", "a.py"), ("Bash",))
MORE = Turn("t-000000000000", "User", parts=(Text("more"),))
NOTE = """\
---
type: conversation
log: 5
date: "2026-03-06T10:30:00Z"
session_id: "abc123"
message_count: 2
duration: "30m"
source: "session"
topics: ["auth", "jwt"]
title: "Move auth to JWT"
project: "backend"
branch: "main"
redacted: 0
---
# Conversation 005

## Summary
What was done.

**Decisions**: Chose JWT.
**Action Items**: Refresh endpoint.

### User
10:30 ^t-1a2b3c4d5e6f

Move auth to JWT

### Assistant
10:31 ^t-77aa01f2b3c4

Looking.

> [!tool]- Bash failed `npm test`
> ```
> 1 failed
> ```

> [!question] Which? → JWT

> [!warning] Interrupted by the user

## Tags
**Decisions**: decided to use JWT
**Action items**: need to refresh
**Files**: src/auth.py, a.py
**Tools**: Bash
"""
HOSTILE = st.lists(
    st.sampled_from(
        ["# a", "```", "~~~", "---", "> [!tool]- x", "### User\n10:30 ^t-000000000000", "`", "\n",
         "## Tags", " ", "- ", "    ", "a", "\u2028", "<b>", "](", "\r", "|"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


def test_a_note_is_written_as_the_format_says() -> None:
    assert render(CONVERSATION, log=5, summary=SUMMARY, tags=TAGS) == NOTE


def test_a_note_reads_back() -> None:
    parsed = parse(NOTE)

    assert (parsed.log, parsed.session_id, parsed.topics) == (5, "abc123", ("auth", "jwt"))
    assert parsed.summary.startswith("What was done.")
    user, assistant = parsed.turns
    assert (user.id, user.speaker, user.text) == ("t-1a2b3c4d5e6f", "User", "Move auth to JWT")
    assert (user.time, user.line) == ("2026-03-06T10:30Z", 23)
    assert assistant.text == "Looking.\n\nWhich? → JWT"
    assert assistant.tools == ("Bash failed `npm test`",)


def test_a_note_made_by_hand_is_read_too() -> None:
    text = (
        "---\ntype: conversation\ndate: 2026-03-06T23:50\n---\n"
        "### Ana\n23:55\nHello\n\n### Ben Müller\n--:-- ^t-0123456789ab\n\nHi\n\n"
        "### Ana\n00:10\nIt is late\n\n### Ben\nBye\n"
    )

    turns = parse(text).turns

    assert [(turn.speaker, turn.time, turn.text) for turn in turns] == [
        ("Ana", "2026-03-06T23:55Z", "Hello"),
        ("Ben Müller", "", "Hi"),
        ("Ana", "2026-03-07T00:10Z", "It is late"),
        ("Ben", "", "Bye"),
    ]
    assert turns[1].id == "t-0123456789ab"


def test_a_grown_session_keeps_what_people_added() -> None:
    extra = "extracted: t-1a2b3c4d5e6f # so far\nredacted: 0\nmood: good\n"
    note = NOTE.replace("redacted: 0\n", extra)
    note = note.replace("title: ", "title:   ") + "\n## My notes\n\nKeep  this.\n"
    grown = Conversation("abc123", (*CONVERSATION.turns, MORE))

    again = rerender(note, grown, log=5, summary=SUMMARY, tags=TAGS, redacted=2)

    front = parse_frontmatter(again)
    assert "extracted: t-1a2b3c4d5e6f # so far" in again
    assert (front.get("mood"), front.get("redacted")) == ("good", "2")
    assert (front.get("message_count"), front.get("branch")) == ("3", None)
    assert again.endswith("## Tags\n**Decisions**: decided to use JWT\n"
                          "**Action items**: need to refresh\n**Files**: src/auth.py, a.py\n"
                          "**Tools**: Bash\n\n## My notes\n\nKeep  this.\n")  # fmt: skip
    assert parse(again).turns[-1].text == "more"


@pytest.mark.parametrize(
    ("before", "own"),
    [
        ("# Conversation 005", "Written above it."),
        ("## Summary", "Written under the title."),
        ("### User", "## My notes\n\nKept.\n\n### Details\n\nDeep."),
        ("### Assistant", "### A remark\n\nNobody said this."),
        ("## Tags", "# Mine\n\nKept."),
        ("**Files**", "A remark among the tags."),
        ("", "A remark at the end."),
        ("", "## Mine\n\n```\n### User\n10:30 ^t-1a2b3c4d5e6f\n```"),
    ],
)
def test_what_people_wrote_beside_a_session_is_kept_once_when_it_grows(
    before: str, own: str
) -> None:
    place = NOTE.index(before) if before else len(NOTE)
    note = f"{NOTE[:place]}{own}\n\n{NOTE[place:]}"
    grown = Conversation("abc123", (*CONVERSATION.turns, MORE))

    again = rerender(note, grown, log=5, summary=SUMMARY, tags=TAGS)

    plain = rerender(NOTE, grown, log=5, summary=SUMMARY, tags=TAGS)
    assert again == f"{plain}\n{own}\n"
    assert rerender(again, grown, log=5, summary=SUMMARY, tags=TAGS) == again
    assert [turn.id for turn in parse(again).turns] == [turn.id for turn in grown.turns]


def test_writing_the_same_again_changes_nothing_whatever_the_line_ends() -> None:
    for note in (NOTE, NOTE.replace("\n", "\r\n"), NOTE + "\n## Mine\n\nx\n"):
        assert rerender(note, CONVERSATION, log=5, summary=SUMMARY, tags=TAGS) == note


@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_content_breaks_the_note(said: str, result: str, title: str) -> None:
    parts = (
        Text(f"x{said}"),
        ToolUse(f"T{title}", said, result_head=result, result_length=len(result)),
        Mark("plan", said),
        Mark("compaction", result),
    )
    turns = tuple(Turn(f"t-{place:012x}", "User", "", parts) for place in range(2))
    conversation = Conversation(title, turns, title=title)

    summary = Summary(f"s{said}", (title,), (said,))
    tags = Tags((said,), (), (result,), (title,))
    note = render(conversation, log=1, summary=summary, tags=tags)

    front = parse_frontmatter(note)
    assert yaml.safe_load(note[front.start : front.end])["topics"] == [title]
    tokens = MarkdownIt("commonmark").enable("table").parse(note[front.body :])
    headings = [
        tokens[n + 1].content
        for n, token in enumerate(tokens)
        if token.tag[:1] == "h" and token.nesting == 1
    ]
    assert headings == ["Conversation 001", "Summary", "User", "User", "Tags"]
    parsed = parse(note)
    assert [turn.id for turn in parsed.turns] == ["t-000000000000", "t-000000000001"]
    assert all(len(turn.tools) == 1 for turn in parsed.turns)
    assert rerender(note, conversation, log=1, summary=summary, tags=tags) == note


def test_a_fence_that_is_left_open_ends_with_its_turn() -> None:
    (turn,) = parse("### Ana\n```\n\nx\n## Tags").turns

    assert turn.text == "```\n\nx\n## Tags"


def test_a_long_summary_of_a_compaction_is_cut_and_says_so() -> None:
    turn = Turn("t-000000000000", "User", parts=(Mark("compaction", "word " * 1_000),))

    note = render(Conversation("s", (turn,)), log=1, summary=Summary(""), tags=Tags())

    assert note.count("word") == 800
    assert "\n> … 5,000 characters in all\n" in note


def test_a_turn_of_an_unknown_time_says_so() -> None:
    note = render(Conversation("s", (MORE,)), log=1, summary=Summary(""), tags=Tags())

    assert "\n### User\n--:-- ^t-000000000000\n\nmore\n" in note


def test_a_missing_key_goes_where_the_format_has_it() -> None:
    note = NOTE.replace("redacted: 0\n", "extracted: t-1a2b3c4d5e6f\nretracted: 2026-04-02\n")

    again = rerender(note, CONVERSATION, log=5, summary=SUMMARY, tags=TAGS)

    assert again == note.replace("retracted:", "redacted: 0\nretracted:")

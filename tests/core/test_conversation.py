import pytest

from vault_memory.core.conversation import (
    Conversation,
    Mark,
    Text,
    ToolUse,
    Turn,
    duration_text,
    map_texts,
)
from vault_memory.core.summary import keywords, summarise
from vault_memory.core.tags import Tags, tags_of


def said(*texts: str, speaker: str = "User") -> tuple[Turn, ...]:
    return tuple(
        Turn(f"t-{place:012x}", speaker, parts=(Text(text),)) for place, text in enumerate(texts)
    )


def using(*tools: ToolUse) -> Conversation:
    return Conversation("s", (Turn("t-0", "Assistant", parts=tools),), cwd="/w/p")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (-5, ""), (0, "0s"), (45, "45s"), (60, "1m"), (1859, "30m"), (3900, "1h 05m")],
)
def test_durations_read_as_people_say_them(seconds: int | None, text: str) -> None:
    assert duration_text(seconds) == text


def test_files_are_relative_and_changed_ones_come_first() -> None:
    conversation = using(
        ToolUse("Read", path="/w/p/a.py"),
        ToolUse("Edit", path="/w/p/src/b.py", edits=True),
        ToolUse("Read", path="/etc/c"),
        ToolUse("Read", path="/w/p/a.py"),
    )

    assert conversation.files == ("src/b.py", "a.py", "/etc/c")
    assert conversation.tools == ("Read", "Edit")


def test_every_text_that_may_reach_a_note_is_changed() -> None:
    parts = (Text("q"), ToolUse("q", "q", result_head="q", path="q"), Mark("plan", "q"))
    turn = Turn("t-0", "q", parts=parts)
    conversation = Conversation("s", (turn,), title="q", project="q", branch="q", cwd="q")

    changed = map_texts(conversation, lambda text: text.replace("q", "z"))

    assert "q" not in repr(changed)
    assert repr(changed).count("'z'") == 11


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Hm. We decided to use JWT for auth. Next.", "We decided to use JWT for auth."),
        ("Let's go with SQLite, it is v3.1 now", "Let's go with SQLite, it is v3.1 now"),
        ("- **Decision:** ship on Tuesday", "Decision: ship on Tuesday"),
        ("我们决定使用PostgreSQL。然后继续。", "我们决定使用PostgreSQL。"),
        ("認証にはJWTを使うことにした。次へ", "認証にはJWTを使うことにした。"),
        ("Мы решили взять Redis.", "Мы решили взять Redis."),
    ],
)
def test_a_decision_is_the_whole_sentence_in_any_script(text: str, decision: str) -> None:
    assert tags_of(Conversation("s", said(text))).decisions == (decision,)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Good. We need to add a refresh endpoint.", "We need to add a refresh endpoint."),
        ("TODO: 添加测试 and docs", "TODO: 添加测试 and docs"),
        ("TODO：添加测试。好", "TODO：添加测试。"),  # noqa: RUF001
        ("接下来添加测试。", "接下来添加测试。"),
        ("Don't forget to call Ana!", "Don't forget to call Ana!"),
    ],
)
def test_an_action_item_is_the_whole_sentence_in_any_script(text: str, action: str) -> None:
    assert tags_of(Conversation("s", said(text))).actions == (action,)


@pytest.mark.parametrize(
    "text",
    [
        "Should we say we decided to go?",
        "```\n# we decided to run\n```",
        "> we decided to go",
        "Nothing here.",
    ],
)
def test_questions_code_and_quotations_are_no_tags(text: str) -> None:
    assert tags_of(Conversation("s", said(text))).decisions == ()


def test_what_an_agent_does_next_is_nothing_left_to_do() -> None:
    words = "I need to read set_values first. The remaining tasks are:\nWe need to fix set_values."

    tags = tags_of(Conversation("s", said(words, speaker="Assistant")))

    assert tags.actions == ("We need to fix set_values.",)


def test_a_choice_among_options_is_a_decision() -> None:
    turn = Turn("t-0", "Assistant", parts=(Mark("answer", "Which tool? → Credo"),))

    assert tags_of(Conversation("s", (turn,))).decisions == ("Which tool? → Credo",)


def test_tags_are_few_and_action_items_the_last_ones() -> None:
    turns = said(*(f"We decided to do {n}. We need to do {n}." for n in range(9)))
    files = using(*(ToolUse(f"T{n}", path=f"/w/p/{n}") for n in range(12)))

    tags, used = tags_of(Conversation("s", turns)), tags_of(files)

    assert [each[-2] for each in tags.decisions] == list("01234")
    assert [each[-2] for each in tags.actions] == list("45678")
    assert (len(used.files), len(used.tools)) == (10, 12)


def test_the_summary_is_the_first_typed_message_condensed() -> None:
    long = "Fix   the login\n\n```\ncode\n```\n" + "so that it works " * 40
    conversation = Conversation(
        "s", (*said("I'll look", speaker="Assistant"), *said("/clear", long))
    )

    summary = summarise(conversation)

    assert summary.text.startswith("Fix the login so that it works")
    assert summary.text.endswith("…")
    assert len(summary.text) <= 400


def test_keywords_leave_out_stop_words_and_weigh_what_tools_touched() -> None:
    turns = (
        *said("Please could you fix the billing invoices?"),
        Turn("t-9", "Assistant", parts=(ToolUse("Edit", path="/w/src/payment_ledger.py"),)),
    )

    found = keywords(Conversation("s", turns), 4)

    assert found == ("ledger", "payment", "billing", "invoices")


def test_marks_without_words_are_no_sentence() -> None:
    assert tags_of(Conversation("s", said("**\n- [ ] \n__ . `"))) == Tags()

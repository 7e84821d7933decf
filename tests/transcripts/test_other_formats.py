import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from vault_memory.core.conversation import Conversation, Mark
from vault_memory.core.identity import turn_id
from vault_memory.errors import NotFoundError, TranscriptError
from vault_memory.transcripts import read_transcript

Item = tuple[str, Mapping[str, object]]


def codex(*items: Item) -> Conversation:
    lines = [
        json.dumps({"timestamp": f"2026-03-01T10:00:{n:02d}Z", "type": kind, "payload": payload})
        for n, (kind, payload) in enumerate(items)
    ]
    return read_transcript("\n".join(lines).encode(), name="rollout.jsonl")


def item(kind: str, **payload: object) -> Item:
    return "response_item", {"type": kind, **payload}


def message(role: str, text: str) -> Item:
    content = [{"type": "input_text", "text": text}]
    return "response_item", {"type": "message", "role": role, "content": content}


META = ("session_meta", {"id": "c-1", "cwd": "/w/app", "cli_version": "1", "git": {"branch": "b"}})


def test_a_codex_rollout_is_the_same_kind_of_conversation() -> None:
    arguments = json.dumps({"command": ["bash", "-lc", "ls"]})
    patch = "*** Begin Patch\n*** Update File: src/x.py\n@@"
    output = json.dumps({"output": "no such file", "metadata": {"exit_code": 1}})
    conversation = codex(
        META,
        message("developer", "rules"),
        message("user", "<environment_context>x</environment_context>"),
        message("user", "List it"),
        item("reasoning", summary=[]),
        message("assistant", "Sure."),
        item("function_call", name="shell", call_id="1", arguments=arguments),
        item("function_call_output", call_id="1", output=output),
        item("custom_tool_call", name="apply_patch", call_id="2", input=patch),
        message("user", "<turn_aborted>x</turn_aborted>"),
        ("event_msg", {"type": "token_count"}),
    )  # fmt: skip

    assert (conversation.session_id, conversation.project, conversation.branch) == (
        "c-1",
        "app",
        "b",
    )
    assert [(turn.speaker, turn.text) for turn in conversation.turns] == [
        ("User", "List it"),
        ("Assistant", "Sure."),
    ]
    shell, edit = conversation.turns[1].tools
    assert (shell.input_head, shell.error, shell.result_head) == (
        "bash -lc ls",
        True,
        "no such file",
    )
    assert conversation.files == (edit.path,) == ("src/x.py",)
    assert conversation.turns[1].parts[-1] == Mark("interrupt")
    assert conversation.turns[0].id == turn_id("c-1", "4")


def test_markdown_with_speakers_is_a_conversation() -> None:
    text = (
        "\ufeff# Chat\r\n\r\n### User\r\n10:30\r\n\r\nhi\r\n```\n### Assistant\n```\n"
        "### Assistant\nhello\n\n### Results\nfine\n"
    )

    conversation = read_transcript(text.encode(), name="chat-7.md")

    assert conversation.session_id.startswith("chat-7-")
    assert [(turn.speaker, turn.text) for turn in conversation.turns] == [
        ("User", "hi\n```\n### Assistant\n```"),
        ("Assistant", "hello\n\n### Results\nfine"),
    ]
    assert conversation.turns[0].id == turn_id(conversation.session_id, "1")


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"just words", b"{}", b'{"type":"mode"}', b"\x00\xff"]
)
def test_a_file_without_a_conversation_is_an_error_naming_it(data: bytes) -> None:
    with pytest.raises(TranscriptError, match=r"^odd\.jsonl: holds no conversation"):
        read_transcript(data, name="odd.jsonl")


def test_a_missing_file_is_told_from_an_unreadable_one(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such transcript"):
        read_transcript(tmp_path / "none.jsonl", name="none.jsonl")
    with pytest.raises(TranscriptError, match="cannot be read"):
        read_transcript(tmp_path, name="folder")


def test_sessions_without_an_id_are_told_apart_by_how_they_begin() -> None:
    def session(text: str) -> str:
        return read_transcript(text.encode(), name="stdin").session_id

    boats = session("### User\nabout boats\n\n### Assistant\nok\n")
    grown = session("### User\nabout boats\n\n### Assistant\nok\n\n### User\nmore\n")
    trains = session("### User\nabout trains\n\n### Assistant\nok\n")

    assert boats == grown
    assert boats != trains

from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from vault_memory.core.conversation import Conversation
from vault_memory.core.summary import summarise
from vault_memory.core.tags import tags_of
from vault_memory.errors import TranscriptError
from vault_memory.notes.conversation_note import parse, render, rerender
from vault_memory.notes.frontmatter import parse as parse_frontmatter
from vault_memory.transcripts import read_transcript


def conversations(shared: Path) -> list[Conversation]:
    files = sorted(shared.glob("transcripts/**/*.jsonl"))
    assert len(files) > 25
    return [read_transcript(file, name=str(file)) for file in files]


def note_of(conversation: Conversation) -> str:
    return render(
        conversation, log=5, summary=summarise(conversation), tags=tags_of(conversation), redacted=0
    )


def test_every_real_transcript_is_a_conversation_or_a_subagents_own(shared: Path) -> None:
    for conversation in conversations(shared):
        assert bool(conversation.turns) != conversation.is_subagent
        ids = [turn.id for turn in conversation.turns]
        assert len(set(ids)) == len(ids)
        assert all(number > 0 for number in conversation.skipped.values())


def test_every_note_reads_back_turn_by_turn(shared: Path) -> None:
    for conversation in conversations(shared):
        note = note_of(conversation)
        lines = note.split("\n")

        parsed = parse(note)

        assert parsed.session_id == conversation.session_id
        assert parsed.message_count == conversation.message_count == len(parsed.turns)
        for turn, read in zip(conversation.turns, parsed.turns, strict=True):
            assert (read.id, read.speaker) == (turn.id, turn.speaker)
            assert read.time[:16] == turn.time[:16]
            assert lines[read.line - 1] == f"### {turn.speaker}"
            assert len(read.tools) == len(turn.tools)
            if not {"plan", "question", "answer"} & {
                getattr(part, "kind", "") for part in turn.parts
            }:
                assert read.text.split() == turn.text.split()


def test_markdown_sees_the_headings_we_wrote_and_no_other(shared: Path) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    for conversation in conversations(shared):
        note = note_of(conversation)
        tokens = parser.parse(note[parse_frontmatter(note).body :])

        headings = [
            tokens[place + 1].content
            for place, token in enumerate(tokens)
            if token.type == "heading_open"
        ]
        speakers = [turn.speaker for turn in conversation.turns]
        assert headings == ["Conversation 005", "Summary", *speakers, "Tags"]
        assert not [token for token in tokens if token.type == "html_block"]


def test_frontmatter_is_yaml_and_a_second_rendering_the_same(shared: Path) -> None:
    for conversation in conversations(shared):
        note = note_of(conversation)
        front = parse_frontmatter(note)

        assert yaml.safe_load(note[front.start : front.end])["type"] == "conversation"
        assert note_of(conversation) == note
        again = rerender(
            note, conversation, log=5, summary=summarise(conversation), tags=tags_of(conversation)
        )
        assert again == note


def test_a_case_of_torn_lines_keeps_all_six_messages(shared: Path) -> None:
    file = shared / "cases/38-transcript-torn-lines/transcript.jsonl"

    conversation = read_transcript(file, name=str(file))

    assert [turn.text for turn in conversation.turns] == [
        f"{ordinal} {what}"
        for ordinal in ("first", "second", "third")
        for what in ("question", "answer")
    ]
    assert conversation.skipped["lost_fragments"] == 2


def test_a_case_of_odd_records_has_three_typed_messages(shared: Path) -> None:
    file = shared / "cases/42-transcript-odd-records/transcript.jsonl"

    conversation = read_transcript(file, name=str(file))

    typed = [turn.text for turn in conversation.turns if turn.speaker == "User"]
    assert typed == ["/deploy now", "real one", "queued words"]
    assert conversation.title == "Mine"
    assert conversation.duration_seconds == 8


@pytest.mark.parametrize("where", ["agent-cd34.jsonl", "*/subagents/agent-ab12.jsonl"])
def test_a_subagents_file_is_known_as_one(shared: Path, where: str) -> None:
    (file,) = shared.glob(f"cases/40-transcript-sidechains/projects/-w-p/{where}")

    assert read_transcript(file, name=str(file)).is_subagent


def test_a_file_without_a_conversation_is_an_error_that_names_it(shared: Path) -> None:
    file = shared / "cases/44-hook-stdio/payloads.jsonl"

    with pytest.raises(TranscriptError, match=r"payloads\.jsonl: holds no conversation"):
        read_transcript(file, name=str(file))

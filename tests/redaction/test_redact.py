import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.redaction import redact, redact_conversation
from vault_memory.transcripts import read_transcript


def labelled() -> ModuleType:
    spec = importlib.util.spec_from_file_location("labelled", Path(__file__).parent / "labelled.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LABELLED = labelled()


@pytest.mark.parametrize("name", LABELLED.SECRETS)
def test_a_secret_is_taken_out_whole_and_once(name: str) -> None:
    text, secret = LABELLED.SECRETS[name]
    text = text or f"It is {secret}, keep it."

    redacted = redact(text)

    assert secret not in redacted.text
    assert "[redacted: " in redacted.text
    assert not any(secret[place : place + 8] in redacted.text for place in range(len(secret) - 7))
    assert redacted.kinds.total() == 1


@pytest.mark.parametrize("name", LABELLED.LOOK_ALIKES)
def test_what_only_looks_like_a_secret_stays(name: str) -> None:
    text = LABELLED.LOOK_ALIKES[name]

    assert redact(text).text == text


@pytest.mark.parametrize("name", LABELLED.SECRETS)
def test_redacting_again_changes_nothing(name: str) -> None:
    text, secret = LABELLED.SECRETS[name]
    once = redact(text or f"It is {secret}, keep it.").text

    assert redact(once).text == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>b</private> c", "a [redacted: private] c"),
        ("a <private>b <private>c</private> d</private> e", "a [redacted: private] e"),
        ("a <private>b\nc", "a [redacted: private]"),
        ("a </private> b", "a </private> b"),
        ("<PRIVATE>x</PRIVATE><private>y</private>", "[redacted: private][redacted: private]"),
    ],
)
def test_what_a_person_marked_private_is_taken_out(text: str, expected: str) -> None:
    assert redact(text).text == expected


def test_the_words_around_a_private_key_stay() -> None:
    text, _ = LABELLED.SECRETS["pem"]

    assert redact(text).text == "key:\n[redacted: private key]\nafter"


@given(st.text(alphabet="abz019_-=:\"' \n<>/@.", max_size=80))
def test_any_text_can_be_redacted_and_without_names_or_shapes_stays(text: str) -> None:
    assert redact(text).text == text or redact(text).kinds


def test_the_secrets_of_a_case_never_reach_a_note(shared: Path) -> None:
    file = shared / "cases/36-secrets-in-memory/transcript.jsonl"

    conversation, kinds = redact_conversation(read_transcript(file, name=str(file)))

    held = repr(conversation)
    for secret in ("ghp_", "my salary", "hunter2", "AKIA", "BEGIN RSA", "abc\\n"):
        assert secret not in held
    assert kinds == {
        "github token": 1,
        "private": 1,
        "password": 1,
        "aws key": 1,
        "private key": 1,
    }


def test_real_transcripts_lose_hardly_anything(shared: Path) -> None:
    for file in sorted(shared.glob("transcripts/**/*.jsonl")):
        _, kinds = redact_conversation(read_transcript(file, name=str(file)))

        assert kinds.total() <= 3, (file.name, kinds)

"""What was put into a person's text goes, and all that the person wrote stays."""

import pytest

from vault_memory.transcripts.speech import Kind, classify

REMINDER = "<system-reminder>be nice</system-reminder>"
RECALLED = "<!-- vaultmem:recent -->uses vim<!-- /vaultmem:recent -->"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (f"a{REMINDER}b{REMINDER}c", "typed", "abc"),
        (f"a{RECALLED}b", "typed", "ab"),
        (REMINDER + RECALLED, "injected", ""),
        ("What does <system-reminder> mean?", "typed", "What does <system-reminder> mean?"),
        (f"{REMINDER}a <system-reminder> b", "typed", "a <system-reminder> b"),
        ("<system-reminder>cut off", "injected", ""),
        ("a<!-- vaultmem:recent -->uses vim", "typed", "a"),
        ("<command-name>/clear</command-name>", "typed", "/clear"),
        ("<command-name>/x", "injected", ""),
        ("<command-message>x</command-message>", "injected", ""),
        ("[Request interrupted by user]", "interrupt", ""),
        ("<b>bold</b> words", "typed", "<b>bold</b> words"),
        (" \n", "injected", ""),
    ],
)
def test_only_what_a_person_typed_is_theirs(text: str, kind: Kind, words: str) -> None:
    assert classify(text) == (kind, words)

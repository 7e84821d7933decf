"""Secrets taken out of text before it reaches a note."""

from vault_memory.redaction.redact import Redacted, redact, redact_conversation

__all__ = ["Redacted", "redact", "redact_conversation"]

"""Agent session files, whatever program wrote them, read as conversations."""

from vault_memory.transcripts.read import read_transcript

__all__ = ["read_transcript"]

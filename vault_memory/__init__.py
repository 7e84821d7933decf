"""vaultmem: memory for AI agents and their people, kept as plain markdown notes."""

__version__ = "0.1.0"

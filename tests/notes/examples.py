"""The evidence lines that the format shows, as values."""

from decimal import Decimal

from vault_memory.core.evidence import EvidenceLine

SAID = EvidenceLine(
    id="e3f9a2c41d07",
    date="2026-03-06",
    polarity="supports",
    provenance="human",
    weight=Decimal("0.8"),
    origin="9b1d02e7c4a1",
    source="conversation-005#^t-1a2b3c4d5e6f",
    linked=True,
    quote="I moved everything to NeoVim",
)
AGENT = EvidenceLine(
    id="b81c0d4e5512",
    date="2026-03-09",
    polarity="supports",
    provenance="agent",
    weight=Decimal("0.05"),
    origin="c0ffee12ab34",
    source="conversation-006#^t-77aa01f2b3c4",
    linked=True,
)

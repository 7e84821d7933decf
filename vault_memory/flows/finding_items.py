"""A finding as it is answered."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.core.answers import FindingItem
    from vault_memory.core.findings import Finding


def finding_item(finding: "Finding") -> "FindingItem":
    """Return a finding as it is answered."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "fixable": finding.fixable,
    }

"""What is wrong in a vault, and mending what needs no person."""

from vault_memory.core.answers import CheckAnswer
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.core.findings import Finding
from vault_memory.errors import NoteError
from vault_memory.flows.integrity import between_notes
from vault_memory.flows.rebuild import finding_item
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.notes.belief_note import settle
from vault_memory.notes.text import decode_bytes, encode_text
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit


def check(index: VaultIndex, *, fix: bool) -> CheckAnswer:
    """Find what is wrong, and with ``fix`` bring the cached keys of beliefs up to their evidence.

    Args:
        index: The open index; for ``fix`` of a vault that may be written.
        fix: Whether to mend what can be mended.

    Raises:
        StorageError: The disk refused.
    """
    findings = _findings(index)
    fixed: list[str] = []
    if fix and any(finding.fixable for finding in findings):
        paths = sorted({finding.path for finding in findings if finding.fixable})
        applied = commit(index.vault, lambda: _settled(index, paths))
        fixed = [change.path for change in applied.changes]
        findings = _findings(index)
    return CheckAnswer(findings=[finding_item(f) for f in findings], fixed=fixed, adopted=[])


def _findings(index: VaultIndex) -> list[Finding]:
    scan = refresh(index).scan
    found = [*index.catalog.findings(), *between_notes(index, scan)]
    return sorted(set(found))


def _settled(index: VaultIndex, paths: list[str]) -> ChangeSet:
    cap = index.vault.config.graph_provenance_agent_cap
    changes = []
    for path in paths:
        before = read_bytes(index.vault.path, path)
        if before is None:
            continue
        try:
            after = encode_text(settle(decode_bytes(before), agent_cap=cap, path=path))
        except NoteError:
            continue
        if after != before:
            changes.append(Change(path, before, after))
    return ChangeSet(tuple(changes), f"Settle {len(changes)} beliefs on their evidence")

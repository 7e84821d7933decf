"""What is wrong in a vault, and mending what needs no person."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from vault_memory.core.answers import CheckAnswer
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.core.findings import Finding
from vault_memory.errors import NoteError
from vault_memory.flows.finding_items import finding_item
from vault_memory.flows.integrity import between_notes
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.notes.adopt import adopt_edit
from vault_memory.notes.belief_note import settle
from vault_memory.notes.text import decode_bytes, encode_text
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit


def check(
    index: VaultIndex, *, fix: bool, adopt: bool = False, person: str = "", today: str = ""
) -> CheckAnswer:
    """Find what is wrong, and mend it when asked to.

    Args:
        index: The open index; for ``fix`` and ``adopt`` of a vault that may be written.
        fix: Whether to bring the cached keys of beliefs up to their evidence.
        adopt: Whether to make evidence of every confidence that was edited by hand.
        person: Who is at the terminal, for ``adopt``.
        today: The UTC day, for ``adopt``.

    Raises:
        StorageError: The disk refused.
    """
    findings = _findings(index)
    cap = index.vault.config.graph_provenance_agent_cap
    adopted, fixed = [], []
    if adopt:
        paths = sorted({f.path for f in findings if f.rule == "confidence-edited"})
        adopted = _mend(
            index,
            paths,
            lambda text, path: (
                adopt_edit(text, person=person, date=today, agent_cap=cap, path=path).text
            ),
        )
        findings = _findings(index)
    if fix:
        paths = sorted({finding.path for finding in findings if finding.fixable})
        fixed = _mend(index, paths, lambda text, path: settle(text, agent_cap=cap, path=path))
        findings = _findings(index)
    return CheckAnswer(findings=[finding_item(f) for f in findings], fixed=fixed, adopted=adopted)


def _findings(index: VaultIndex) -> list[Finding]:
    scan = refresh(index).scan
    with index.catalog.snapshot():
        found = [*index.catalog.findings(), *between_notes(index, scan)]
    return sorted(set(found))


def _mend(index: VaultIndex, paths: Sequence[str], change: Callable[[str, str], str]) -> list[str]:
    """Change notes in one change set; one that must not be written to is left as it is."""

    def plan() -> ChangeSet:
        changes = []
        for path in paths:
            before = read_bytes(index.vault.path, path)
            if before is None:
                continue
            with suppress(NoteError):
                after = encode_text(change(decode_bytes(before), path))
                if after != before:
                    changes.append(Change(path, before, after))
        return ChangeSet(tuple(changes), f"Settle {len(changes)} beliefs on their evidence")

    return [change.path for change in commit(index.vault, plan).changes] if paths else []

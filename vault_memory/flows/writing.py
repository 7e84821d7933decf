"""One way for every command that writes: plan under the lock, apply or show, answer."""

from collections.abc import Callable
from dataclasses import dataclass

from vault_memory.core.answers import WriteAnswer
from vault_memory.core.belief import Standing
from vault_memory.core.changes import Change, ChangeSet
from vault_memory.errors import NotFoundError
from vault_memory.flows.believing import belief_of
from vault_memory.flows.refresh import refresh
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import NoteRow
from vault_memory.notes.decode import decode
from vault_memory.notes.text import decode_bytes, encode_text
from vault_memory.vault.diff import diff
from vault_memory.vault.read import read_bytes
from vault_memory.vault.write import commit


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command wants to write.

    Attributes:
        changes: The change set.
        standing: What is then believed of the note it was about; None when it holds no belief.
        notice: What the person should know; empty for nothing.
    """

    changes: ChangeSet
    standing: Standing | None = None
    notice: str = ""


def write(index: VaultIndex, plan: Callable[[], Plan], *, dry_run: bool) -> WriteAnswer:
    """Plan and apply, again when a note changed in between, or only show what would be written.

    Args:
        index: The open index; it takes in what changed before each planning.
        plan: Computes everything from what the vault holds now.
        dry_run: Whether to answer the diff and write nothing.

    Raises:
        ConflictError: The note changed each time, or what was asked for contradicts it.
        StorageError: The disk refused, or the vault may not be written.
    """
    planned = Plan(ChangeSet())

    def changes() -> ChangeSet:
        nonlocal planned
        refresh(index)
        planned = plan()
        return planned.changes

    applied = commit(index.vault, changes, dry_run=dry_run)
    standing = planned.standing
    return WriteAnswer(
        changed=[change.path for change in applied.changes if change.before is not None],
        created=[change.path for change in applied.changes if change.before is None],
        belief=belief_of(standing, effective=standing.mean) if standing else None,
        notice=planned.notice or None,
        diff=diff(applied) if dry_run else None,
    )


def create(index: VaultIndex, path: str, text: str, *, message: str) -> Plan:
    """The plan to make a new note."""
    data = encode_text(text)
    cap = index.vault.config.graph_provenance_agent_cap
    change_set = ChangeSet((Change(path, None, data),), message)
    return Plan(change_set, decode(path, data, agent_cap=cap).standing)


def edit(
    index: VaultIndex,
    note: NoteRow,
    change: Callable[[str], str],
    *,
    message: str,
) -> Plan:
    """The plan to change a note that exists; bytes that stay the same are no change.

    Raises:
        NoteError: Its frontmatter cannot be parsed, or holds a conflict.
        NotFoundError: It is gone.
    """
    before = read_bytes(index.vault.path, note.path)
    if before is None:
        raise NotFoundError("is gone", where=note.path)
    after = encode_text(change(decode_bytes(before)))
    cap = index.vault.config.graph_provenance_agent_cap
    standing = decode(note.path, after, agent_cap=cap).standing
    if before == after:
        return Plan(ChangeSet(), standing)
    return Plan(ChangeSet((Change(note.path, before, after),), message), standing)

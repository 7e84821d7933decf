"""One evidence line for a belief that exists."""

from collections.abc import Sequence

from vault_memory.core.answers import WriteAnswer
from vault_memory.core.evidence import EvidenceLine
from vault_memory.flows.naming import named_belief
from vault_memory.flows.observation import Observation
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.flows.writing import Plan, edit, write
from vault_memory.index.rows import NoteRow
from vault_memory.notes import belief_note


def observe(
    index: VaultIndex,
    words: Sequence[str],
    observation: Observation,
    *,
    dry_run: bool = False,
) -> WriteAnswer:
    """Add one evidence line to the entity or relation that the words name.

    Args:
        index: The open index of a vault that may be written.
        words: One name, or FROM REL TO.
        observation: What is observed.
        dry_run: Whether to answer the diff and write nothing.

    Raises:
        AmbiguousError: The words fit several beliefs.
        NotFoundError: They fit none.
        NoteError: The note's frontmatter cannot be parsed.
    """

    def plan() -> Plan:
        return observed(index, named_belief(index, words), observation.line(index))

    return write(index, plan, dry_run=dry_run)


def observed(index: VaultIndex, note: NoteRow, line: EvidenceLine, *, notice: str = "") -> Plan:
    """The plan to add a line to a note; a line of an origin that counts already changes nothing."""
    cap = index.vault.config.graph_provenance_agent_cap

    def change(text: str) -> str:
        return belief_note.observe(text, [line], id=note.id, agent_cap=cap, path=note.path)

    plan = edit(index, note, change, message=f"Observe {note.name}", notice=notice)
    if not plan.changes.changes and not notice:
        return Plan(plan.changes, plan.standing, "This origin was counted already")
    return plan

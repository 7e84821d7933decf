"""One evidence line for a belief that exists."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from vault_memory.core.answers import WriteAnswer
from vault_memory.flows.naming import belief_id, named_belief
from vault_memory.flows.observation import Observation
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.flows.writing import Plan, edit, write
from vault_memory.index.rows import NoteRow
from vault_memory.notes import belief_note
from vault_memory.notes.adopt import adopt_edit

COUNTED_ALREADY = "This origin was counted already; name another --source or --date"


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
        return observed(index, named_belief(index, words), observation)

    return write(index, plan, dry_run=dry_run)


def observed(
    index: VaultIndex,
    note: NoteRow,
    observation: Observation,
    *,
    then: Callable[[str], str] | None = None,
    notice: str = "",
) -> Plan:
    """The plan to add a line to a note; a line of an origin that counts already changes nothing.

    A confidence that a person edited by hand becomes evidence of theirs first.

    Args:
        index: The open index.
        note: The entity or relation.
        observation: What is observed.
        then: What else to change in the note.
        notice: What the person should know anyway.
    """
    line = observation.line(index)
    notices = [notice] if notice else []
    cap = index.vault.config.graph_provenance_agent_cap

    def change(text: str) -> str:
        adopted = adopt_edit(
            text, person=observation.person, date=line.date, agent_cap=cap, path=note.path
        )
        if adopted.text != text:
            notices.append(adopted.notice or "A confidence edited by hand became evidence first")
        seen = belief_note.observe(
            adopted.text, [line], id=belief_id(index, note), agent_cap=cap, path=note.path
        )
        if seen == adopted.text:
            notices.append(COUNTED_ALREADY)
        return then(seen) if then else seen

    plan = edit(index, note, change, message=f"Observe {note.name}")
    return replace(plan, notice="; ".join(notices))

"""LoCoMo as vaults of conversation notes, indexed and asked as any other vault is."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vault_memory.core.summary import Summary
from vault_memory.core.tags import Tags
from vault_memory.evaluation.locomo import Question, Sample, turn_label
from vault_memory.evaluation.opening import EPISODES, Tell, embed_all, opened
from vault_memory.flows.retrieve import Retrieved, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.embeddings import FILE_NAME
from vault_memory.notes.conversation_note import note_stem, render
from vault_memory.vault.layout import CONVERSATIONS, DERIVED

MOST = 100
"""Turns that are written for each question."""


def lay_down(samples: Sequence[Sample], vault: Path) -> None:
    """Write each session as a conversation note, in a folder of its sample's name."""
    for sample in samples:
        folder = vault / CONVERSATIONS / sample.id
        folder.mkdir(parents=True, exist_ok=True)
        for number, session in enumerate(sample.sessions, 1):
            note = render(session, log=number, summary=Summary(""), tags=Tags())
            path = folder / f"{note_stem(number)}.md"
            if not path.exists() or path.read_text(encoding="utf-8") != note:
                path.write_text(note, encoding="utf-8", newline="")


@contextmanager
def indexed(
    samples: Sequence[Sample], folder: Path, *, cache: Path, known: Path | None = None, tell: Tell
) -> Iterator[VaultIndex]:
    """Open the index of a vault that holds these samples and nothing else.

    Args:
        samples: What to lay down.
        folder: The vault; what was embedded there before is not embedded again.
        cache: The user's cache folder of this program.
        known: Another such vault, whose texts need not be embedded again.
        tell: Told in one line what is done.
    """
    lay_down(samples, folder)
    store = folder / DERIVED / FILE_NAME
    if known is not None and not store.exists():
        store.parent.mkdir(exist_ok=True)
        shutil.copyfile(known / DERIVED / FILE_NAME, store)
    with opened(folder, cache=cache, tell=tell) as index:
        embed_all(index, tell=tell)
        yield index


def ask(index: VaultIndex, question: Question) -> Retrieved:
    """Ask one question as ``graph query --episodes`` does."""
    return retrieve(index, question.text, EPISODES)


def labels(retrieved: Retrieved, *, pooled: bool) -> list[str]:
    """Return the turns that were found, best first, as LoCoMo names them.

    Args:
        retrieved: What was found.
        pooled: Whether to put the sample before each, as in ``conv-26/D1:3``.
    """
    found = []
    for one in retrieved.found[:MOST]:
        sample = one.note.path.split("/")[-2]
        label = turn_label(one.unit.anchor)
        found.append(f"{sample}/{label}" if pooled else label)
    return found

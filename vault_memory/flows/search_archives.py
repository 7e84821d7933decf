"""Lines of the archived conversations that hold the words of a query."""

from vault_memory.core.found import ArchiveSearchAnswer, Match
from vault_memory.core.identity import fold
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.notes.text import decode_bytes
from vault_memory.vault.read import read_bytes


def search_archives(index: VaultIndex, query: str, *, context: int) -> ArchiveSearchAnswer:
    """Find every line of a conversation note that holds all words of the query.

    Args:
        index: The open index.
        query: Words in any order and case; no character is an operator.
        context: How many lines to answer before and after each.
    """
    words = fold(query).split()
    matches: list[Match] = []
    if words:
        for note in index.catalog.notes(("conversation",)):
            data = read_bytes(index.vault.path, note.path)
            if data is not None:
                matches += _matches(note.path, decode_bytes(data), words, context)
    return ArchiveSearchAnswer(query=query, matches=matches, files=[])


def _matches(path: str, text: str, words: list[str], context: int) -> list[Match]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found = []
    for at, line in enumerate(lines):
        folded = fold(line)
        if all(word in folded for word in words):
            found.append(
                Match(
                    path=path,
                    line=at + 1,
                    text=line,
                    before=lines[max(0, at - context) : at],
                    after=lines[at + 1 : at + 1 + context],
                )
            )
    return found

"""Sets of linked notes, and questions whose answers lie some links away from what they name."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from vault_memory.errors import NoteError, NotFoundError

WORLD_FILE = "world.md"
QUESTIONS_FILE = "questions.jsonl"

BRIDGE = "bridge"
KINDS = (BRIDGE, "comparison")

_HEAD = "=== "
_LINK = re.compile(r"\[\[([^\]|]+)")


@dataclass(frozen=True, slots=True)
class Note:
    """One note of a set.

    Attributes:
        name: Its name, which no other note of the set has.
        path: Where it lies in a vault.
        text: As it stands in its file.
        links: The names or aliases that it links to.
        aliases: Its other names.
    """

    name: str
    path: str
    text: str
    links: frozenset[str]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A question that needs several notes.

    Attributes:
        number: From 1 in the order of the file.
        kind: ``bridge``, where each note leads to the next, or ``comparison``.
        text: The question.
        notes: The names of the notes that support the answer, in the order of the hops.
        answer: A few words.
    """

    number: int
    kind: str
    text: str
    notes: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class LinkedSet:
    """The notes of an invented world by name, and the questions about it."""

    name: str
    notes: Mapping[str, Note]
    questions: tuple[LinkedQuestion, ...]


def read_linked(folder: Path) -> LinkedSet:
    """Read one set.

    Args:
        folder: What holds ``world.md`` and ``questions.jsonl``.

    Raises:
        NotFoundError: A file is missing.
        NoteError: A name comes twice, a question names a note that is not there, or a
            hop of a bridge question is linked with none before it.
    """
    notes: dict[str, Note] = {}
    for note in _notes(_read(folder / WORLD_FILE), folder):
        if note.name in notes:
            raise NoteError(
                f"two notes are called {note.name!r}",
                where=str(folder / WORLD_FILE),
                cure="Rename one.",
            )
        notes[note.name] = note
    questions = tuple(
        _question(line, f"{folder / QUESTIONS_FILE}:{number}")
        for number, line in enumerate(_read(folder / QUESTIONS_FILE).splitlines(), 1)
    )
    for question in questions:
        _check(question, notes, f"{folder / QUESTIONS_FILE}:{question.number}")
    return LinkedSet(folder.name, notes, questions)


def lay_down(linked: LinkedSet, vault: Path) -> None:
    """Write the notes of a set; a file that holds its note already stays untouched."""
    for note in linked.notes.values():
        path = vault / note.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != note.text:
            path.write_text(note.text, encoding="utf-8", newline="")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(
            "does not exist", where=str(path), cure="Name a folder that holds a linked set."
        ) from None


def _notes(world: str, folder: Path) -> Iterator[Note]:
    for number, part in enumerate(f"\n{world}".split(f"\n{_HEAD}")[1:], 1):
        head, _, body = part.partition("\n")
        kind, separator, rest = head.partition(": ")
        if not separator:
            raise NoteError(
                f"note {number} begins with {head!r}",
                where=str(folder / WORLD_FILE),
                cure="Write === TYPE: NAME.",
            )
        fields = [field.strip() for field in rest.split("|")]
        if kind == "note":
            yield _plain(fields[0], body.strip())
        elif kind == "relation":
            yield _relation(fields, body.strip())
        else:
            yield _entity(kind, fields, body.strip())


def _plain(path: str, body: str) -> Note:
    name = path.rsplit("/", 1)[-1]
    return Note(name, f"{path}.md", f"{body}\n", frozenset(_LINK.findall(body)))


def _entity(kind: str, fields: list[str], body: str) -> Note:
    name = fields[0]
    aliases = tuple(one.strip() for one in fields[1].split(";")) if len(fields) > 1 else ()
    abstract, _, overview = body.partition("\n")
    listed = f"aliases: {json.dumps(aliases, ensure_ascii=False)}\n" if aliases else ""
    text = (
        f"---\ntype: {kind}\nabstract: {json.dumps(abstract, ensure_ascii=False)}\n{listed}"
        f"confidence: 0.9\n---\n# {name}\n\n## Overview\n{overview}\n"
    )
    path = f"entities/{kind}/{name}.md"
    return Note(name, path, text, frozenset(_LINK.findall(body)), aliases)


def _relation(fields: list[str], body: str) -> Note:
    source, rel, target = fields[:3]
    confidence = fields[3] if len(fields) > 3 else "0.9"
    name = f"{source} {rel} {target}"
    text = (
        f'---\ntype: relation\nfrom: "[[{source}]]"\nrel: {rel}\nto: "[[{target}]]"\n'
        f"confidence: {confidence}\n---\n[[{source}]] {rel} [[{target}]].\n\n{body}\n"
    )
    links = frozenset({source, target, *_LINK.findall(body)})
    return Note(name, f"relations/{name}.md", text, links)


def _question(line: str, where: str) -> LinkedQuestion:
    try:
        read = json.loads(line)
        question = LinkedQuestion(
            read["n"], read["kind"], read["question"], tuple(read["notes"]), read["answer"]
        )
        hops = read["hops"]
    except (ValueError, KeyError, TypeError) as error:
        raise NoteError(
            f"no question can be read here ({error})", where=where, cure="See the README beside it."
        ) from None
    if question.kind not in KINDS or hops != len(question.notes):
        raise NoteError(
            "kind or hops is wrong",
            where=where,
            cure=f"The kind is one of {', '.join(KINDS)}, hops the number of notes.",
        )
    return question


def _check(question: LinkedQuestion, notes: Mapping[str, Note], where: str) -> None:
    """Raise NoteError unless its notes are there and a bridge's are linked."""
    for name in question.notes:
        if name not in notes:
            raise NoteError(
                f"there is no note called {name!r}", where=where, cure="Name one of the world."
            )
    if question.kind != BRIDGE:
        return
    for place, name in enumerate(question.notes[1:], 1):
        if not any(_linked(notes[name], notes[one], notes) for one in question.notes[:place]):
            raise NoteError(
                f"{name!r} is linked with no note before it",
                where=where,
                cure="Link the two in the world, or mend the order.",
            )


def _linked(one: Note, other: Note, notes: Mapping[str, Note]) -> bool:
    """Say whether one links to the other, or a relation note stands between them."""

    def names(note: Note, links: frozenset[str]) -> bool:
        return not links.isdisjoint((note.name, *note.aliases))

    between = (note for note in notes.values() if note.path.startswith("relations/"))
    return (
        names(one, other.links)
        or names(other, one.links)
        or any(names(one, note.links) and names(other, note.links) for note in between)
    )

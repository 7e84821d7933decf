"""A vault of any size like those that people and agents keep, the same for the same seed.

Of ten notes four are entities, two relations, one a conversation and three a person's own. Beliefs
have evidence that points at turns, and notes link to each other, to some far more often than to
others. The codecs of the notes write them, so they are what commands would write.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from vault_memory.core.conversation import Conversation, Text, Turn
from vault_memory.core.entity import Entity
from vault_memory.core.evidence import EvidenceLine, Polarity
from vault_memory.core.identity import entity_id, line_id, origin_key, relation_id, turn_id
from vault_memory.core.provenance import WEIGHTS, Provenance
from vault_memory.core.summary import Summary
from vault_memory.core.tags import Tags
from vault_memory.evaluation.generated_text import Words
from vault_memory.notes import conversation_note, entity_note, relation_note

_TYPES = ("person", "project", "tool", "service", "concept", "decision")
_RELS = ("knows", "uses", "maintains", "depends_on", "works_on", "reads_from", "decides_about")
_SPEAKERS = ("User", "Assistant")
_SPOKE: tuple[Provenance, ...] = ("human", "human", "agent", "external")
_AREAS = ("work", "house", "reading", "team/meetings", "team/handbook", "journal")
_REMEMBERED = 50
"""How many conversations back evidence points at most."""

_MEMORY = "# Memory\n\n- The timetable changes on the first of March.\n- Review before release.\n"
_CONFIG = "vault_format = 1\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a generated vault looks like.

    Attributes:
        notes: How many notes it has, ``MEMORY.md`` not counted.
        seed: Of everything that is drawn.
        turns: How many turns a conversation has at most, half of that on average; with 50 a note
            has 4 or 5 units.
        paragraphs: How many different paragraphs there are at most, for vaults that must be
            embedded quickly; None for as many as are asked for.
        kinds: What the notes are in turn, a letter each: ``c`` conversation, ``e`` entity, ``r``
            relation, ``n`` a person's own. Turns name no note: where most notes are
            conversations and paragraphs are few, there are few texts to embed.
    """

    notes: int
    seed: int = 1
    turns: int = 50
    paragraphs: int | None = None
    kinds: str = "ceenernern"


def generate(vault: Path, shape: Shape) -> None:
    """Write a vault; a file that is there already and holds the same stays untouched.

    Args:
        vault: Its folder, made when it is not there.
        shape: What it looks like; the same shape gives the same bytes.
    """
    for path, text in generated_notes(shape):
        file = vault / path
        data = text.encode("utf-8")
        if not file.exists() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)


def generated_notes(shape: Shape) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file of a vault, one note at a time."""
    yield ".vaultmem.toml", _CONFIG
    yield "MEMORY.md", _MEMORY
    yield from _Author(shape).notes()


class _Author:
    """Writes one note after the other and remembers what later ones may refer to."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._dice = Random(shape.seed)  # noqa: S311 - notes for a benchmark, no secret
        self._words = Words(shape.seed, paragraphs=shape.paragraphs)
        self._entities: list[tuple[str, str]] = []
        self._related: set[tuple[str, str, str]] = set()
        self._said: deque[tuple[str, Conversation]] = deque(maxlen=_REMEMBERED)
        self._logs = 0

    def notes(self) -> Iterator[tuple[str, str]]:
        write = {
            "c": self._conversation,
            "e": self._entity,
            "r": self._relation,
            "n": self._plain,
        }
        for number in range(self._shape.notes):
            yield write[self._shape.kinds[number % len(self._shape.kinds)]](number)

    def _entity(self, number: int) -> tuple[str, str]:
        words, type_ = self._words, self._dice.choice(_TYPES)
        entity = Entity(
            type_,
            words.name(number),
            words.sentence(),
            overview=words.paragraph(3),
            content=f"{words.paragraph(4)}{self._mention()}" if self._dice.random() < 0.7 else "",
        )
        text = entity_note.encode(
            entity, self._evidence(number), stem=entity.name, today=self._day(number)
        )
        self._entities.append((entity.name, entity_id(type_, entity.name)))
        return f"entities/{type_}/{entity.name}.md", text

    def _relation(self, number: int) -> tuple[str, str]:
        """A relation; as long as there is nothing to relate, an entity."""
        for _ in range(100):
            if len(self._entities) < 2:
                break
            source, target = self._often(), self._dice.choice(self._entities)
            rel = self._dice.choice(_RELS)
            key = (source[0], rel, target[0])
            if source != target and key not in self._related:
                self._related.add(key)
                text = relation_note.encode(
                    source=source[0],
                    rel=rel,
                    target=target[0],
                    lines=self._evidence(number),
                    id=relation_id(source[1], rel, target[1]),
                    today=self._day(number),
                    description=self._words.paragraph(2),
                )
                return f"relations/{source[0]} {rel} {target[0]}.md", text
        return self._entity(number)

    def _conversation(self, number: int) -> tuple[str, str]:
        self._logs += 1
        session, day = f"generated-{self._shape.seed}-{number}", self._day(number)
        turns = tuple(
            Turn(
                turn_id(session, str(at)),
                _SPEAKERS[at % 2],
                f"{day}T{9 + at // 60:02d}:{at % 60:02d}:00Z",
                (Text(self._words.paragraph(2)),),
            )
            for at in range(self._dice.randint(2, max(2, self._shape.turns)))
        )
        conversation = Conversation(
            session,
            turns,
            title=self._words.name(number),
            started=turns[0].time,
            ended=turns[-1].time,
            duration_seconds=60 * (len(turns) - 1),
        )
        stem = conversation_note.note_stem(self._logs)
        self._said.append((stem, conversation))
        summary = Summary(turns[0].text, topics=("timetable", "harbour"))
        text = conversation_note.render(conversation, log=self._logs, summary=summary, tags=Tags())
        return f"conversations/{stem}.md", text

    def _plain(self, number: int) -> tuple[str, str]:
        words, name = self._words, f"On {self._words.name(number)}"
        parts = [f"# {name}\n\n{words.paragraph(2)}{self._mention()}\n"]
        parts += [
            f"## {words.name(at)}\n{words.paragraph(4)}{self._mention()}\n"
            for at in range(self._dice.randint(1, 4))
        ]
        head = f"---\ntags: [generated]\ncreated: {self._day(number)}\n---\n"
        return f"{self._dice.choice(_AREAS)}/{name}.md", head + "\n".join(parts)

    def _mention(self) -> str:
        """A sentence that links to a note, sometimes."""
        if not self._entities or self._dice.random() < 0.4:
            return ""
        return f" See [[{self._often()[0]}]]."

    def _often(self) -> tuple[str, str]:
        """One of the entities; the older, the more often."""
        return self._entities[int(len(self._entities) * self._dice.random() ** 3)]

    def _evidence(self, number: int) -> list[EvidenceLine]:
        return [self._observed(f"{number} {at}") for at in range(self._dice.randint(1, 3))]

    def _observed(self, where: str) -> EvidenceLine:
        """An observation in a turn of a late conversation; before there is any, a person's."""
        polarity: Polarity = "contradicts" if self._dice.random() < 0.1 else "supports"
        provenance = self._dice.choice(_SPOKE)
        origin, source, quote = f"person:generated:{where}", "", ""
        if self._said:
            stem, conversation = self._dice.choice(self._said)
            turn = self._dice.choice(conversation.turns)
            origin, source = conversation.session_id, f"{stem}#^{turn.id}"
            quote = turn.text[:80]
        return EvidenceLine(
            line_id(origin, provenance, polarity),
            f"2026-0{self._dice.randint(1, 9)}-1{self._dice.randint(0, 9)}",
            polarity,
            provenance,
            WEIGHTS[provenance],
            origin_key(origin),
            source=source,
            linked=bool(source),
            quote=quote,
        )

    def _day(self, number: int) -> str:
        return f"2026-0{1 + number // 28 % 9}-{1 + number % 28:02d}"

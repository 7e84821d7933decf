"""The graph of a vault, read from the index as walks and rankings ask for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from vault_memory.core.expansion import MOST_EDGES
from vault_memory.core.graph import Edge, Node
from vault_memory.core.identity import fold
from vault_memory.flows.believing import effective_confidence
from vault_memory.flows.relation_items import last_part
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.rows import LinkRow, NoteRow, RelationRow

LINK = "links_to"
"""The verb of a wikilink, which says that two notes have to do with each other and no more."""

LINK_CONFIDENCE = 0.3
"""Where a wikilink stands among relations, which are beliefs: behind all but the doubtful."""


@dataclass
class GraphView:
    """Nodes by path, an end without a note by its folded name; edges by the path that says them.

    Attributes:
        index: The open index.
        today: The UTC day, for the age of beliefs.
    """

    index: VaultIndex
    today: date
    _notes: dict[int, NoteRow] = field(default_factory=dict)
    _by_path: dict[str, NoteRow] = field(default_factory=dict)
    _nodes: dict[str, Node] = field(default_factory=dict)
    _edges: dict[str, list[Edge]] = field(default_factory=dict)
    _hubs: set[str] = field(default_factory=set)
    relations: dict[str, NoteRow] = field(default_factory=dict)

    def node(self, note: NoteRow) -> Node:
        """The node of a note."""
        self._notes[note.key] = self._by_path[note.path] = note
        standing = note.standing
        node = Node(
            key=note.path,
            id=note.id,
            name=note.name,
            type=note.type,
            abstract=note.abstract,
            unsupported=bool(standing and standing.unsupported),
        )
        self._nodes[node.key] = node
        return node

    def node_of(self, key: str) -> Node | None:
        """The node with this key, which an edge has named."""
        return self._nodes.get(key)

    def note_of(self, key: str) -> NoteRow | None:
        """The note with this path, which an edge has named."""
        return self._by_path.get(key)

    def edges_of(self, key: str) -> Sequence[Edge]:
        """Every relation and link that touches a node; links only where no relation says more."""
        if key not in self._edges:
            note = self.index.catalog.note(key)
            self._edges[key] = self._edges_of_note(note) if note else self._edges_of_name(key)
        return self._edges[key]

    def few_edges_of(self, key: str) -> Sequence[Edge]:
        """The edges of a node that has at most ``MOST_EDGES``, none of another."""
        if key not in self._edges and key not in self._hubs:
            note = self.index.catalog.note(key)
            if note and self.index.catalog.touching(note.key, most=MOST_EDGES + 1) > MOST_EDGES:
                self._hubs.add(key)
        return () if key in self._hubs else self.edges_of(key)

    def _edges_of_note(self, note: NoteRow) -> list[Edge]:
        catalog = self.index.catalog
        self.node(note)
        relations = catalog.relations_of([note.key])
        outward, inward = catalog.links_from([note.key]), catalog.links_to([note.key])
        keys = [row.note for row in relations]
        keys += [k for row in relations for k in (row.source_note, row.target_note) if k]
        keys += [row.target_note for row in outward if row.target_note]
        keys += [row.note for row in inward]
        self._learn(keys)
        edges = [edge for row in relations for edge in self._relation(row, note)]
        linked = {edge.far_end(note.path) for edge in edges}
        said = {row.note for row in relations}
        links = [*outward, *(row for row in inward if row.note not in said)]
        return edges + self._links(links, note, linked)

    def _edges_of_name(self, key: str) -> list[Edge]:
        found = self._loose.get(key, [])
        self._learn([row.note for row in found])
        self._learn([k for row in found for k in (row.source_note, row.target_note) if k])
        return [self._edge(row) for row in found]

    @cached_property
    def _loose(self) -> dict[str, list[RelationRow]]:
        """The relations by the folded names of their ends that no note bears."""
        found: dict[str, list[RelationRow]] = {}
        for row in self.index.catalog.relations():
            ends = ((row.source_note, row.source), (row.target_note, row.target))
            for name in {fold(last_part(written)) for key, written in ends if key is None}:
                found.setdefault(name, []).append(row)
        return found

    def _relation(self, row: RelationRow, seen_from: NoteRow) -> list[Edge]:
        """The edge of a relation; seen from the relation note itself, its two ends are near it."""
        if row.note != seen_from.key:
            return [self._edge(row)]
        sure = effective_confidence(self.index, seen_from, self.today, ends=self._ends_known(row))
        source, target = self._ends(row)
        return [
            Edge(f"{seen_from.path}#from", seen_from.path, "from", source, sure),
            Edge(f"{seen_from.path}#to", seen_from.path, "to", target, sure),
        ]

    def _edge(self, row: RelationRow) -> Edge:
        note = self._notes[row.note]
        self.relations[note.path] = note
        source, target = self._ends(row)
        return Edge(
            key=note.path,
            source=source,
            rel=row.rel,
            target=target,
            effective=effective_confidence(
                self.index, note, self.today, ends=self._ends_known(row)
            ),
            unsupported=bool(note.standing and note.standing.unsupported),
        )

    def _links(self, rows: Iterable[LinkRow], note: NoteRow, linked: set[str]) -> list[Edge]:
        edges: dict[str, Edge] = {}
        for row in rows:
            if row.target_note is None or row.target_note == row.note:
                continue
            source, target = self._notes[row.note].path, self._notes[row.target_note].path
            far = target if source == note.path else source
            if far not in linked:
                key = f"{source} {LINK} {target}"
                edges[key] = Edge(key, source, LINK, target, LINK_CONFIDENCE, link=True)
        return list(edges.values())

    def _ends_known(self, row: RelationRow) -> list[NoteRow]:
        keys = (row.source_note, row.target_note)
        return [self._notes[key] for key in keys if key is not None and key in self._notes]

    def _ends(self, row: RelationRow) -> tuple[str, str]:
        return (
            self._end(row.source_note, row.source),
            self._end(row.target_note, row.target),
        )

    def _end(self, key: int | None, written: str) -> str:
        if key is not None and key in self._notes:
            return self._notes[key].path
        name = last_part(written)
        bare = fold(name)
        self._nodes.setdefault(bare, Node(bare, "", name, ""))
        return bare

    def _learn(self, keys: Iterable[int]) -> None:
        unknown = {key for key in keys if key not in self._notes}
        for note in self.index.catalog.notes_by_key(unknown).values():
            self.node(note)

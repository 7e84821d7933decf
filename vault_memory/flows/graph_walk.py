"""What hangs together with the best of what was found, and what that adds to a ranking."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from vault_memory.core.expansion import Reached, expand
from vault_memory.core.ranking import Ranked
from vault_memory.flows.graph_search import each_note_once
from vault_memory.flows.graph_view import GraphView
from vault_memory.flows.retrieve import Found, Retrieved
from vault_memory.flows.vault_index import VaultIndex

if TYPE_CHECKING:
    from vault_memory.index.rows import UnitRow


@dataclass(frozen=True, slots=True)
class GraphWalk:
    """A walk from the best of what was found.

    Attributes:
        view: The graph.
        reached: What it came to, by the path of the note.
        unsupported: Whether beliefs that no evidence supports any more may be answered.
    """

    view: GraphView
    reached: dict[str, Reached]
    unsupported: bool

    @classmethod
    def of(
        cls, index: VaultIndex, direct: Retrieved, *, depth: int, unsupported: bool, today: date
    ) -> "GraphWalk":
        """Walk from the best notes.

        Args:
            index: The open index.
            direct: What was found; turns are nowhere in the graph.
            depth: How many edges to follow; 0 for none.
            unsupported: Whether to follow edges that no evidence supports any more.
            today: The UTC day.
        """
        view = GraphView(index, today)
        scores = {
            one.note.path: one.ranked.score
            for one in each_note_once(direct.found)
            if one.unit.kind != "turn" and one.ranked.score > 0
        }
        reached = expand(scores, view.few_edges_of, depth=depth, unsupported=unsupported)
        return cls(view, reached, unsupported)

    def added_to(self, retrieved: Retrieved, kinds: Collection[str]) -> Retrieved:
        """Return what was found and what was reached, best first; equal ones by path and place.

        A note that was found gains what it inherits; one that was only reached comes with its
        first unit.

        Args:
            retrieved: What was found.
            kinds: The kinds of units to return.
        """
        known = {one.note.path for one in retrieved.found}
        raised = [self._raised(one) for one in retrieved.found if one.unit.kind in kinds]
        raised += self._others(set(self.reached) - known, kinds)
        raised.sort(key=lambda one: (-one.ranked.score, one.note.path, one.unit.ordinal))
        return replace(retrieved, found=tuple(raised))

    def _raised(self, one: Found) -> Found:
        way = self.reached.get(one.note.path)
        if way is None or one.unit.kind == "turn":
            return one
        ranked = replace(
            one.ranked,
            score=one.ranked.score + way.score,
            found_by=(*one.ranked.found_by, "graph"),
        )
        return replace(one, ranked=ranked, via=self._via(way))

    def _others(self, paths: Collection[str], kinds: Collection[str]) -> list[Found]:
        notes = {
            note.key: note
            for path in paths
            if (note := self.view.note_of(path)) is not None
            and note.kind in kinds
            and (self.unsupported or not (note.standing and note.standing.unsupported))
        }
        first: dict[int, UnitRow] = {}
        for unit in self.view.index.catalog.units_of(notes):
            first.setdefault(unit.note, unit)
        return [
            Found(
                unit,
                notes[key],
                Ranked(unit.id, (way := self.reached[notes[key].path]).score, {}, ("graph",)),
                via=self._via(way),
            )
            for key, unit in first.items()
        ]

    def _via(self, way: Reached) -> tuple[str, ...]:
        """The paths of the relation notes on the way; of a link, the note that holds it."""
        return tuple(
            edge.key if edge.key in self.view.relations else edge.source for edge in way.via
        )

"""How probable it is that what was found answers, and turns and notes in one order by that."""

from collections.abc import Sequence
from dataclasses import replace

from vault_memory.core.probability import lag, probabilities
from vault_memory.flows.retrieve import Found, Retrieved


def judged(retrieved: Retrieved) -> Retrieved:
    """Return what was found with its probabilities, the most probable first.

    Turns stay in their order among themselves, and so do notes. Where the two are found together
    each gets the score of the place it comes to, and ``kind`` among its parts is what that differs
    from its own.

    Args:
        retrieved: All of what was found, best first, whatever will be shown of it.
    """
    found = retrieved.found
    if not found:
        return retrieved
    turns, notes = turns_by_score(found), notes_by_score(found)
    best = found[0].ranked.score
    behind = lag([one.ranked.score for one, _ in turns], best)
    of_turns = probabilities([score for _, score in turns], lag=behind)
    behind = lag([score for _, score in notes], best)
    of_notes = probabilities([score for _, score in notes], lag=behind)
    chances = {one.unit.id: chance for (one, _), chance in zip(turns, of_turns, strict=True)}
    by_note = {one.note.key: chance for (one, _), chance in zip(notes, of_notes, strict=True)}
    chances |= {one.unit.id: by_note[one.note.key] for one in found if one.unit.kind != "turn"}
    told = [replace(one, probability=chances[one.unit.id]) for one in found]
    return replace(retrieved, found=tuple(_in_one_order(told) if turns and notes else told))


def turns_by_score(found: Sequence[Found]) -> list[tuple[Found, float]]:
    """Return the turns, best first, with the scores that they were last ranked by.

    Those that were not looked at a second time have the score of the last that was.
    """
    turns = [one for one in found if one.unit.kind == "turn"]
    again = [sum(one.ranked.again.values()) for one in turns if one.ranked.again]
    if not again:
        return [(one, one.ranked.score) for one in turns]
    return [(one, again[min(at, len(again) - 1)]) for at, one in enumerate(turns)]


def notes_by_score(found: Sequence[Found]) -> list[tuple[Found, float]]:
    """Return the best unit of each note that is no conversation, best first, with its score."""
    best: dict[int, Found] = {}
    for one in found:
        if one.unit.kind != "turn":
            best.setdefault(one.note.key, one)
    return [(one, one.ranked.score) for one in best.values()]


def _in_one_order(found: Sequence[Found]) -> list[Found]:
    order = sorted(found, key=lambda one: -one.probability)
    return [_moved(one, place.ranked.score) for one, place in zip(order, found, strict=True)]


def _moved(one: Found, score: float) -> Found:
    own = one.ranked
    if score == own.score:
        return one
    parts = own.parts | {"kind": score - own.score}
    return replace(one, ranked=replace(own, score=score, parts=parts))

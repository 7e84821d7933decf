"""Answers as lines for a person to read on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vault_memory.core.answers import Belief, EvidenceItem, ListAnswer, ShowAnswer, WriteAnswer
    from vault_memory.core.found import (
        About,
        Explanation,
        Hit,
        QueryAnswer,
        SearchAnswer,
        TraverseAnswer,
    )

MOST_SHOWN = 200
"""Characters of a text shown in a list."""


def percent(belief: Belief | None) -> str:
    """The effective confidence as edges show it, ``[85%]``; empty without a belief."""
    return f"[{round(100 * belief['effective'])}%]" if belief else ""


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 note``, ``2 notes``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def short(text: str) -> str:
    """The text on one line, cut to what a list shows."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MOST_SHOWN else flat[: MOST_SHOWN - 1].rstrip() + "…"


def searched(answer: SearchAnswer) -> Iterator[str]:
    """The hits of a search, and whom they are not about."""
    yield from missing(answer["about"], answer["hits"])
    yield from hits(answer["hits"])


def missing(about: About, found: Sequence[Hit]) -> Iterator[str]:
    """Whom the query asks for and none of the hits is about."""
    if about["missing"] and found:
        speak = f"; they speak of {', '.join(about['found'])}" if about["found"] else ""
        yield f"None of these is about {' or '.join(about['missing'])}{speak}."
    if about["closer"]:
        asked = " and ".join(about["asked"])
        yield f"What {about['closer']} said fits better than what {asked} said, who was asked for."


def hits(found: Sequence[Hit]) -> Iterator[str]:
    """Hits, best first."""
    if not found:
        yield "Nothing found."
    for number, hit in enumerate(found, 1):
        yield from hit_lines(number, hit)


def queried(answer: QueryAnswer) -> Iterator[str]:
    """The hits of a query, then its episodes, and whom they are not about."""
    yield from missing(answer["about"], [*answer["hits"], *answer["episodes"]])
    if answer["hits"] or not answer["episodes"]:
        yield from hits(answer["hits"])
    if answer["hits"] and answer["episodes"]:
        yield ""
    if answer["episodes"]:
        yield "Episodes:"
        yield from hits(answer["episodes"])


def hit_lines(number: int, hit: Hit) -> Iterator[str]:
    """One hit: what it is and how sure, what it says, and where it lies."""
    name = hit["name"] if hit["kind"] == "relation" else f"{hit['name']} ({hit['type']})"
    sure = percent(hit["belief"])
    yield f"{number}. {name}{' ' + sure if sure else ''}  {hit['score']:.2f}"
    said = hit["text"] if hit["speaker"] else hit["abstract"] or hit["text"]
    speaker = f"{hit['speaker']}: " if hit["speaker"] else ""
    if said:
        yield f"   {short(speaker + said)}"
    day = f" · {hit['date'][:10]}" if hit["date"] and hit["speaker"] else ""
    way = f" · via {' → '.join(hit['via'])}" if hit["via"] else ""
    yield f"   {hit['path']}:{hit['line']}{day}{way}"
    if "explain" in hit:
        yield f"   answers with a probability of {hit['probability']:.0%}, if anything here does"
        yield from explanation(hit["explain"])


def explanation(told: Explanation) -> Iterator[str]:
    """Why a hit scores what it does, a line each part."""
    for part in told["parts"]:
        yield f"   {part['adds']:+.2f} {part['why']}"
    if told["again"]:
        yield f"   compared once more, {sum(part['adds'] for part in told['again']):.2f}:"
    for part in told["again"]:
        yield f"     {part['adds']:+.2f} {part['why']}"


def walk(answer: TraverseAnswer) -> Iterator[str]:
    """A walk as a tree: each edge under the note it was taken from."""
    types = {node["path"] or node["name"]: node["type"] for node in answer["nodes"]}
    start = answer["nodes"][0]
    yield f"{start['name']} ({start['type']})"
    if start["abstract"]:
        yield f"  {short(start['abstract'])}"
    for edge in answer["edges"]:
        out = edge["direction"] == "out"
        far = edge["to"] if out else edge["from"]
        path = edge["to_path"] if out else edge["from_path"]
        arrow = f"─{edge['rel']}→" if out else f"←{edge['rel']}─"
        type_ = types.get(path or far, "")
        kind = f" ({type_})" if type_ else ""
        sure = percent(edge["belief"])
        yield f"{'  ' * edge['depth']}{arrow} {far}{kind}{' ' + sure if sure else ''}"
    if answer["hidden"]:
        yield f"{answer['hidden']} left out below 10 % effective confidence"


def shown(answer: ShowAnswer) -> Iterator[str]:
    """One entity or relation, as much of it as was asked for."""
    sure = percent(answer["belief"])
    yield f"{answer['name']} ({answer['type']}){' ' + sure if sure else ''}"
    yield f"{answer['path']}{' · id ' + answer['id'] if answer['id'] else ''}"
    if answer["aliases"]:
        yield f"Also: {', '.join(answer['aliases'])}"
    for tier in (answer["abstract"], answer["overview"], answer["content"]):
        if tier:
            yield ""
            yield tier
    belief = answer["belief"]
    if belief:
        low, high = belief["interval"]
        yield ""
        yield (
            f"Confidence {belief['confidence']:.4f} (alpha {belief['alpha']:g}, beta "
            f"{belief['beta']:g}; 90 % within {low:.2f} and {high:.2f}), "
            f"{belief['effective']:.2f} with age; prior {belief['prior']}"
        )
    for line in answer["evidence"]:
        yield f"  {evidence(line)}"
    for relation in answer["relations"] or []:
        sure = percent(relation["belief"])
        yield f"  {relation['from']} {relation['rel']} {relation['to']} {sure}".rstrip()


def evidence(line: EvidenceItem) -> str:
    """One evidence line."""
    source = f" {line['source']}" if line["source"] else ""
    quote = f' "{line["quote"]}"' if line["quote"] else ""
    gone = " (retracted)" if line["retracted"] else ""
    said = f"{line['date']} {line['polarity']} {line['provenance']} {line['weight']:g}"
    return f"{said}{source}{quote}{gone}"


def listed(answer: ListAnswer) -> Iterator[str]:
    """All entities, then all relations, a line each."""
    for entity in answer["entities"]:
        what = f": {short(entity['abstract'])}" if entity["abstract"] else ""
        sure = percent(entity["belief"])
        yield f"{entity['name']} ({entity['type']}){' ' + sure if sure else ''}{what}"
    for relation in answer["relations"]:
        sure = percent(relation["belief"])
        yield f"{relation['from']} {relation['rel']} {relation['to']} {sure}".rstrip()
    if not answer["entities"] and not answer["relations"]:
        yield "Nothing yet."


def written(answer: WriteAnswer) -> Iterator[str]:
    """What a command wrote, or with a dry run what it would."""
    if answer["diff"] is not None:
        yield answer["diff"].rstrip("\n") or "Nothing would change."
        return
    yield from (f"Created {path}" for path in answer["created"])
    yield from (f"Changed {path}" for path in answer["changed"])
    if not answer["created"] and not answer["changed"]:
        yield "Nothing changed."
    belief = answer["belief"]
    if belief:
        yield (
            f"Confidence {belief['confidence']:.4f} "
            f"(alpha {belief['alpha']:g}, beta {belief['beta']:g})"
        )

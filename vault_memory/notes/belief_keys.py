"""The belief keys of a note: read from its frontmatter, and what they should cache."""

from collections.abc import Mapping

from vault_memory.core.belief import agree, day_of, prior_counts, write_number
from vault_memory.core.declared import Base, Declared, base_of
from vault_memory.core.evidence import Tally
from vault_memory.core.findings import Finding
from vault_memory.core.provenance import PROVENANCES
from vault_memory.notes.frontmatter import Frontmatter
from vault_memory.notes.frontmatter_edit import says
from vault_memory.notes.scalars import REMOVE, Scalar, Value, auto, plain, quoted, render_scalar

BASE_RULES = frozenset(
    {"frontmatter-number", "confidence-range", "counts-incomplete", "prior-unknown"}
)
"""The rules of findings that leave open what a belief stood at before its next line."""


def read_declared(front: Frontmatter) -> Declared:
    """Return what the keys of a note say of its belief; what is no value counts as missing."""
    confidence = front.number("confidence")
    provenance = front.get("provenance") or ""
    return Declared(
        prior=front.get("prior") or "",
        alpha=front.number("alpha"),
        beta=front.number("beta"),
        confidence=confidence if confidence is not None and confidence <= 1 else None,
        provenance=provenance if provenance in PROVENANCES else "",
        valid_from=front.get("valid_from") or "",
        valid_until=front.get("valid_until") or "",
    )


def key_findings(front: Frontmatter, path: str) -> list[Finding]:
    """Return what is wrong with the belief keys of a note."""
    found = [
        problem.finding(path)
        for name in ("confidence", "alpha", "beta", "self")
        if (problem := front.bad_number(name))
    ]

    def tell(name: str, rule: str, message: str) -> None:
        key = front.key(name)
        found.append(Finding(path, key.line if key else 1, rule, message, "error"))

    confidence = front.number("confidence")
    if confidence is not None and confidence > 1:
        tell("confidence", "confidence-range", "confidence is above 1; write one from 0 to 1")
    conflict = any(problem.rule == "frontmatter-conflict" for problem in front.problems)
    for one, other in (("alpha", "beta"), ("beta", "alpha")):
        if conflict:
            break
        if front.number(one) is not None and front.key(other) is None:
            tell(one, "counts-incomplete", f"{one} without {other} counts for nothing; add {other}")
    prior = front.get("prior")
    if prior != "" and front.key("prior") and prior_counts(prior or "") is None:
        tell(
            "prior",
            "prior-unknown",
            "no prior that is known; write authoritative, explicit, inferred, speculative or a pair"
            ' such as "4:6"',
        )
    provenance = front.get("provenance")
    if provenance != "" and front.key("provenance") and provenance not in PROVENANCES:
        tell("provenance", "provenance-unknown", "write external, human or agent")
    for name in ("valid_from", "valid_until"):
        if front.get(name) != "" and front.key(name) and day_of(front.get(name) or "") is None:
            tell(name, "date-invalid", f"{name} is no day; write one such as 2026-03-06")
    return found


def cached(front: Frontmatter, total: Tally) -> dict[str, Value]:
    """Return the keys that cache what the evidence comes to, as they should stand.

    A key that is not here stays as it is: a provenance when no support counts, ``created`` when it
    is no later than the first line or no day, ``updated`` when it has the day of the last line.
    """
    own = write_number(total.self_part)
    values: dict[str, Value] = {
        "confidence": plain(write_number(total.counts.mean)),
        "alpha": plain(write_number(total.alpha)),
        "beta": plain(write_number(total.beta)),
        "self": REMOVE if own == "0" else plain(own),
    }
    if total.provenance:
        values["provenance"] = plain(total.provenance)
    written = front.get("created") or ""
    created = day_of(written)
    if total.created and (not written or (created and total.created < created.isoformat())):
        values["created"] = plain(total.created)
    updated = day_of(front.get("updated") or "")
    if total.updated and (updated is None or total.updated != updated.isoformat()):
        values["updated"] = plain(total.updated)
    return values


def first_keys(prior: str) -> list[str]:
    """Return the lines of frontmatter for a belief that has no evidence yet.

    Args:
        prior: A name or a pair; what is neither counts as explicit.
    """
    base = base_of(Declared(prior=prior), has_lines=False)
    return [
        f"confidence: {write_number(base.counts.mean)}",
        f"alpha: {write_number(base.counts.alpha)}",
        f"beta: {write_number(base.counts.beta)}",
        f"prior: {render_scalar(prior_value(base))}",
    ]


def prior_value(base: Base) -> Scalar:
    """Return a base as it is written: a name as it is, a pair in quotes."""
    return quoted(base.prior) if ":" in base.prior else auto(base.prior)


def counts_agree(declared: Declared, total: Tally) -> bool:
    """Tell whether the counts that a note caches are those of its evidence."""
    if declared.alpha is None or declared.beta is None:
        return False
    return agree(declared.alpha, total.alpha) and agree(declared.beta, total.beta)


def confidence_agrees(declared: Declared, total: Tally) -> bool:
    """Tell whether a note's confidence is that of its evidence, or missing."""
    return declared.confidence is None or agree(declared.confidence, total.counts.mean)


def differing(front: Frontmatter, values: Mapping[str, Value]) -> bool:
    """Tell whether a note's keys say anything else than these values."""
    return any(not says(front.key(name), value) for name, value in values.items())

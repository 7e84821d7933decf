"""Values in the form SQLite holds them, and back."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vault_memory.core.belief import Standing
    from vault_memory.core.findings import Finding


def stored_list(values: "Iterable[int] | Iterable[str]") -> str:
    """Return some values as one, for ``json_each`` to take apart."""
    import json

    return json.dumps(list(values))


def stored_text(text: str) -> str:
    """Return a text that can be stored: what stands for bytes that were not UTF-8 becomes ``?``."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def stored_path(path: str) -> str | bytes:
    """Return a path that can be stored and found again, also one that is not UTF-8 on disk."""
    if path.isascii():
        return path
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")
    return path


def read_path(stored: str | bytes) -> str:
    """Return the path that ``stored_path`` was given."""
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogateescape")


def stored_number(number: int) -> int:
    """Return an unsigned 64-bit number, such as an inode, as the signed one SQLite holds."""
    return number if number < 1 << 63 else number - (1 << 64)


def read_number(stored: int) -> int:
    """Return the number that ``stored_number`` was given."""
    return stored if stored >= 0 else stored + (1 << 64)


def stored_standing(standing: "Standing | None") -> str | None:
    """Return a belief as JSON; the numbers stay decimal, as text."""
    if standing is None:
        return None
    import json

    numbers = [str(n) for n in (standing.alpha, standing.beta, standing.self_part)]
    texts = [
        standing.prior,
        standing.provenance,
        standing.valid_from,
        standing.valid_until,
        standing.last_support,
    ]
    return json.dumps([numbers, texts, standing.unsupported])


def read_standing(stored: str | None) -> "Standing | None":
    """Return the belief that ``stored_standing`` was given.

    Raises:
        ValueError, ArithmeticError: It is not what was stored.
    """
    if stored is None:
        return None
    import json
    from decimal import Decimal

    from vault_memory.core.belief import Standing

    numbers, texts, unsupported = json.loads(stored)
    alpha, beta, self_part = map(Decimal, numbers)
    prior, provenance, *days = texts
    valid_from, valid_until, last_support = days
    return Standing(
        alpha,
        beta,
        self_part,
        prior,
        provenance,
        valid_from,
        valid_until,
        last_support,
        unsupported,
    )


def stored_findings(findings: "tuple[Finding, ...]") -> str | None:
    """Return findings as JSON, without the path, which is the note's; None when there are none."""
    if not findings:
        return None
    import json

    return json.dumps([[f.line, f.rule, f.message, f.severity, f.fixable] for f in findings])


def read_findings(stored: str | None, path: str) -> "tuple[Finding, ...]":
    """Return the findings that ``stored_findings`` was given, of the note at this path.

    Raises:
        ValueError, TypeError: It is not what was stored.
    """
    if not stored:
        return ()
    import json

    from vault_memory.core.findings import Finding

    return tuple(Finding(path, *fields) for fields in json.loads(stored))

"""What is wrong or odd in a vault, as values that are collected and never thrown."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that ``check`` reports.

    Attributes:
        path: The note, relative to the vault; empty for the vault itself.
        line: 1-based line in the file; 0 when the whole note is meant.
        rule: Stable name in kebab case, such as ``frontmatter-unparsable``.
        message: What is wrong and what to do, one line.
        severity: ``error`` costs data or correctness, ``warning`` may, ``notice`` only informs.
        fixable: Whether ``check --fix`` mends it.
    """

    path: str
    line: int
    rule: str
    message: str
    severity: Severity = "warning"
    fixable: bool = False

"""A note taken apart once: its frontmatter and sections, which every decoder builds on."""

import re
from dataclasses import dataclass

from vault_memory.core.entity import entity_type
from vault_memory.core.findings import Finding
from vault_memory.core.identity import nfc
from vault_memory.core.note import Link
from vault_memory.notes.conflicts import conflict_regions, strip_conflicts
from vault_memory.notes.covered import covered_by
from vault_memory.notes.evidence_lines import is_evidence
from vault_memory.notes.frontmatter import Frontmatter, parse
from vault_memory.notes.sections import Section, sections
from vault_memory.notes.text import decode_bytes
from vault_memory.notes.wikilinks import link_spans, parse_link

_UNSOUND = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A note as its decoder needs it.

    Attributes:
        path: Relative to the vault, with ``/``, in the form found on disk.
        text: The note, conflicts blanked out and undecodable bytes as U+FFFD: spans and line
            numbers are those of the note itself.
        front: Its frontmatter.
        sections: Its body by headings; none for a conversation, which is read by turns.
        findings: What is odd about it whatever its kind.
    """

    path: str
    text: str
    front: Frontmatter
    sections: tuple[Section, ...]
    findings: tuple[Finding, ...]

    @property
    def stem(self) -> str:
        """The file's name without ``.md``, composed."""
        name = self.path.rpartition("/")[2]
        return nfc(sound(name[:-3] if name[-3:].lower() == ".md" else name))

    @property
    def aliases(self) -> tuple[str, ...]:
        """What the note's ``aliases`` give, in order, each once."""
        listed = [*self.front.get_list("aliases"), *self.front.get_list("alias")]
        return tuple(dict.fromkeys(nfc(sound(alias)) for alias in listed))

    @property
    def title(self) -> str:
        """The title in the frontmatter, else the first heading of the first level."""
        first = next((section.title for section in self.sections if section.level == 1), "")
        return self.scalar("title") or first

    @property
    def holds_belief(self) -> bool:
        """Whether the note is an entity or a relation, by its type."""
        written = self.scalar("type")
        return written == "relation" or entity_type(written) is not None

    def is_evidence(self, section: Section) -> bool:
        """Tell whether a section is evidence of a belief; in other notes it is text like any."""
        return is_evidence(section) and self.holds_belief

    def scalar(self, name: str) -> str:
        """Return a key's text, without blanks around it; empty when missing or no scalar."""
        return sound(self.front.get(name) or "").strip()

    def line_of(self, name: str) -> int:
        """Return the 1-based line of a key; 1 when it is missing."""
        key = self.front.key(name)
        return key.line if key else 1

    def links(self, *, without: frozenset[str] = frozenset()) -> tuple[Link, ...]:
        """Return the links of the frontmatter and the prose, in order.

        Those in the evidence of a belief are left out.

        Args:
            without: Keys whose links are something else.
        """
        in_evidence = covered_by(
            [(part.start, part.outer_end) for part in self.sections if self.is_evidence(part)]
        )
        found = [
            span.link
            for span in link_spans(self.text, self.front.body)
            if not in_evidence(span.start)
        ]
        return tuple(_sound_link(link) for link in [*self._front_links(without), *found])

    def _front_links(self, without: frozenset[str]) -> list[Link]:
        found = []
        for key in self.front.keys:
            if key.name in without or self.text.find("[[", key.start, key.end) < 0:
                continue
            values = [item.text for item in key.items or ()] if key.text is None else [key.text]
            links = [parse_link(value, key.line) for value in values]
            found += [link for link in links if link]
        return found


def read(path: str, data: bytes) -> Reading:
    """Take a note apart; what is wrong with it becomes findings.

    Args:
        path: Relative to the vault.
        data: The note's bytes.
    """
    raw = decode_bytes(data)
    text = sound(raw)
    findings = conflict_findings(path, text)
    front = parse(text)
    findings = [*front.findings(path), *(one for one in findings if not _told(one, front))]
    if text is not raw:
        line = raw.count("\n", 0, next(_UNSOUND.finditer(raw)).start()) + 1
        message = "not valid UTF-8 here; save the note as UTF-8"
        findings.append(Finding(path, line, "not-utf8", message))
    clean = strip_conflicts(text)
    parts = () if front.get("type") == "conversation" else sections(clean, front.body)
    return Reading(path, clean, front, parts, tuple(findings))


def conflict_findings(path: str, text: str) -> list[Finding]:
    """Name every git conflict that stands in a file of the vault.

    Args:
        path: Relative to the vault.
        text: The whole file.
    """
    message = (
        "an unresolved git conflict: its lines are not indexed; resolve it by hand or with"
        " vaultmem resolve"
    )
    return [
        Finding(path, region.line, "conflict-markers", message, "error")
        for region in conflict_regions(text)
    ]


def sound(text: str) -> str:
    """Return the text with U+FFFD for every lone surrogate, so that it can be encoded anywhere."""
    if text.isascii() or not _UNSOUND.search(text):
        return text
    return _UNSOUND.sub("\ufffd", text)


def _told(finding: Finding, front: Frontmatter) -> bool:
    """Tell whether the frontmatter's own problems name this conflict already."""
    return any(
        problem.rule == "frontmatter-conflict" and problem.line == finding.line
        for problem in front.problems
    )


def _sound_link(link: Link) -> Link:
    if sound(link.target) is link.target and sound(link.anchor) is link.anchor:
        return link
    return Link(sound(link.target), sound(link.anchor), link.line, link.embed)

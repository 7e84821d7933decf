"""A change set: what a flow wants to write, as plain data that can be shown, refused or applied."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """One file to create, replace or remove.

    Attributes:
        path: Relative to the vault, with ``/``, in the form found on disk.
        before: The exact bytes the change was computed from; None if the file must not exist.
        after: The new bytes; None removes the file.
    """

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes that belong together, in the order they are applied.

    Attributes:
        changes: At most one for each path; changes whose bytes stay the same are left out.
        message: One line that says what the changes do, fit for a commit.
    """

    changes: tuple[Change, ...] = ()
    message: str = ""

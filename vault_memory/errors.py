"""Every error a person or program can meet: what is wrong, where, and what to do about it."""


class VaultmemError(Exception):
    """An error that is told to the user in one line, never as a traceback.

    Args:
        problem: What is wrong, without a final full stop.
        where: The file (with line, when known) or thing that is wrong.
        cure: What to do about it, as a sentence.
    """

    code = "error"
    """The stable word that programs see in the JSON form of the error."""

    exit_code = 1
    """The exit code of a command that ends with this error."""

    def __init__(self, problem: str, *, where: str = "", cure: str = "") -> None:
        self.problem = problem
        self.where = where
        self.cure = cure
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The whole error as one line."""
        head = f"{self.where}: {self.problem}" if self.where else self.problem
        return f"{head}. {self.cure}" if self.cure else head


class UsageError(VaultmemError):
    """The words of the command do not fit together."""

    code = "usage"
    exit_code = 2


class NotFoundError(VaultmemError):
    """A vault, note, belief or file that was named does not exist."""

    code = "not_found"
    exit_code = 3


class AmbiguousError(VaultmemError):
    """A name fits several notes."""

    code = "ambiguous"


class ConflictError(VaultmemError):
    """What was asked for contradicts what stands, or the note changed meanwhile."""

    code = "conflict"
    exit_code = 5


class NoteError(VaultmemError):
    """A note that cannot be read as what it should be, or must not be written to."""

    code = "bad_note"


class LockedError(VaultmemError):
    """Another process holds the vault for longer than we wait."""

    code = "locked"


class StorageError(VaultmemError):
    """The disk refused: full, read-only, not allowed."""

    code = "storage"


class ModelError(VaultmemError):
    """The embedding model is missing or is not what it should be."""

    code = "model"


class TranscriptError(VaultmemError):
    """A transcript that cannot be read at all."""

    code = "transcript"

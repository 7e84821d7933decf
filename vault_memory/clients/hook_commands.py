"""The commands that an agent's program is to call, and how one of ours is recognised again."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

PROGRAM = "vaultmem"
HOOK_OPTION = "--hook"

_WITH_VALUE = frozenset({"--root", "--vault"})
_FLAGS = frozenset({"--json", "-q", "--quiet", "-v", "--verbose", HOOK_OPTION})


@dataclass(frozen=True, slots=True)
class Hook:
    """What is called at one event.

    Attributes:
        event: The client's name of it.
        verb: The command of ours.
        timeout: Seconds that the client grants.
        matcher: For which kinds of the event; empty for all.
    """

    event: str
    verb: str
    timeout: int
    matcher: str = ""


HOOKS = (
    Hook("SessionStart", "consume", 10, "startup|resume|clear|compact|fork"),
    Hook("PreCompact", "checkpoint", 60),
    Hook("SessionEnd", "archive-session", 30),
)
VERBS = frozenset(hook.verb for hook in HOOKS)


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """A command of ours, taken apart.

    Attributes:
        program: How the program is named.
        place: Which vault is named, as options; empty when none is.
        verb: The command.
        more: The other words behind it, such as ``--budget 800``.
    """

    program: str
    place: tuple[str, ...]
    verb: str
    more: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The command for a shell."""
        return shlex.join([self.program, *self.place, self.verb, HOOK_OPTION, *self.more])

    def renewed(self, program: str, place: Sequence[str]) -> "OwnCommand":
        """The same for a program that moved; a vault that is not named anew stays the same."""
        return OwnCommand(program, tuple(place) or self.place, self.verb, self.more)


def own_command(line: str) -> OwnCommand | None:
    """Take a command apart; None when it is not ours alone, such as a chain of several.

    It is known by the program's name, wherever that lies, and by one of the hooks' verbs.
    """
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        program, *words = list(lexer)
    except ValueError:
        return None
    if PurePath(program.replace("\\", "/")).name.removesuffix(".exe") != PROGRAM:
        return None
    place: list[str] = []
    while words and words[0] not in VERBS:
        word = words.pop(0)
        if word in _WITH_VALUE and words:
            place += [word, words.pop(0)]
        elif word.partition("=")[0] in _WITH_VALUE:
            place.append(word)
        elif word not in _FLAGS:
            return None
    if not words or any(set(word) <= set("();<>|&") for word in words):
        return None
    verb, *more = words
    kept = tuple(word for word in more if word != HOOK_OPTION)
    return OwnCommand(program, tuple(place), verb, kept)

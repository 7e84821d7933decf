"""What stands where a secret would, and is none."""

import re

_MARKED = re.compile(r"[<>${}()\[\]|\\]|%[A-Za-z(]|\.\.\.|…")
_REPEATED = re.compile(r"(.)\1*\Z", re.DOTALL)
_WORDS = re.compile(
    r"(?:your|my|the|some|enter|insert|put|change|replace|example|sample|dummy|fake|placeholder"
    r"|redacted|hidden|secret|password|passwd|passphrase|token|api[_-]?key|key|value|here|todo|me"
    r"|test|foo|bar|none|null|nil|undefined|true|false|required|optional|string|str|user|admin|xxx"
    r"|[\s_-])+\Z",
    re.IGNORECASE,
)
_NAME_OF_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")


def is_placeholder(value: str) -> bool:
    """Return whether a value only stands for a secret: marked up, masked, or words for one.

    Args:
        value: What follows a password's name, without quotes.
    """
    value = value.strip()
    return (
        not value
        or _MARKED.search(value) is not None
        or _REPEATED.match(value) is not None
        or _WORDS.match(value[:100]) is not None
        or _NAME_OF_VARIABLE.match(value) is not None
    )

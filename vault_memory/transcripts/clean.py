"""What is taken out of recorded text before anything else looks at it."""

import re

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)?|.)?"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def clean(text: str) -> str:
    r"""Return the text without terminal escapes and control characters, its lines ended by ``\n``.

    Lone surrogates, which cannot be written as UTF-8, become U+FFFD.
    """
    if not _ODD.search(text):
        return text
    text = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub(lambda found: "�" if found[0] >= "\ud800" else "", text)


def strip_between(text: str, opening: str, closing: str, *, to_end: bool) -> str:
    """Return the text without what stands from an opening mark to the next closing one.

    Args:
        text: Any text.
        opening: The mark before what is taken out.
        closing: The mark behind it.
        to_end: Whether an opening mark that is never closed takes all that follows with it.
    """
    kept, position = [], 0
    while (start := text.find(opening, position)) >= 0:
        end = text.find(closing, start)
        if end < 0 and not to_end:
            break
        kept.append(text[position:start])
        position = len(text) if end < 0 else end + len(closing)
    kept.append(text[position:])
    return "".join(kept)

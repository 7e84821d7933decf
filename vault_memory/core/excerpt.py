"""The beginning of a text, cut where it does no harm."""


def head(text: str, limit: int) -> str:
    """Return the beginning of a text, cut at a blank so that no word is halved.

    A word that would be cut is left out whole: it may be a secret that is only recognised whole.

    Args:
        text: Any text.
        limit: The most characters that are kept.
    """
    if len(text) <= limit:
        return text
    cut = text[:limit]
    if text[limit].isspace():
        return cut
    return cut[: max(cut.rfind(blank) for blank in " \n\t") + 1].rstrip()


def one_line(text: str, limit: int) -> str:
    """Return the beginning of a text as one line, blanks in a row made one."""
    return head(" ".join(text[: 4 * limit].split()), limit)


def shortened(text: str, limit: int) -> str:
    """Return a text as one line of at most ``limit`` characters, ending in ``…`` if it was cut."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return (head(line, limit - 1) or line[: limit - 1]).rstrip() + "…"

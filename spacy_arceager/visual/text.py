"""Columns of text that line up in a terminal."""

import unicodedata
from collections.abc import Sequence

from rich.cells import cell_len


def pad(texts: Sequence[str], *, right: bool = False) -> list[str]:
    """Texts of the same width, blanks added behind them, or before them at the `right`."""
    widths = [cell_len(text) for text in texts]
    blanks = [" " * (max(widths) - width) for width in widths]
    return [b + t if right else t + b for t, b in zip(texts, blanks)]


# Characters by which a text orders the direction of all that follows.
_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def printable(text: str) -> str:
    """The text itself, or as a Python string where a character of it would not be shown alone.

    White space and control characters break a line or command a terminal, marks of direction turn
    what follows around, and XML has no half characters and no noncharacters, such as U+FFFE.
    """
    return repr(text) if any(map(_needs_escape, text)) else text


def _needs_escape(char: str) -> bool:
    return (
        char.isspace()
        or unicodedata.category(char) in ("Cc", "Cs")
        or unicodedata.bidirectional(char) in _DIRECTIONS
        or ord(char) & 0xFFFE == 0xFFFE
    )

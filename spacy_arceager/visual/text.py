"""Columns of text that line up in a terminal."""

import unicodedata
from collections.abc import Sequence

from rich.cells import cell_len


def pad(texts: Sequence[str], *, right: bool = False) -> list[str]:
    """Texts of one width, with blanks behind them; with `right`, the blanks stand before them."""
    widths = [cell_len(text) for text in texts]
    blanks = [" " * (max(widths) - width) for width in widths]
    return [b + t if right else t + b for t, b in zip(texts, blanks)]


# Classes of characters that turn the direction of the text behind them.
_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def printable(text: str) -> str:
    """The text itself, or a Python string if it has characters that would do more than be shown.

    White space and control characters break a line or command a terminal. Marks of direction turn
    the text behind them. XML allows neither surrogates nor noncharacters such as U+FFFE.
    """
    return repr(text) if any(map(_needs_escape, text)) else text


def _needs_escape(char: str) -> bool:
    return (
        char.isspace()
        or unicodedata.category(char) in ("Cc", "Cs")
        or unicodedata.bidirectional(char) in _DIRECTIONS
        or ord(char) & 0xFFFE == 0xFFFE
    )

"""Columns of text that line up in a terminal."""

import unicodedata
from collections.abc import Sequence


def pad(texts: Sequence[str], *, right: bool = False) -> list[str]:
    """Texts of the same width, blanks added behind them, or before them at the `right`."""
    width = max(map(display_width, texts))
    blanks = [" " * (width - display_width(text)) for text in texts]
    return [b + t if right else t + b for t, b in zip(texts, blanks)]


def printable(text: str) -> str:
    """White space and control characters would break the line: escape them."""
    breaks = any(char.isspace() or unicodedata.category(char) == "Cc" for char in text)
    return repr(text) if breaks else text


def display_width(text: str) -> int:
    """How many terminal cells a text takes: 2 for wide characters, 0 for marks."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1

"""Columns of text that line up in a terminal."""

import unicodedata
from collections.abc import Sequence

from rich.cells import cell_len


def pad(texts: Sequence[str], *, right: bool = False) -> list[str]:
    """Texts of the same width, blanks added behind them, or before them at the `right`."""
    widths = [cell_len(text) for text in texts]
    blanks = [" " * (max(widths) - width) for width in widths]
    return [b + t if right else t + b for t, b in zip(texts, blanks)]


def printable(text: str) -> str:
    """White space and control characters would break the line: escape them."""
    breaks = any(char.isspace() or unicodedata.category(char) == "Cc" for char in text)
    return repr(text) if breaks else text

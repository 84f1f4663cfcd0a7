"""Errors that a user of the component can meet."""

from collections.abc import Iterable
from difflib import get_close_matches


class ModelMismatchError(ValueError):
    """A saved parser that does not fit the one it is loaded into, or weights their labels."""


class TruncatedModelError(ValueError):
    """A saved parser whose data is cut short or not a parser at all."""


class ConstraintError(ValueError):
    """Arcs fixed or forbidden in advance, or subtrees, that no tree has."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """What to add to the message that a word is unknown: the known word that is nearest.

    Args:
        words: the ones that are known.

    Returns:
        ". Do you mean 'arc_eager'?" or, where no word is near, "".
    """
    near = get_close_matches(word.lower(), list(words), n=1)
    return f". Do you mean '{near[0]}'?" if near else ""

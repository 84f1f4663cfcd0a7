"""Errors that a user of the component can meet."""

from collections.abc import Iterable
from difflib import get_close_matches


class ModelMismatchError(ValueError):
    """A saved parser does not fit the parser that it is loaded into, or is damaged."""


class TruncatedModelError(ValueError):
    """The data of a saved parser is cut short, or is not a saved parser."""


class ConstraintError(ValueError):
    """No tree meets the constraints of a Doc: fixed arcs, forbidden arcs, or subtrees."""


def unknown_name(what: str, word: str, words: Iterable[str]) -> str:
    """The message about an unknown word: which words there are, and the most similar one.

    Args:
        what: the word with what it is the name of, such as "System 'arc_eger'".
    """
    words = list(words)
    return f"{what} is unknown; use one of {', '.join(words)}{did_you_mean(word, words)}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a message about an unknown word, which suggests the most similar known word.

    Args:
        word: the unknown word.
        words: the known words.

    Returns:
        For example ". Do you mean 'arc_eager'?", or "" if no known word is similar.
    """
    near = get_close_matches(word.lower(), list(words), n=1)
    return f". Do you mean '{near[0]}'?" if near else ""

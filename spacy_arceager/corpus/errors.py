"""Errors about input, and how they quote it."""

LONGEST_QUOTE = 40  # characters


class InputError(ValueError):
    """Input that cannot be used. The message names the file, the line, the fault and the remedy."""


class ConlluError(InputError):
    """CoNLL-U that cannot be used."""


def quote(text: str) -> str:
    """The start of a text from a file, in quotes, for a message.

    Control characters are escaped because a terminal would obey them.
    """
    return repr(text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "...")

"""Errors about training data."""


class ConlluError(ValueError):
    """CoNLL-U that cannot be used: names the file, the line, the fault and the remedy."""

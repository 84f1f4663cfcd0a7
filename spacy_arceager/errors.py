"""Errors that a user of the component can meet."""


class ModelMismatchError(ValueError):
    """A saved parser that does not fit the one it is loaded into, or weights their labels."""


class TruncatedModelError(ValueError):
    """A saved parser whose data is cut short or not a parser at all."""


class ConstraintError(ValueError):
    """Arcs fixed or forbidden in advance, or subtrees, that no tree has."""

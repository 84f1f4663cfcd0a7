"""Transitions. Each has a file with its validity, its action and its properties; here is
what other modules need of them."""

from .declarations cimport *
from .break_ cimport can_break
from .dispatch cimport (
    apply_transition,
    declare,
    first_anchor,
    is_legal,
    is_terminal,
    legal_transitions,
    n_anchors,
    next_anchor,
)

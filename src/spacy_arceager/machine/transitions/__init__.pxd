"""Transitions. Each has a file with its validity, its action and its properties; here is
what other modules need of them."""

from .declarations cimport (
    ATTACH,
    BREAK,
    LEFT,
    MAX_TRANSITIONS,
    REDUCE,
    RIGHT,
    SHIFT,
    SWAP,
    UNSHIFT,
    Move,
    SystemC,
    TransitionC,
    arc_dependent,
    arc_head,
    is_arc,
)
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

"""Transitions. Each has a file with its validity, its action and its properties; here is
what other modules need of them."""

from .declarations cimport *
from .arc cimport LEFT, RIGHT, arc_dependent, arc_head
from .attach cimport ATTACH
from .break_ cimport BREAK, can_break
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
from .reduce cimport REDUCE
from .shift cimport SHIFT
from .swap cimport SWAP
from .unshift cimport UNSHIFT

"""All transitions of a system: which are legal, and taking one."""

from ..configuration cimport ConfigurationC
from .declarations cimport SystemC, TransitionC

# Sets the properties of a transition from its move, positions, B and S.
cdef void declare(TransitionC* t) noexcept nogil

# Parsing is over. No transition is legal in a terminal configuration.
cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil

# How many anchors there are, from the right end of O. At least one.
cdef int n_anchors(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The first anchor: the right end of O, NONE where O is empty, or TOP.
cdef int first_anchor(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The anchor to the left of one; TOP and NONE stay as they are.
cdef inline int next_anchor(const ConfigurationC* c, int anchor) noexcept nogil:
    return c.below[anchor] if anchor >= 0 else anchor

# Fills legal[0..n_transitions-1] with 0 or 1 and returns how many are legal at an anchor.
# position: of the anchor in O, 1 for the first.
cdef int legal_transitions(const SystemC* system, const ConfigurationC* c, int anchor,
                           int position, int* legal) noexcept nogil

cdef bint is_legal(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil

# Applies a legal transition. One that makes an arc gives its dependent `label`; SHIFT lets
# the word remember it for a non-monotonic REDUCE; the others ignore it.
cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int anchor, int label) noexcept nogil

"""The legal transitions of a configuration, and how one is applied."""

from ..configuration cimport ConfigurationC
from .declarations cimport SystemC, TransitionC

# Sets the properties of a transition, which follow from its move, positions, B and S.
cdef void declare(TransitionC* t) noexcept nogil

# Whether parsing is over. No transition is legal in a terminal configuration.
cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The number of anchors, which is at least one.
cdef int n_anchors(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The first anchor: TOP in a system with a single anchor, else the right end of O, or NONE if O
# is empty.
cdef int first_anchor(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The anchor to the left of `anchor`; TOP and NONE have none and are returned as they are.
cdef inline int next_anchor(const ConfigurationC* c, int anchor) noexcept nogil:
    return c.below[anchor] if anchor >= 0 else anchor

# Fills legal[0..n_transitions-1] with 0 or 1 and returns how many transitions are legal at an
# anchor. position: the anchor's position in O; the first anchor has 1.
cdef int legal_transitions(const SystemC* system, const ConfigurationC* c, int anchor,
                           int position, int* legal) noexcept nogil

cdef bint is_legal(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil

# Applies a legal transition. A transition that makes an arc gives the arc `label`. SHIFT stores
# `label` with the word, for a non-monotonic REDUCE. Other transitions ignore it.
cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int anchor, int label) noexcept nogil

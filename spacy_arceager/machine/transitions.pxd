"""Transitions: when they are legal and what they do. Each has three parts, here and in
the oracles: validity, action, cost.
"""

from .configuration cimport ConfigurationC

cdef enum Move:
    SHIFT = 0      # the front of U (or END) becomes O[1]
    LEFT = 1       # arc from the right word to the left word
    RIGHT = 2      # arc from the left word to the right word
    REDUCE = 3     # take a word out of O
    UNSHIFT = 4    # take END out: the headless word below it is the front again

cdef enum:
    MAX_TRANSITIONS = 16

cdef struct TransitionC:
    Move move
    int left       # position in O (1 = right end) of the arc's left word, or of the
    int right      # reduced word; position of the arc's right word
    bint reduces   # B: the dependent is taken out at once
    bint shifts    # S: a SHIFT follows

cdef struct SystemC:
    bint front
    bint root_right
    bint tree_constraint
    bint left_replaces_head       # non-monotonic LEFT
    bint reduce_attaches          # non-monotonic REDUCE
    int n_transitions
    TransitionC transitions[MAX_TRANSITIONS]

cdef inline bint is_arc(const TransitionC* t) noexcept nogil:
    return t.move == LEFT or t.move == RIGHT

# The two words of an arc transition. Undefined where O is too short.
cdef int arc_head(const ConfigurationC* c, const TransitionC* t) noexcept nogil
cdef int arc_dependent(const ConfigurationC* c, const TransitionC* t) noexcept nogil

# Parsing is over. No transition is legal in a terminal configuration.
cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil

# Fills legal[0..n_transitions-1] with 0 or 1 and returns how many are legal.
cdef int legal_transitions(const SystemC* system, const ConfigurationC* c,
                           int* legal) noexcept nogil

cdef bint is_legal(const SystemC* system, const ConfigurationC* c,
                   const TransitionC* t) noexcept nogil

# Applies a legal transition. LEFT and RIGHT give their dependent `label`; SHIFT lets the
# word remember it for a non-monotonic REDUCE; the others ignore it.
cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int label) noexcept nogil

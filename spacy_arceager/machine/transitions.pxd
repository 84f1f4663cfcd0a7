"""Transitions: when they are legal and what they do. Each has three parts, here and in
the oracles: validity, action, cost.

A transition is taken at an anchor. Most systems have one, TOP. Those whose arcs can be
made between any two active tokens have an anchor at each of them; a transition that is
not anchored belongs to the right end of O, position 1.
"""

from .configuration cimport ConfigurationC, ShapeC

cdef enum Move:
    SHIFT = 0      # the front of U (or END) becomes O[1]
    LEFT = 1       # arc from the right word to the left word
    RIGHT = 2      # arc from the left word to the right word
    REDUCE = 3     # take a word out of O
    UNSHIFT = 4    # take END out: the headless word below it is the front again
    SWAP = 5       # O[2] goes back to the front of U
    BREAK = 6      # the sentence ends in front of the buffer

cdef enum:
    MAX_TRANSITIONS = 32

cdef struct TransitionC:
    Move move
    int left       # position in O (1 = right end) of the arc's left word, or of the
    int right      # reduced word; position of the arc's right word
    bint reduces   # B: the dependent is taken out at once
    bint shifts    # S: a SHIFT follows
    bint anchored  # positions count from the anchor

cdef struct SystemC:
    ShapeC shape
    bint anchored                 # some transition is
    bint reduces_anywhere         # REDUCE is
    bint stops_at_end             # what END leaves in O is left as it is
    bint tree_constraint
    bint left_replaces_head       # non-monotonic LEFT
    bint reduce_attaches          # non-monotonic REDUCE
    bint labelled_reduce          # which is then ATTACH, a RIGHT with the next word below
    bint reduce_headless
    bint single_root              # an artificial root takes one word, the last
    bint segments                 # there is a BREAK, the last transition
    bint checks_cycles            # a dependent that stays in O could become a head's head
    int capacity                  # n of the longest sentence where there is no limit
    int fill                      # tokens in O before anything but SHIFT is legal
    int n_transitions
    TransitionC transitions[MAX_TRANSITIONS]

cdef inline bint is_arc(const TransitionC* t) noexcept nogil:
    return t.move == LEFT or t.move == RIGHT

# The two words of an arc transition. NONE where O is too short.
cdef int arc_head(const ConfigurationC* c, const TransitionC* t, int anchor) noexcept nogil
cdef int arc_dependent(const ConfigurationC* c, const TransitionC* t,
                       int anchor) noexcept nogil

# Parsing is over. No transition is legal in a terminal configuration.
cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil

# How many anchors there are, from the right end of O. At least one.
cdef int n_anchors(const SystemC* system, const ConfigurationC* c) noexcept nogil

# The first anchor; the next ones lie below it.
cdef int first_anchor(const SystemC* system, const ConfigurationC* c) noexcept nogil

# Fills legal[0..n_transitions-1] with 0 or 1 and returns how many are legal at an anchor.
# position: of the anchor in O, 1 for the first.
cdef int legal_transitions(const SystemC* system, const ConfigurationC* c, int anchor,
                           int position, int* legal) noexcept nogil

cdef bint is_legal(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil

# Whether a BREAK in front of the next word is legal.
cdef bint can_break(const SystemC* system, const ConfigurationC* c) noexcept nogil

# Applies a legal transition. LEFT and RIGHT give their dependent `label`; SHIFT lets the
# word remember it for a non-monotonic REDUCE; the others ignore it.
cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int anchor, int label) noexcept nogil

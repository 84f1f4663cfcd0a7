"""The structs of a compiled transition and a compiled system, and what several transitions use.

A transition is taken at an anchor. Most systems have a single anchor, TOP. A system that can make
arcs between any two active tokens has an anchor at each active token; there, a transition that is
not anchored can be taken at position 1, the right end of O, only.
"""

from ..configuration cimport ConfigurationC, ShapeC, unprocessed

cdef enum:
    MAX_TRANSITIONS = 32

cdef struct TransitionC:
    int move             # the number of its kind: LEFT, SHIFT, ...
    int left             # position in O of the arc's left word, or of the reduced word
    int right            # position in O of the arc's right word; 1 is the right end
    bint reduces         # B: the dependent is taken out at once
    bint shifts          # S: a SHIFT follows
    bint anchored        # positions count from the anchor
    # These properties follow from the others, see `declare` in dispatch.pyx:
    bint makes_arc
    bint waits           # it is legal only once O holds `fill` tokens of the system
    int takes_out        # position of the word that leaves O; 0: no word leaves it

cdef struct SystemC:
    ShapeC shape
    bint anchored                 # some transition is anchored
    bint reduces_anywhere         # REDUCE is anchored
    bint stops_at_end             # parsing is over once END is in O
    bint tree_constraint
    bint left_replaces_head       # non-monotonic LEFT
    bint reduce_attaches          # non-monotonic REDUCE
    bint unshifts_early           # non-monotonic UNSHIFT, before the end
    bint labelled_reduce          # non-monotonic REDUCE is the transition ATTACH
    bint reduce_headless          # REDUCE may take out a headless word
    bint shift_is_choice          # SHIFT is legal also when O holds `fill` tokens
    bint segments                 # the system has a BREAK
    bint checks_cycles            # an arc could close a cycle, as dependents stay in O
    int capacity                  # K; more than any sentence has words if it is not limited
    int fill                      # tokens in O before a transition that `waits` is legal
    int n_transitions
    TransitionC transitions[MAX_TRANSITIONS]
    # The indices of transitions that a system has once or not at all; NONE: not at all.
    int i_shift
    int i_attach
    int i_unshift
    int i_swap
    int i_break

cdef inline bint is_arc(const TransitionC* t) noexcept nogil:
    return t.makes_arc

# The word behind the top of the stack: the front in front systems, else the first one of U.
cdef inline int next_word(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.top if system.shape.front else unprocessed(c, 1)

# Whether a sentence must start at the next word, so that no arc or SHIFT may use it yet.
cdef inline bint must_break(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int first
    if not system.segments or c.end_on_top or c.n_operative == 0:
        return False
    first = next_word(system, c)
    return first >= 0 and c.is_start[first] == 2 and first > c.start

cdef inline bint holds_fill(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.n_operative + c.end_on_top >= system.fill

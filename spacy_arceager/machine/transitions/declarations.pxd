"""What a compiled transition and a compiled system are, and what several transitions share.

A transition is taken at an anchor. Most systems have one, TOP. Those whose arcs can be
made between any two active tokens have an anchor at each of them; a transition that is
not anchored belongs to the right end of O, position 1.
"""

from ..configuration cimport ConfigurationC, ShapeC, unprocessed

cdef enum:
    MAX_TRANSITIONS = 32

cdef struct TransitionC:
    int move             # the number that its file gives it
    int left             # position in O (1 = right end) of the arc's left word, or of the
    int right            # reduced word; position of the arc's right word
    bint reduces         # B: the dependent is taken out at once
    bint shifts          # S: a SHIFT follows
    bint anchored        # positions count from the anchor
    # Properties, which each transition's file declares:
    bint makes_arc
    bint ends_sentence
    bint waits           # it is legal only once O holds as many tokens as the system fills in
    int takes_out        # position of the word that leaves O; 0: none does

cdef struct SystemC:
    ShapeC shape
    bint anchored                 # some transition is
    bint reduces_anywhere         # REDUCE is
    bint stops_at_end             # what END leaves in O is left as it is
    bint tree_constraint
    bint left_replaces_head       # non-monotonic LEFT
    bint reduce_attaches          # non-monotonic REDUCE
    bint unshifts_early           # non-monotonic UNSHIFT, before the end
    bint labelled_reduce          # which is then ATTACH
    bint reduce_headless
    bint shift_is_choice          # SHIFT is legal, too, where O is filled
    bint single_root              # an artificial root takes one word, the last
    bint segments                 # there is a BREAK
    bint checks_cycles            # a dependent that stays in O could become a head's head
    int capacity                  # n of the longest sentence where there is no limit
    int fill                      # tokens in O before a transition that `waits` is legal
    int n_transitions
    TransitionC transitions[MAX_TRANSITIONS]
    # Index of each transition of which there is one at most; NONE where there is none.
    int i_shift
    int i_attach
    int i_unshift
    int i_swap
    int i_break

cdef inline bint is_arc(const TransitionC* t) noexcept nogil:
    return t.makes_arc

# The first word behind the stack.
cdef inline int next_word(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.top if system.shape.front else unprocessed(c, 1)

# A sentence must start at the next word, so nothing may use it before.
cdef inline bint must_break(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int first
    if not system.segments or c.end_on_top or c.n_operative == 0:
        return False
    first = next_word(system, c)
    return first >= 0 and c.is_start[first] == 2 and first > c.start

cdef inline bint holds_fill(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.n_operative + c.end_on_top >= system.fill

"""What an oracle's cost function is asked, and what it answers."""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC, TransitionC
from .gold cimport GoldC

cdef enum:
    ILLEGAL = 1000000   # the cost of a transition that is not legal

# What do the transitions at an anchor of a configuration cost?
cdef struct QuestionC:
    const OracleC* oracle
    const SystemC* system
    const ConfigurationC* c
    const GoldC* gold
    int anchor
    int position         # of the anchor in O
    int* scratch         # as many ints as the CostFunction says

# costs[0..n_transitions-1] is ILLEGAL where a transition is not legal and stays so. For the
# others the function fills in how many gold arcs that could still be built can no longer be
# built after the transition, labels left aside. The cheapest of all anchors cost 0 if the
# oracle is exact.
ctypedef void (*cost_function)(const QuestionC* q, int* costs) noexcept nogil

# An oracle made ready for one system.
cdef struct OracleC:
    const SystemC* system
    cost_function costs
    cost_function plain   # says which of the cheapest are preferred; NULL: no matter
    bint constrained      # gold arcs are fixed in advance; no gold boundaries are known
    int* scratch
    void* context         # of an oracle in Python

# How much scratch memory, in ints, a cost function needs.
ctypedef size_t (*scratch_function)(const SystemC* system, int n_words) noexcept nogil

# A cost function, for Python to choose.
cdef class CostFunction:
    cdef cost_function function
    cdef scratch_function scratch    # NULL: none

cdef CostFunction wrapped(cost_function function, scratch_function scratch)

# Fills `costs` for a question: ILLEGAL where a transition is not legal.
cdef void ask(cost_function function, const QuestionC* q, int* costs) noexcept nogil

# The cost of a transition that training does not explore: more than a sentence can lose.
cdef inline int forbidden(const ConfigurationC* c) noexcept nogil:
    return c.n_words + 1

cdef struct ChoiceC:
    int transition       # NONE where nothing is legal
    int anchor
    int position

# How good a transition of some cost is: the lowest is chosen, 0 is the lowest there is.
ctypedef int (*rank_function)(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil

# The first of the cheapest transitions of all anchors, from the right end of O; anchor and
# position of `q` are set by it. rank: NULL for the cost itself.
cdef ChoiceC first_cheapest(cost_function function, QuestionC* q,
                            rank_function rank) noexcept nogil

"""What an oracle's cost function is asked, what it answers, and how it is asked.

A cost function is written in a file of its own in cost_functions/, in these steps:

    Must implement
        cost_function      the costs of the transitions at one anchor of one configuration
        needs(parameters)  in Python: what a system lacks for this oracle, in words, or None
        Row                what the oracle says of itself: oracles/rows.py
    May implement
        scratch_function   how much memory the cost function works in, if it needs any
    Is given
        wrapped            makes a CostFunction of both, which the Row holds
        trial.pxd          costs of a function that judges the configuration after a transition
        places.pxd         whether a word is the gold root, or lies below another word
        gold.pxd           the gold tree or graph
        static.pxd         whether a word has all its gold dependents, and the like

unshift.pyx is the smallest whole example. BREAK, a preference for monotonic transitions and the
choice among several anchors are dealt with by those who ask.
"""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions.declarations cimport SystemC, TransitionC
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
    int* scratch         # as many ints as the scratch_function says

# The interface of an oracle

# Must implement. costs[i] belongs to q.system.transitions[i]. It is ILLEGAL for a transition that
# is not legal, and must stay so. For each of the others it is 0 and becomes the number of gold arcs
# that could still be built before the transition and cannot be built after it, labels left aside.
# If the oracle is exact, the cheapest transition of all anchors costs 0.
ctypedef void (*cost_function)(const QuestionC* q, int* costs) noexcept nogil

# May implement. How many ints of memory the cost function needs for a sentence of n_words words.
# What is in them when it is called is not defined.
ctypedef size_t (*scratch_function)(const SystemC* system, int n_words) noexcept nogil

# A cost function, for the Row of an oracle.
cdef class CostFunction:
    cdef cost_function function
    cdef scratch_function scratch    # NULL: it needs no memory

cdef CostFunction wrapped(cost_function function, scratch_function scratch)

# The cost of a transition that a cost function wants training never to explore: more than a
# sentence can lose.
cdef inline int unexplored(const ConfigurationC* c) noexcept nogil:
    return c.n_words + 1

# How oracles are asked

# An oracle made ready for one system.
cdef struct OracleC:
    const SystemC* system
    cost_function costs
    cost_function monotonic   # decides which of the cheapest are preferred; NULL: none is
    bint constrained          # gold arcs are fixed in advance; no gold boundaries are known
    int* scratch
    void* context             # of an oracle in Python

# Fills `costs` for a question: ILLEGAL where a transition is not legal.
cdef void ask(cost_function function, const QuestionC* q, int* costs) noexcept nogil

cdef struct CheapestC:
    int transition       # NONE where nothing is legal
    int anchor
    int position

# How good a transition of some cost is: the lowest is chosen, 0 is the lowest there is.
ctypedef int (*rank_function)(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil

# The first of the cheapest transitions of all anchors, from the right end of O; anchor and
# position of `q` are set by it. rank: NULL for the cost itself.
cdef CheapestC first_cheapest(cost_function function, QuestionC* q,
                              rank_function rank) noexcept nogil

"""The interface of cost functions: the question, the answer, and the functions that ask.

Each cost function has a file in cost_functions/. The file must contain

    cost_function          the costs of the transitions at one anchor of one configuration
    Row                    the entry of the oracle in the registry, see oracles/rows.py

and it may contain

    scratch_function       how much memory the cost function needs, if it needs any

These files help to write a cost function:

    costs.pxd              `wrapped` makes a CostFunction for the Row out of the two functions;
                           `costs_by_trial` takes the costs from a function that judges the
                           configuration after each transition
    gold.pxd               the gold tree or graph, and whether a word is its root or lies below
                           another word

unshift.pyx is the smallest complete example. A cost function need not care about BREAK, about the
preference for monotonic transitions, or about the choice among several anchors: compiled.pyx and
`first_cheapest` do that for every cost function.
"""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions.declarations cimport SystemC, TransitionC
from .gold cimport GoldC

cdef enum:
    ILLEGAL = 1000000   # the cost of a transition that is not legal

# A question to a cost function: what do the transitions at an anchor of a configuration cost?
cdef struct QuestionC:
    const OracleC* oracle
    const SystemC* system
    const ConfigurationC* c
    const GoldC* gold
    int anchor
    int position         # position of the anchor in O
    int* scratch         # as many ints as the scratch_function says
    int bound            # costs above it need not be exact, but must stay above it

# The functions that an oracle consists of

# Every oracle must have one. costs[i] belongs to q.system.transitions[i]. For a transition that is
# not legal, the cost is ILLEGAL at the call, and the function leaves it so. For a legal transition
# the cost is 0 at the call. The function replaces it by the number of gold arcs, whatever their
# labels, that could still be built before the transition and cannot be built after it. If the
# oracle is exact, the cheapest transition of all anchors costs 0.
ctypedef void (*cost_function)(const QuestionC* q, int* costs) noexcept nogil

# An oracle may have one: how many ints of memory its cost function needs for a sentence of n_words
# words. They are 0 before the first call; only the memory before `scratch_end` of the OracleC then
# keeps what a call leaves there.
ctypedef size_t (*scratch_function)(const SystemC* system, int n_words) noexcept nogil

# The functions of an oracle as a Python object, so that a Row can hold them.
cdef class CostFunction:
    cdef cost_function function
    cdef scratch_function scratch    # NULL if the cost function needs no memory

cdef CostFunction wrapped(cost_function function, scratch_function scratch)

# The cost of a transition that training must never explore. It is larger than any number of arcs
# that a sentence can lose.
cdef inline int unexplored(const ConfigurationC* c) noexcept nogil:
    return c.n_words + 1

# The functions that ask an oracle

# An oracle made ready for one system.
cdef struct OracleC:
    const SystemC* system
    cost_function costs
    cost_function monotonic   # the costs for `prefer_monotonic`, or NULL for no preference
    bint constrained          # arcs are fixed in advance, and gold boundaries are not known
    int* scratch
    int* scratch_end
    void* context             # the PythonCosts of an oracle in Python, or NULL

# Calls a cost function. Fills `costs` for a question, with ILLEGAL for transitions that are not
# legal.
cdef void ask(cost_function function, const QuestionC* q, int* costs) noexcept nogil

# A cheapest transition, with its anchor and the position of its anchor in O.
cdef struct CheapestC:
    int transition       # index in the system's transitions; NONE if no transition is legal
    int anchor
    int position
    int rank

# The rank of a transition that has some cost. The transition with the lowest rank is chosen, and
# no rank is below 0.
ctypedef int (*rank_function)(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil

# The cheapest transition of all anchors. Among equally cheap transitions it is the first one if
# anchors are visited from the right end of O. The function overwrites the anchor and position of
# `q`.
cdef CheapestC first_cheapest(cost_function function, QuestionC* q,
                              rank_function rank) noexcept nogil

# Costs by trial: each transition is applied to a copy, and the new configuration is judged

# How many gold arcs are lost in the configuration `c` after a transition. The same constant may be
# added to all losses at a question. The function may change `c`. q.scratch is the part of the
# scratch memory that `losses_after` leaves over.
ctypedef int (*loss_function)(const QuestionC* q, ConfigurationC* c) noexcept nogil

# Fills in the loss after each legal transition, with the least loss so far as bound unless all are
# to be exact. The scratch memory of `q` begins with the block of a configuration, and the memory of
# `loss` follows.
cdef void losses_after(const QuestionC* q, loss_function loss, int* losses) noexcept nogil

# The scratch_function for the block of that configuration alone.
cdef size_t one_configuration(const SystemC* system, int n_words) noexcept nogil

# Turns losses into costs: the best transition costs nothing. This is right only if the system has a
# single anchor, because losses at other anchors are not known here.
cdef void subtract_least(const QuestionC* q, int* losses) noexcept nogil

# Fills in the losses as costs.
cdef void costs_by_trial(const QuestionC* q, loss_function loss, int* costs) noexcept nogil

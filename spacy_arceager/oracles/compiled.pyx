"""An oracle made ready for one system; see compiled.pxd.

Its costs are those of a cost function for one sentence, changed in two ways: by `prefer_monotonic`,
and in documents of several sentences by segmentation.pyx.
"""

import numpy

from ..machine.configuration cimport NONE, TOP, ConfigurationC, block_size
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC, TransitionC, is_arc
from .cost_functions.arc_eager cimport arc_eager_costs
from .cost_functions.reachability cimport reachability_costs
from .costs cimport (
    ILLEGAL, CheapestC, CostFunction, OracleC, QuestionC, ask, cost_function, first_cheapest,
)
from .gold cimport GoldC
from .segmentation cimport costs_with_break


cdef class CompiledOracle:
    """An oracle made ready for one system. Only Cython modules can make one and ask it."""

    cdef int check(self) except -1:
        if self.callback is not None:
            self.callback.check()
        return 0


cdef CompiledOracle compiled(CostFunction costs, TransitionSystem system, int n_words,
                             bint prefers_monotonic):
    cdef CompiledOracle oracle = CompiledOracle.__new__(CompiledOracle)
    cdef size_t size = 1
    if costs.scratch != NULL:
        size += costs.scratch(&system.c, n_words)
    if system.c.segments:
        size += block_size(&system.c.shape, n_words)
    oracle.system = system
    oracle.scratch = numpy.zeros((size,), dtype="i")
    oracle.c.system = &system.c
    oracle.c.costs = costs.function
    oracle.c.monotonic = monotonic_function(system.parameters) if prefers_monotonic else NULL
    oracle.c.constrained = False
    oracle.c.scratch = &oracle.scratch[0]
    oracle.c.scratch_end = oracle.c.scratch + size
    oracle.c.context = NULL
    return oracle


# The preference among the cheapest transitions (Honnibal et al. 2013, section 6). The monotonic
# system is the same system without its non-monotonic transitions and without early UNSHIFT.
# Training prefers those cheapest transitions that are also cheapest in the monotonic system. So a
# parser learns to use non-monotonic transitions and UNSHIFT for repairs only. If every cheapest
# transition is a repair, a cheapest UNSHIFT is preferred: it repairs the error before more words
# depend on it.

cdef cost_function monotonic_function(parameters):
    # The cost function for the monotonic system, which needs no scratch memory; NULL for a system
    # without the arcs of arc-eager, which has no non-monotonic transitions.
    if not parameters.has_arc_eager_arcs:
        return NULL
    return arc_eager_costs if parameters.is_arc_eager else reachability_costs


cdef void prefer_monotonic(const QuestionC* q, cost_function monotonic, int* costs) noexcept nogil:
    # Adds one to the costs of the cheapest transitions that are not preferred.
    cdef int monotonic_costs[MAX_TRANSITIONS]
    cdef SystemC system = q.system[0]
    cdef QuestionC asked = q[0]
    cdef int i, best = ILLEGAL, best_monotonic = ILLEGAL
    system.left_replaces_head = False
    system.reduce_attaches = False
    system.unshifts_early = False
    asked.system = &system
    asked.anchor, asked.position = TOP, 1
    ask(monotonic, &asked, monotonic_costs)
    if system.i_attach != NONE:
        monotonic_costs[system.i_attach] = ILLEGAL
    for i in range(system.n_transitions):
        best = min(best, costs[i])
    if best == ILLEGAL:
        return      # before a BREAK, its place is asked about although nothing is legal there
    for i in range(system.n_transitions):
        if costs[i] == best:
            best_monotonic = min(best_monotonic, monotonic_costs[i])
    if best_monotonic > 0 and q.system.unshifts_early and costs[system.i_unshift] == best:
        monotonic_costs[system.i_unshift] = best_monotonic = 0
    for i in range(system.n_transitions):
        if costs[i] == best and monotonic_costs[i] > best_monotonic:
            costs[i] += 1


cdef void costs_in_sentence(const QuestionC* q, int* costs) noexcept nogil:
    q.oracle.costs(q, costs)
    if q.oracle.monotonic != NULL:
        prefer_monotonic(q, q.oracle.monotonic, costs)


cdef void all_costs(const QuestionC* q, int* costs) noexcept nogil:
    if q.system.segments:
        costs_with_break(costs_in_sentence, q, costs)
    else:
        costs_in_sentence(q, costs)


cdef QuestionC question(const OracleC* oracle, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil:
    cdef QuestionC q
    q.oracle, q.system, q.c, q.gold = oracle, oracle.system, c, gold
    q.anchor, q.position = NONE, 0
    q.scratch = oracle.scratch
    q.bound = ILLEGAL
    return q


cdef void oracle_costs(const OracleC* oracle, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int bound, int* costs) noexcept nogil:
    cdef QuestionC q = question(oracle, c, gold)
    q.anchor, q.position, q.bound = anchor, position, bound
    ask(all_costs, &q, costs)


cdef int arcs_first(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil:
    # With SWAP, a SHIFT past a gold arc costs nothing, as SWAP can come back to it.
    return 2 * cost + (q.system.i_swap != NONE and not is_arc(t))


cdef CheapestC cheapest(const OracleC* oracle, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil:
    cdef QuestionC q = question(oracle, c, gold)
    return first_cheapest(all_costs, &q, arcs_first)

"""An oracle made ready for one system; see compiled.pxd."""

import numpy

from ..machine.configuration cimport NONE, ConfigurationC, block_size
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport TransitionC, is_arc
from .costs cimport CheapestC, CostFunction, OracleC, QuestionC, ask, first_cheapest
from .gold cimport GoldC
from .monotonic cimport monotonic_costs, prefer_monotonic
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
    cdef CostFunction preferred = monotonic_costs(system.parameters)
    cdef size_t size = 1
    if costs.scratch != NULL:
        size += costs.scratch(&system.c, n_words)
    if system.c.segments:
        size += block_size(&system.c.shape, n_words)
    oracle.system = system
    oracle.scratch = numpy.zeros((size,), dtype="i")
    oracle.c.system = &system.c
    oracle.c.costs = costs.function
    oracle.c.monotonic = NULL
    if prefers_monotonic and preferred is not None:
        oracle.c.monotonic = preferred.function
    oracle.c.constrained = False
    oracle.c.scratch = &oracle.scratch[0]
    oracle.c.context = NULL
    return oracle


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
    return q


cdef void oracle_costs(const OracleC* oracle, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int* costs) noexcept nogil:
    cdef QuestionC q = question(oracle, c, gold)
    q.anchor, q.position = anchor, position
    ask(all_costs, &q, costs)


cdef int arcs_first(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil:
    # With SWAP, a SHIFT past a gold arc costs nothing, as SWAP can come back to it.
    return 2 * cost + (q.system.i_swap != NONE and not is_arc(t))


cdef CheapestC cheapest(const OracleC* oracle, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil:
    cdef QuestionC q = question(oracle, c, gold)
    return first_cheapest(all_costs, &q, arcs_first)

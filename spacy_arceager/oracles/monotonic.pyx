"""A preference among the cheapest transitions (Honnibal et al. 2013, section 6).

The monotonic system is the same system without its non-monotonic transitions and without early
UNSHIFT. Training prefers those cheapest transitions that are also cheapest in the monotonic system.
So a parser learns to use non-monotonic transitions and UNSHIFT for repairs only. If every cheapest
transition is a repair, a cheapest UNSHIFT is preferred: it repairs the error before more words
depend on it.
"""

from ..machine.configuration cimport NONE, TOP
from ..machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC
from .cost_functions.arc_eager cimport arc_eager_costs
from .cost_functions.reachability cimport reachability_costs
from .costs cimport ILLEGAL, CostFunction, QuestionC, ask, cost_function, wrapped


cdef void prefer_monotonic(const QuestionC* q, cost_function monotonic, int* costs) noexcept nogil:
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
    for i in range(system.n_transitions):
        if costs[i] == best:
            best_monotonic = min(best_monotonic, monotonic_costs[i])
    if best_monotonic > 0 and q.system.unshifts_early and costs[system.i_unshift] == best:
        monotonic_costs[system.i_unshift] = best_monotonic = 0
    for i in range(system.n_transitions):
        if costs[i] == best and monotonic_costs[i] > best_monotonic:
            costs[i] += 1


cdef CostFunction ARC_EAGER = wrapped(arc_eager_costs, NULL)
cdef CostFunction ANY_DISTANCE = wrapped(reachability_costs, NULL)


cdef CostFunction monotonic_costs(parameters):
    if not parameters.has_arc_eager_arcs:
        return None
    return ARC_EAGER if parameters.is_arc_eager else ANY_DISTANCE

"""Of the cheapest transitions, those of the plain system (Honnibal et al. 2013, section 6).

Repairs and UNSHIFT are so learnt for when they are needed, not relied upon. Where they are, an
UNSHIFT that costs nothing comes first, before more words depend on what it repairs.
"""

from ..machine.configuration cimport NONE, TOP
from ..machine.transitions cimport MAX_TRANSITIONS, SystemC
from .cost_functions.arc_eager cimport arc_eager_costs
from .cost_functions.reachability cimport reachability_costs
from .costs cimport ILLEGAL, CostFunction, QuestionC, ask, cost_function, wrapped


cdef void prefer_plain(const QuestionC* q, cost_function plain, int* costs) noexcept nogil:
    cdef int plain_costs[MAX_TRANSITIONS]
    cdef SystemC system = q.system[0]
    cdef QuestionC asked = q[0]
    cdef int i, best = ILLEGAL, best_plain = ILLEGAL
    system.left_replaces_head = False
    system.reduce_attaches = False
    system.unshifts_early = False
    asked.system = &system
    asked.anchor, asked.position = TOP, 1
    ask(plain, &asked, plain_costs)
    if system.i_attach != NONE:
        plain_costs[system.i_attach] = ILLEGAL
    for i in range(system.n_transitions):
        best = min(best, costs[i])
    for i in range(system.n_transitions):
        if costs[i] == best:
            best_plain = min(best_plain, plain_costs[i])
    if best_plain > 0 and q.system.unshifts_early and costs[system.i_unshift] == best:
        plain_costs[system.i_unshift] = best_plain = 0
    for i in range(system.n_transitions):
        if costs[i] == best and plain_costs[i] > best_plain:
            costs[i] += 1


cdef CostFunction ARC_EAGER = wrapped(arc_eager_costs, NULL)
cdef CostFunction ANY_DISTANCE = wrapped(reachability_costs, NULL)


cdef CostFunction plain_costs(parameters):
    if not parameters.has_arc_eager_arcs:
        return None
    return ARC_EAGER if parameters.is_arc_eager else ANY_DISTANCE

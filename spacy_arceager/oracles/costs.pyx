"""The functions that ask a cost function; see costs.pxd."""

from ..machine.configuration cimport NONE
from ..machine.transitions.declarations cimport MAX_TRANSITIONS
from ..machine.transitions.dispatch cimport first_anchor, legal_transitions, n_anchors, next_anchor


cdef CostFunction wrapped(cost_function function, scratch_function scratch):
    cdef CostFunction result = CostFunction.__new__(CostFunction)
    result.function = function
    result.scratch = scratch
    return result


cdef class CostFunction:
    """The C functions of an oracle, see costs.pxd. Only Cython modules can make a CostFunction."""

    def __init__(self):
        raise TypeError("A CostFunction is made by the module of an oracle")


cdef void ask(cost_function function, const QuestionC* q, int* costs) noexcept nogil:
    cdef int i
    legal_transitions(q.system, q.c, q.anchor, q.position, costs)
    for i in range(q.system.n_transitions):
        costs[i] = 0 if costs[i] else ILLEGAL
    function(q, costs)


cdef CheapestC first_cheapest(cost_function function, QuestionC* q,
                              rank_function rank) noexcept nogil:
    cdef int costs[MAX_TRANSITIONS]
    cdef int position, i, value
    cdef int lowest = 0
    cdef CheapestC best
    cdef int anchor = first_anchor(q.system, q.c)
    best.transition, best.anchor, best.position = NONE, anchor, 1
    for position in range(1, n_anchors(q.system, q.c) + 1):
        q.anchor, q.position = anchor, position
        ask(function, q, costs)
        for i in range(q.system.n_transitions):
            if costs[i] >= ILLEGAL:
                continue
            value = rank(q, &q.system.transitions[i], costs[i]) if rank else costs[i]
            if best.transition == NONE or value < lowest:
                lowest = value
                best.transition, best.anchor, best.position = i, anchor, position
        if best.transition != NONE and lowest == 0:
            break
        anchor = next_anchor(q.c, anchor)
    return best

"""The functions that ask a cost function; see costs.pxd."""

from ..machine.configuration cimport NONE, ConfigurationC, block_size, copy_configuration, lay_out
from ..machine.transitions.declarations cimport MAX_TRANSITIONS
from ..machine.transitions.dispatch cimport (
    apply_transition, first_anchor, legal_transitions, n_anchors, next_anchor,
)


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
    cdef CheapestC best
    cdef int anchor = first_anchor(q.system, q.c)
    best.transition, best.anchor, best.position, best.rank = NONE, anchor, 1, 0
    for position in range(1, n_anchors(q.system, q.c) + 1):
        q.anchor, q.position = anchor, position
        ask(function, q, costs)
        for i in range(q.system.n_transitions):
            if costs[i] >= ILLEGAL:
                continue
            value = rank(q, &q.system.transitions[i], costs[i])
            if best.transition == NONE or value < best.rank:
                best.transition, best.anchor, best.position, best.rank = i, anchor, position, value
        if best.transition != NONE and best.rank == 0:
            break
        anchor = next_anchor(q.c, anchor)
    return best


cdef size_t one_configuration(const SystemC* system, int n_words) noexcept nogil:
    return block_size(&system.shape, n_words)


cdef void losses_after(const QuestionC* q, loss_function loss, int* losses) noexcept nogil:
    cdef ConfigurationC after
    cdef QuestionC rest = q[0]
    cdef int i
    rest.scratch += one_configuration(q.system, q.c.n_words)
    lay_out(&after, &q.system.shape, q.scratch, q.c.n_words)
    for i in range(q.system.n_transitions):
        if losses[i] != ILLEGAL:
            copy_configuration(&after, q.c, &q.system.shape)
            apply_transition(q.system, &after, &q.system.transitions[i], q.anchor, NONE)
            losses[i] = loss(&rest, &after)
            if rest.bound != ILLEGAL:
                rest.bound = min(rest.bound, losses[i])


cdef void subtract_least(const QuestionC* q, int* losses) noexcept nogil:
    cdef int least = ILLEGAL
    cdef int i
    for i in range(q.system.n_transitions):
        least = min(least, losses[i])
    for i in range(q.system.n_transitions):
        if losses[i] != ILLEGAL:
            losses[i] -= least


cdef void costs_by_trial(const QuestionC* q, loss_function loss, int* costs) noexcept nogil:
    losses_after(q, loss, costs)
    subtract_least(q, costs)

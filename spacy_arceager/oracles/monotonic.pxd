from .costs cimport CostFunction, QuestionC, cost_function

# Adds one to the cost of those cheapest transitions that are not among the cheapest of the
# monotonic system, unless none is. monotonic: the cost function there.
cdef void prefer_monotonic(const QuestionC* q, cost_function monotonic,
                           int* costs) noexcept nogil

# The cost function of a system without its non-monotonic transitions; None for a system whose
# arcs are not those of arc-eager, which has no such transition. It needs no scratch memory.
cdef CostFunction monotonic_costs(parameters)

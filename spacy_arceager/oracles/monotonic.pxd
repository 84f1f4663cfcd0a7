"""A preference for cheapest transitions that a monotonic system would take, too."""

from .costs cimport CostFunction, QuestionC, cost_function

# Adds one to the costs of those cheapest transitions that cost more than the others of them in the
# monotonic system. `monotonic` is the cost function of the monotonic system.
cdef void prefer_monotonic(const QuestionC* q, cost_function monotonic,
                           int* costs) noexcept nogil

# The cost function for a system without its non-monotonic transitions, which needs no scratch
# memory. It is None if the system's arcs are not those of arc-eager: such a system has no
# non-monotonic transitions.
cdef CostFunction monotonic_costs(parameters)

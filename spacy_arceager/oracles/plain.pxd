from .costs cimport CostFunction, QuestionC, cost_function

# Adds one to the cost of those cheapest transitions that are not among the cheapest of the
# plain system, unless none is. plain: the costs there.
cdef void prefer_plain(const QuestionC* q, cost_function plain, int* costs) noexcept nogil

# Costs by which UNSHIFT and non-monotonic transitions are repairs; None where a system has
# none of them. Needs no scratch memory.
cdef CostFunction plain_costs(parameters)

"""Costs where a document is parsed with BREAK: each sentence is seen alone."""

from .costs cimport QuestionC, cost_function

# Costs of all transitions, BREAK too, from a function for one sentence. Takes scratch memory
# for a configuration before that of the function.
cdef void costs_with_break(cost_function function, const QuestionC* q,
                           int* costs) noexcept nogil

"""Costs in a document that is parsed with BREAK, from a cost function for single sentences."""

from .costs cimport QuestionC, cost_function

# Fills in the costs of all transitions, BREAK included. `function` is a cost function for one
# sentence. The scratch memory of `q` begins with the block of a configuration, and the memory of
# `function` follows.
cdef void costs_with_break(cost_function function, const QuestionC* q,
                           int* costs) noexcept nogil

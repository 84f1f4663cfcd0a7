"""What of a gold tree can still be built, arc by arc, under any control parameters."""

from ..costs cimport QuestionC

cdef void reachability_costs(const QuestionC* q, int* costs) noexcept nogil

"""What of a gold tree can still be built, arc by arc, under any control parameters."""

from ..costs cimport QuestionC

cdef void reachability_costs(const QuestionC* q, int* costs) noexcept nogil

# How many words of the present sentence have a wrong head, or none and their gold head is out of
# reach. A root counts once it has a head.
cdef int count_lost(const QuestionC* q) noexcept nogil

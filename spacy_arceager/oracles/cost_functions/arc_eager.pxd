from ..costs cimport QuestionC

cdef void arc_eager_costs(const QuestionC* q, int* costs) noexcept nogil

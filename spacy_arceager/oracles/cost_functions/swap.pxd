from ...machine.transitions.declarations cimport SystemC
from ..costs cimport QuestionC
from ..gold cimport GoldC

# Costs of all transitions, SWAP too.
cdef void swap_costs(const QuestionC* q, int* costs) noexcept nogil

# The scratch memory that swap_costs needs: how high each word lies on the stack.
cdef size_t heights_size(const SystemC* system, int n_words) noexcept nogil

# The system's transition with this move, NONE without one.
cdef int find_move(const SystemC* system, int move) noexcept nogil

# SWAP of these two words is what the projective order asks for.
cdef bint is_asked(const GoldC* gold, int word, int passing) noexcept nogil

# Adds one to the cost of a SWAP that is not asked for, or of all transitions besides one
# that is, where others are as cheap.
cdef void prefer_projective_order(const QuestionC* q, int* costs) noexcept nogil

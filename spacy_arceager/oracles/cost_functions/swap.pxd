from ...machine.transitions.declarations cimport SystemC
from ..costs cimport QuestionC
from ..gold cimport GoldC

# Costs of all transitions, SWAP too.
cdef void swap_costs(const QuestionC* q, int* costs) noexcept nogil

# The scratch memory that swap_costs needs: how high each word lies on the stack.
cdef size_t heights_size(const SystemC* system, int n_words) noexcept nogil

# Whether SWAP of these two words brings them into the projective order.
cdef bint is_asked(const GoldC* gold, int word, int passing) noexcept nogil

# Breaks the tie of a SWAP that costs nothing with other transitions: adds one to the cost of the
# SWAP, or, if the projective order asks for the SWAP, to the costs of the others.
cdef void prefer_projective_order(const QuestionC* q, int* costs) noexcept nogil

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# Exact as long as SWAP is taken where the projective order asks for it, and only there.
cdef void static_dynamic_costs(const SystemC* system, const ConfigurationC* c,
                               const GoldC* gold, int anchor, int position, int* scratch,
                               int* costs) noexcept nogil

# The same with SWAP as late as possible.
cdef void lazy_static_dynamic_costs(const SystemC* system, const ConfigurationC* c,
                                    const GoldC* gold, int anchor, int position,
                                    int* scratch, int* costs) noexcept nogil

# Costs of SWAP too.
cdef void swap_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     int anchor, int position, int* scratch, int* costs) noexcept nogil

# The same; of the cheapest transitions, those that the projective order prefers.
cdef void swap_costs_with_ties(const SystemC* system, const ConfigurationC* c,
                               const GoldC* gold, int anchor, int position, int* scratch,
                               int* costs) noexcept nogil

# The system's transition with this move, NONE without one.
cdef int find_move(const SystemC* system, int move) noexcept nogil

# SWAP of these two words is what the projective order asks for.
cdef bint is_asked(const GoldC* gold, int word, int passing) noexcept nogil

# Adds one to the cost of a SWAP that is not asked for, or of all transitions besides one
# that is, where others are as cheap.
cdef void prefer_projective_order(const SystemC* system, const ConfigurationC* c,
                                  const GoldC* gold, int* costs) noexcept nogil

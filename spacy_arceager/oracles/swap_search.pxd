from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# True costs with SWAP, for arc-hybrid and arc-standard.
cdef void searched_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                         int anchor, int position, int* scratch, int* costs) noexcept nogil

# The same; of the cheapest transitions, those that the projective order prefers.
cdef void searched_costs_with_ties(const SystemC* system, const ConfigurationC* c,
                                   const GoldC* gold, int anchor, int position,
                                   int* scratch, int* costs) noexcept nogil

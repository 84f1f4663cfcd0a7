from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# O[1] goes on to be part of a larger tree before a word below it has to pass: a lazy SWAP
# waits.
cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil

# Gold arcs before SWAP.
cdef void static_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int* scratch, int* costs) noexcept nogil

# SWAP before gold arcs.
cdef void eager_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                      int anchor, int position, int* scratch, int* costs) noexcept nogil

# SWAP as late as possible.
cdef void lazy_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     int anchor, int position, int* scratch, int* costs) noexcept nogil

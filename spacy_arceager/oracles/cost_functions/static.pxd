from ...machine.configuration cimport ConfigurationC
from ...machine.transitions cimport SystemC
from ..gold cimport GoldC

# O[1] goes on to be part of a larger tree before a word below it has to pass: a lazy SWAP
# waits.
cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil

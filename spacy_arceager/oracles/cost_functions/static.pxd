from ...machine.configuration cimport ConfigurationC
from ...machine.transitions.declarations cimport SystemC
from ..gold cimport GoldC

# Whether O[1] will become part of a larger tree before a word below it has to move past it. A lazy
# SWAP waits for that.
cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil

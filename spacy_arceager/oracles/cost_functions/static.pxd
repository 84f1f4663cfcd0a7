"""What other static oracles ask, too."""

from ...machine.configuration cimport ConfigurationC
from ...machine.transitions.declarations cimport SystemC
from ..gold cimport GoldC

# A word has all its gold dependents.
cdef bint is_complete(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil

# The front, which an arc to `dependent` is about to shift, has all other gold arcs with words of
# the stack.
cdef bint front_is_done(const ConfigurationC* c, const GoldC* gold,
                        int dependent) noexcept nogil

# The legal transition to take where no gold arc can be made: SHIFT or what pushes words in its
# place, or else the first one that is legal. costs: as a cost_function is given them.
cdef int fallback(const SystemC* system, const int* costs) noexcept nogil

# O[1] goes on to be part of a larger tree before a word below it has to pass: a lazy SWAP
# waits.
cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil

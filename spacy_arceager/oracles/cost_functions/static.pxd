"""Functions of the static oracle that other cost functions use, too."""

from ...machine.configuration cimport ConfigurationC
from ...machine.transitions.declarations cimport SystemC
from ..gold cimport GoldC

# Whether a word has all its gold dependents.
cdef bint is_complete(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil

# Whether the front has all its gold arcs with words of the stack, except an arc to `dependent`. The
# arc to `dependent` is about to be made, and shifts the front.
cdef bint front_is_done(const ConfigurationC* c, const GoldC* gold,
                        int dependent) noexcept nogil

# The legal transition to take where none is canonical. It is SHIFT, or the transition that pushes
# words in a system without SHIFT, or else the last legal one. `costs` are the costs at the call of
# a cost_function.
cdef int fallback(const SystemC* system, const int* costs) noexcept nogil

# Whether O[1] will become part of a larger tree before a word below it has to move past it. A lazy
# SWAP waits for that.
cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil

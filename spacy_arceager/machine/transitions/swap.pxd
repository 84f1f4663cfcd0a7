"""SWAP: O[2] goes back to the front of U (Nivre 2009; de Lhoneux, Stymne and Nivre 2017).

It is legal only for two words in their original order, so no two words are swapped twice.
"""

from ..configuration cimport ConfigurationC, is_root_node, operative, push_back
from .declarations cimport SystemC, must_break

cdef enum:
    SWAP = 6


cdef inline bint can_swap(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int right = operative(c, 1)
    cdef int left = operative(c, 2)
    if system.shape.front and must_break(system, c):
        return False
    return left >= 0 and left < right and not is_root_node(c, right)


cdef inline void swap(ConfigurationC* c) noexcept nogil:
    push_back(c, operative(c, 2))

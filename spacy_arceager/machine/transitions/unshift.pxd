"""UNSHIFT: the headless word on top of the stack becomes the front of the buffer again.

At the end of the input, END is taken out of O, or an artificial root behind the last word goes
back into U (Nivre and Fernández-González 2014, section 3). The root goes back only if several
words are on the stack, as it takes the last word by LEFT. A non-monotonic UNSHIFT is legal before
the end, too, if other words are on the stack. The old front then becomes the second word of the
buffer (Honnibal and Johnson 2015).
"""

from ..configuration cimport NONE, ConfigurationC, is_root_node, push_back
from .declarations cimport SystemC

cdef enum:
    UNSHIFT = 5


cdef inline bint can_unshift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    if c.end_on_top:
        return c.n_operative >= 1 and c.head[c.top] == NONE
    return (c.n_operative > 2 and c.head[c.below[c.top]] == NONE
            and (system.unshifts_early or is_root_node(c, c.top)))


cdef inline void unshift(ConfigurationC* c) noexcept nogil:
    if c.end_on_top:
        c.end_on_top = False
    else:
        push_back(c, c.top)

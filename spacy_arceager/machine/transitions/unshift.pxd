"""UNSHIFT: takes END out, or puts the artificial root behind the last word back into U, so that
the headless word below is the front of the buffer again (Nivre and Fernández-González 2014,
section 3). Non-monotonic: a headless word on a stack with others is the front again before the
end, too (Honnibal and Johnson 2015), and what was the front is the next word.

The root takes the last word by LEFT, so it goes back only where there are more.
"""

from ..configuration cimport NONE, ConfigurationC, is_root_node, push_back
from .declarations cimport SystemC, TransitionC

cdef enum:
    UNSHIFT = 5


cdef inline void declare_unshift(TransitionC* t) noexcept nogil:
    t.makes_arc = t.ends_sentence = False
    t.waits = True
    t.takes_out = 0


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

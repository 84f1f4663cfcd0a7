"""UNSHIFT: takes END out, so that the headless word below it is the front of the buffer again
(Nivre and Fernández-González 2014, section 3)."""

from ..configuration cimport NONE, ConfigurationC
from .declarations cimport TransitionC

cdef enum:
    UNSHIFT = 5


cdef inline void declare_unshift(TransitionC* t) noexcept nogil:
    t.makes_arc = t.ends_sentence = False
    t.waits = True
    t.takes_out = 0


cdef inline bint can_unshift(const ConfigurationC* c) noexcept nogil:
    return c.end_on_top and c.n_operative >= 1 and c.head[c.top] == NONE


cdef inline void unshift(ConfigurationC* c) noexcept nogil:
    c.end_on_top = False

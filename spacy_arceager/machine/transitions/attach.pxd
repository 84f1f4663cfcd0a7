"""ATTACH: a headless word becomes the dependent of the word below it and is taken out of O.

It is the non-monotonic REDUCE as a transition of its own, which chooses a label (Honnibal et al.
2013, footnote 2).
"""

from ..configuration cimport NONE, ConfigurationC, add_arc, take_out
from .arc cimport arc_dependent, arc_head
from .declarations cimport TransitionC

cdef enum:
    ATTACH = 4


cdef inline bint can_attach(const ConfigurationC* c, const TransitionC* t,
                            int anchor) noexcept nogil:
    cdef int word = arc_dependent(c, t, anchor)
    return word >= 0 and c.head[word] == NONE and arc_head(c, t, anchor) >= 0


cdef inline void attach(ConfigurationC* c, const TransitionC* t, int anchor,
                        int label) noexcept nogil:
    cdef int word = arc_dependent(c, t, anchor)
    add_arc(c, arc_head(c, t, anchor), word, label)
    take_out(c, word)

"""REDUCE: a word that has its head is taken out of O.

Some systems that build graphs reduce headless words, too. A non-monotonic REDUCE of a headless word
makes it the dependent of the word below it, with the label that was stored when it was shifted
(Honnibal et al. 2013, section 3.2).
"""

from ..configuration cimport NONE, ConfigurationC, add_arc, is_root_node, operative_from, take_out
from .declarations cimport SystemC, TransitionC

cdef enum:
    REDUCE = 3


cdef inline bint can_reduce(const SystemC* system, const ConfigurationC* c,
                            const TransitionC* t, int anchor) noexcept nogil:
    cdef int word = operative_from(c, anchor, t.left)
    if word < 0 or is_root_node(c, word):
        return False
    if c.head[word] != NONE or system.reduce_headless:
        return True
    return (system.reduce_attaches and not system.labelled_reduce
            and c.below[word] != NONE)


cdef inline void reduce(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                        int anchor) noexcept nogil:
    cdef int word = operative_from(c, anchor, t.left)
    if c.head[word] == NONE and system.reduce_attaches:
        add_arc(c, c.below[word], word, c.remembered[word])
    take_out(c, word)

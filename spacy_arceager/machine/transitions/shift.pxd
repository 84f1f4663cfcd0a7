"""SHIFT: the front of U becomes O[1]; where U is empty, END does in a system with a front.

The artificial root behind the last word enters O only when one word is left there: where there
is no front, and under the tree constraint once UNSHIFT has put it back. What UNSHIFT has put back
is shifted again only onto an empty stack. Where the system has no free SHIFT, it is legal only
while O is not filled.
"""

from ..configuration cimport ConfigurationC, is_root_node, operative, push_next, unprocessed
from .declarations cimport SystemC, TransitionC, holds_fill, must_break

cdef enum:
    SHIFT = 0


cdef inline void declare_shift(TransitionC* t) noexcept nogil:
    t.makes_arc = t.ends_sentence = t.waits = False
    t.takes_out = 0


cdef inline bint can_shift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int front
    if must_break(system, c) or not (system.shift_is_choice or not holds_fill(system, c)):
        return False
    if system.shape.front:
        front = operative(c, 1)
        return front >= 0 and not is_root_node(c, front) and not (
            c.n_operative > 1 and was_shifted(system, c, front))
    front = unprocessed(c, 1)
    if is_root_node(c, front):
        return c.n_operative == 1
    return front >= 0


cdef inline bint was_shifted(const SystemC* system, const ConfigurationC* c,
                             int front) noexcept nogil:
    # UNSHIFT has put it back.
    return system.tree_constraint and (
        c.ended or (system.unshifts_early and front < c.furthest))


cdef inline void shift(const SystemC* system, ConfigurationC* c, int label) noexcept nogil:
    # Non-monotonic REDUCE gives a headless word the label remembered here (Honnibal et
    # al. 2013, section 3.2).
    if system.reduce_attaches:
        c.remembered[c.top] = label
    push_next(c)

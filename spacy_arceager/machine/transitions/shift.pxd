"""SHIFT: the front of U becomes O[1]. In a front system with an empty U, END becomes O[1].

In a system without a front, an artificial root behind the last word enters O only when a single
word is left there. A word or a root that UNSHIFT has put back is shifted again only onto an empty
stack. With the control parameter shift=false, SHIFT is legal only while O holds fewer than `fill`
tokens.
"""

from ..configuration cimport ConfigurationC, is_root_node, operative, push_next, unprocessed
from .declarations cimport SystemC, holds_fill, must_break

cdef enum:
    SHIFT = 0


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
    # Whether UNSHIFT has put the front back into the buffer.
    return system.tree_constraint and (
        c.ended or (system.unshifts_early and front < c.furthest))


cdef inline void shift(const SystemC* system, ConfigurationC* c, int label) noexcept nogil:
    # A non-monotonic REDUCE gives a headless word the label that is stored here (Honnibal et al.
    # 2013, section 3.2).
    if system.reduce_attaches:
        c.remembered[c.top] = label
    push_next(c)

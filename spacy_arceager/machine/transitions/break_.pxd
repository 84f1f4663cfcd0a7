"""BREAK: the sentence ends before the front of the buffer, and the words from there on wait.

It is legal only if the words before the front are all words so far, and no arc leads to the front.
"""

from ..configuration cimport (
    NONE, ConfigurationC, is_root_node, push_back, start_sentence, unprocessed,
)
from .declarations cimport SystemC, next_word

cdef enum:
    BREAK = 7


cdef inline bint can_break(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int first = next_word(system, c)
    cdef int after
    if c.ended or first < 0 or is_root_node(c, first) or c.is_start[first] < 0:
        return False
    if not system.shape.front:
        return c.n_operative == 1 and first > c.furthest
    if c.head[first] != NONE or c.n_left[first] or c.n_right[first]:
        return False
    after = unprocessed(c, 1)
    return first > c.start and first == c.furthest and (after == NONE or after > first)


cdef inline void break_sentence(const SystemC* system, ConfigurationC* c) noexcept nogil:
    if not system.shape.front:
        start_sentence(c, &system.shape)
        return
    c.limit = c.top
    push_back(c, c.top)
    c.n_waiting += c.n_unprocessed
    c.n_unprocessed = 0
    c.end_on_top = c.ended = c.more = True

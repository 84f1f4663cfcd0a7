"""Dispatch to the transitions; see dispatch.pxd.

A new move has a line in `MOVES`, its properties in `declare`, and a branch in each of the two
functions behind that. LEFT and RIGHT are their last branch.
"""

from ..configuration cimport TOP, is_root_node, n_remaining, start_sentence
from .arc cimport LEFT, RIGHT, can_make_arc, make_arc
from .attach cimport ATTACH, attach, can_attach
from .break_ cimport BREAK, break_sentence, can_break
from .declarations cimport holds_fill
from .reduce cimport REDUCE, can_reduce, reduce
from .shift cimport SHIFT, can_shift, shift
from .swap cimport SWAP, can_swap, swap
from .unshift cimport UNSHIFT, can_unshift, unshift

# From the names of moves in control parameters to their numbers.
MOVES = {
    "SHIFT": SHIFT,
    "LEFT": LEFT,
    "RIGHT": RIGHT,
    "REDUCE": REDUCE,
    "ATTACH": ATTACH,
    "UNSHIFT": UNSHIFT,
    "SWAP": SWAP,
    "BREAK": BREAK,
}


cdef void declare(TransitionC* t) noexcept nogil:
    t.makes_arc = t.move == LEFT or t.move == RIGHT or t.move == ATTACH
    t.waits = t.move != SHIFT and t.move != BREAK
    t.takes_out = 0
    if t.move == REDUCE:
        t.takes_out = t.left
    elif t.move == ATTACH:
        t.takes_out = t.right
    elif t.move == SWAP:
        t.takes_out = 2
    elif t.move == BREAK:
        t.takes_out = 1
    elif t.reduces:
        t.takes_out = t.left if t.move == LEFT else t.right


cdef inline bint can_take(const SystemC* system, const ConfigurationC* c,
                          const TransitionC* t, int anchor) noexcept nogil:
    if t.move == SHIFT:
        return can_shift(system, c)
    if t.move == REDUCE:
        return can_reduce(system, c, t, anchor)
    if t.move == ATTACH:
        return can_attach(c, t, anchor)
    if t.move == UNSHIFT:
        return can_unshift(system, c)
    if t.move == SWAP:
        return can_swap(system, c)
    if t.move == BREAK:
        return can_break(system, c)
    return can_make_arc(system, c, t, anchor)


cdef inline void act(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                     int anchor, int label) noexcept nogil:
    if t.move == SHIFT:
        shift(system, c, label)
    elif t.move == REDUCE:
        reduce(system, c, t, anchor)
    elif t.move == ATTACH:
        attach(c, t, anchor, label)
    elif t.move == UNSHIFT:
        unshift(c)
    elif t.move == SWAP:
        swap(c)
    elif t.move == BREAK:
        break_sentence(system, c)
    else:
        make_arc(system, c, t, anchor, label)


cdef inline bint is_over(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # Whether the present sentence is parsed. A single node that is left is the root of a finished
    # tree, with END or without it. If END were asked for, as by Nivre and Fernández-González,
    # nothing would be legal in ([], [w], ended).
    if n_remaining(c) <= 1:
        return True
    return system.stops_at_end and c.end_on_top


cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return not c.more and is_over(system, c)


cdef int n_anchors(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int n = min(c.n_operative, system.capacity)
    if not system.anchored:
        return 1
    # The last active token has no token to its left that it could have an arc with, so it is an
    # anchor only if it can be reduced, which the artificial root cannot.
    if not system.reduces_anywhere or (n == c.n_operative and is_root_node(c, c.bottom)):
        n -= 1
    return max(1, n)


cdef int first_anchor(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.top if system.anchored else TOP


cdef inline bint is_at_anchor(const SystemC* system, const TransitionC* t,
                              int position) noexcept nogil:
    # Both words of an arc must be active tokens.
    if t.anchored:
        return position + t.left - 1 <= system.capacity
    return position == 1


cdef inline bint is_filled(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return holds_fill(system, c) or not can_shift(system, c)


cdef inline bint is_possible(const SystemC* system, const ConfigurationC* c,
                             const TransitionC* t, int anchor, int position,
                             bint filled) noexcept nogil:
    return (is_at_anchor(system, t, position) and (filled or not t.waits)
            and can_take(system, c, t, anchor))


cdef bint is_legal(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil:
    return not is_terminal(system, c) and is_possible(
        system, c, t, anchor, position, is_filled(system, c))


cdef int legal_transitions(const SystemC* system, const ConfigurationC* c, int anchor,
                           int position, int* legal) noexcept nogil:
    cdef bint terminal = is_terminal(system, c)
    cdef bint filled = is_filled(system, c)
    cdef int i, n = 0
    for i in range(system.n_transitions):
        legal[i] = not terminal and is_possible(
            system, c, &system.transitions[i], anchor, position, filled)
        n += legal[i]
    return n


cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int anchor, int label) noexcept nogil:
    act(system, c, t, anchor, label)
    if c.more and is_over(system, c):
        start_sentence(c, &system.shape)

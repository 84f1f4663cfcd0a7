"""Validity and action of each transition; see transitions.pxd."""

from .configuration cimport (
    END,
    NONE,
    ConfigurationC,
    add_arc,
    is_root_node,
    n_remaining,
    operative,
    push_next,
    remove_arc,
    take_out,
)


cdef int arc_head(const ConfigurationC* c, const TransitionC* t) noexcept nogil:
    return operative(c, t.right if t.move == LEFT else t.left)


cdef int arc_dependent(const ConfigurationC* c, const TransitionC* t) noexcept nogil:
    return operative(c, t.left if t.move == LEFT else t.right)


cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # One node left is a finished tree, with END above it or without: Nivre and
    # Fernández-González's condition (only with END) leaves ([], [w], ended) stuck.
    if n_remaining(c) <= 1:
        return True
    # Without the tree constraint parsing stops when the buffer is empty.
    return (system.front and not system.tree_constraint
            and c.n_operative > 0 and operative(c, 1) == END)


# SHIFT: Validity

cdef bint can_shift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int front
    if not system.front:
        return c.n_unprocessed > 0
    front = operative(c, 1)
    if front == NONE or front == END or is_root_node(c, front):
        return False
    return not (system.tree_constraint and c.ended)


# LEFT, RIGHT: Validity

cdef bint can_make_arc(const SystemC* system, const ConfigurationC* c,
                       const TransitionC* t) noexcept nogil:
    cdef int dependent
    if t.left > c.n_operative or operative(c, t.right) == END:
        return False
    dependent = arc_dependent(c, t)
    if is_root_node(c, dependent):
        return False
    return c.head[dependent] == NONE or (t.move == LEFT and system.left_replaces_head)


# REDUCE: Validity

cdef bint can_reduce(const SystemC* system, const ConfigurationC* c,
                     const TransitionC* t) noexcept nogil:
    if t.left > c.n_operative:
        return False
    if c.head[operative(c, t.left)] != NONE:
        return True
    return system.reduce_attaches and t.left < c.n_operative


# UNSHIFT: Validity

cdef bint can_unshift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return (system.tree_constraint and c.n_operative >= 2 and operative(c, 1) == END
            and c.head[operative(c, 2)] == NONE)


cdef bint is_valid(const SystemC* system, const ConfigurationC* c,
                   const TransitionC* t) noexcept nogil:
    if t.move == SHIFT:
        return can_shift(system, c)
    if t.move == REDUCE:
        return can_reduce(system, c, t)
    if t.move == UNSHIFT:
        return can_unshift(system, c)
    return can_make_arc(system, c, t)


cdef bint is_legal(const SystemC* system, const ConfigurationC* c,
                   const TransitionC* t) noexcept nogil:
    return not is_terminal(system, c) and is_valid(system, c, t)


cdef int legal_transitions(const SystemC* system, const ConfigurationC* c,
                           int* legal) noexcept nogil:
    cdef int i, n = 0
    cdef bint terminal = is_terminal(system, c)
    for i in range(system.n_transitions):
        legal[i] = not terminal and is_valid(system, c, &system.transitions[i])
        n += legal[i]
    return n


# SHIFT: Action

cdef void shift(const SystemC* system, ConfigurationC* c, int label) noexcept nogil:
    # Non-monotonic REDUCE gives a headless word the label remembered here (Honnibal et
    # al. 2013, section 3.2).
    if system.reduce_attaches:
        c.remembered[operative(c, 1)] = label
    push_next(c)


# LEFT, RIGHT: Action

cdef void make_arc(ConfigurationC* c, const TransitionC* t, int label) noexcept nogil:
    cdef int head = arc_head(c, t)
    cdef int dependent = arc_dependent(c, t)
    if c.head[dependent] != NONE:
        remove_arc(c, dependent)
    add_arc(c, head, dependent, label)
    if t.reduces:
        take_out(c, t.left if t.move == LEFT else t.right)
    if t.shifts:
        push_next(c)


# REDUCE: Action

cdef void reduce(ConfigurationC* c, const TransitionC* t) noexcept nogil:
    cdef int word = operative(c, t.left)
    if c.head[word] == NONE:
        add_arc(c, operative(c, t.left + 1), word, c.remembered[word])
    take_out(c, t.left)


cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int label) noexcept nogil:
    if t.move == SHIFT:
        shift(system, c, label)
    elif t.move == REDUCE:
        reduce(c, t)
    elif t.move == UNSHIFT:
        c.n_operative -= 1
    else:
        make_arc(c, t, label)

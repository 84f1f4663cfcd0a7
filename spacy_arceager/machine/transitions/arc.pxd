"""LEFT and RIGHT make an arc between two words of O.

Parameter B says whether the dependent is then taken out of O, parameter S whether a SHIFT follows,
if there is something to shift. In a tree the dependent must not have a head yet, unless a
non-monotonic LEFT replaces that head (Honnibal et al. 2013, section 3.1). In a graph it must not
have the same head already. In a system with a single root, the artificial root takes only the last
word that is left.
"""

from ..configuration cimport (
    NONE, ConfigurationC, add_arc, add_graph_arc, has_graph_arc, is_below_in_graph, is_root_node,
    n_remaining, operative_from, push_next, remove_arc, take_out,
)
from .declarations cimport SystemC, TransitionC, must_break
from .shift cimport can_shift

cdef enum:
    LEFT = 1     # arc from the right word to the left word
    RIGHT = 2    # arc from the left word to the right word


# The head and the dependent of the arc that a transition makes; NONE if O is too short.
cdef inline int arc_head(const ConfigurationC* c, const TransitionC* t,
                         int anchor) noexcept nogil:
    return operative_from(c, anchor, t.right if t.move == LEFT else t.left)


cdef inline int arc_dependent(const ConfigurationC* c, const TransitionC* t,
                              int anchor) noexcept nogil:
    return operative_from(c, anchor, t.left if t.move == LEFT else t.right)


cdef inline bint can_make_arc(const SystemC* system, const ConfigurationC* c,
                              const TransitionC* t, int anchor) noexcept nogil:
    cdef int head = arc_head(c, t, anchor)
    cdef int dependent = arc_dependent(c, t, anchor)
    if head < 0 or dependent < 0 or is_root_node(c, dependent):
        return False
    if is_root_node(c, head) and not system.stops_at_end and n_remaining(c) > 2:
        return False
    if system.shape.front and t.right == 1 and must_break(system, c):
        return False
    if system.shape.graph:
        return graph_takes(system, c, head, dependent)
    if c.head[dependent] != NONE:
        return t.move == LEFT and system.left_replaces_head
    return not (system.checks_cycles and has_dependents(c, dependent)
                and is_below(c, head, dependent))


# Whether an arc would be new in a graph, and would close no forbidden cycle.
cdef inline bint graph_takes(const SystemC* system, const ConfigurationC* c, int head,
                             int dependent) noexcept nogil:
    return not has_graph_arc(c, head, dependent) and not (
        system.checks_cycles and is_below_in_graph(c, head, dependent))


cdef inline bint has_dependents(const ConfigurationC* c, int word) noexcept nogil:
    return c.n_left[word] > 0 or c.n_right[word] > 0


cdef inline bint is_below(const ConfigurationC* c, int word, int ancestor) noexcept nogil:
    while word >= 0 and word != ancestor:
        word = c.head[word]
    return word == ancestor


cdef inline void make_arc(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                          int anchor, int label) noexcept nogil:
    cdef int head = arc_head(c, t, anchor)
    cdef int dependent = arc_dependent(c, t, anchor)
    if system.shape.graph:
        add_graph_arc(c, head, dependent, label)
    else:
        if c.head[dependent] != NONE:
            remove_arc(c, dependent)
        add_arc(c, head, dependent, label)
    if t.reduces:
        take_out(c, dependent)
    if t.shifts and can_follow(system, c):
        push_next(c)


cdef inline bint can_follow(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # Whether the SHIFT that is part of an arc transition has something to shift.
    if not system.shape.front:
        return can_shift(system, c)
    return not (c.end_on_top or c.top == NONE or is_root_node(c, c.top)
                or must_break(system, c))

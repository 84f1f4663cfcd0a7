"""Validity and action of each transition; see transitions.pxd."""

from .configuration cimport (
    END,
    NONE,
    TOP,
    ConfigurationC,
    add_arc,
    add_graph_arc,
    has_graph_arc,
    is_below_in_graph,
    is_root_node,
    n_remaining,
    operative,
    operative_from,
    push_back,
    push_next,
    remove_arc,
    start_sentence,
    take_out,
    unprocessed,
)


cdef int arc_head(const ConfigurationC* c, const TransitionC* t, int anchor) noexcept nogil:
    return operative_from(c, anchor, t.right if t.move == LEFT else t.left)


cdef int arc_dependent(const ConfigurationC* c, const TransitionC* t,
                       int anchor) noexcept nogil:
    return operative_from(c, anchor, t.left if t.move == LEFT else t.right)


cdef bint is_over(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # The present sentence is parsed. One node left is a finished tree, with END above it
    # or without: Nivre and Fernández-González's condition (only with END) leaves
    # ([], [w], ended) stuck.
    if n_remaining(c) <= 1:
        return True
    return system.stops_at_end and c.end_on_top


cdef bint is_terminal(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return not c.more and is_over(system, c)


cdef int n_anchors(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int n = min(c.n_operative, system.capacity)
    if not system.anchored:
        return 1
    # The last active token has none to its left for an arc, and a root is not reduced.
    if not system.reduces_anywhere or (n == c.n_operative and is_root_node(c, c.bottom)):
        n -= 1
    return max(1, n)


cdef int first_anchor(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.top if system.anchored else TOP


# Validity of all that uses the next word: not where a sentence must start there first.

cdef bint must_break(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int first = c.top if system.shape.front else unprocessed(c, 1)
    if not system.segments or first < 0 or c.end_on_top or c.n_operative == 0:
        return False
    return c.is_start[first] == 2 and first > c.start


# SHIFT: Validity

cdef bint can_shift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    cdef int front
    if must_break(system, c):
        return False
    if system.shape.front:
        front = operative(c, 1)
        return front >= 0 and not is_root_node(c, front) and not (
            system.tree_constraint and c.ended)
    front = unprocessed(c, 1)
    if is_root_node(c, front):
        return c.n_operative == 1
    return front >= 0


# LEFT, RIGHT: Validity

cdef bint can_make_arc(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                       int anchor) noexcept nogil:
    cdef int head = arc_head(c, t, anchor)
    cdef int dependent = arc_dependent(c, t, anchor)
    if head < 0 or dependent < 0 or is_root_node(c, dependent):
        return False
    if is_root_node(c, head) and system.single_root and n_remaining(c) > 2:
        return False
    if system.shape.front and t.right == 1 and must_break(system, c):
        return False
    if system.shape.graph:
        return can_make_graph_arc(system, c, head, dependent)
    if c.head[dependent] != NONE:
        return t.move == LEFT and system.left_replaces_head
    return not (system.checks_cycles and has_dependents(c, dependent)
                and is_below(c, head, dependent))


cdef inline bint has_dependents(const ConfigurationC* c, int word) noexcept nogil:
    return c.n_left[word] > 0 or c.n_right[word] > 0


cdef bint is_below(const ConfigurationC* c, int word, int ancestor) noexcept nogil:
    while word >= 0 and word != ancestor:
        word = c.head[word]
    return word == ancestor


cdef bint can_make_graph_arc(const SystemC* system, const ConfigurationC* c, int head,
                             int dependent) noexcept nogil:
    if has_graph_arc(c, head, dependent):
        return False
    return not (system.checks_cycles and is_below_in_graph(c, head, dependent))


# REDUCE: Validity

cdef bint can_reduce(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                     int anchor) noexcept nogil:
    cdef int word = operative_from(c, anchor, t.left)
    if word < 0 or is_root_node(c, word):
        return False
    if c.head[word] != NONE or system.reduce_headless:
        return True
    return (system.reduce_attaches and not system.labelled_reduce
            and c.below[word] != NONE)


# UNSHIFT: Validity

cdef bint can_unshift(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.end_on_top and c.n_operative >= 1 and c.head[c.top] == NONE


# SWAP: Validity

cdef bint can_swap(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # Only words that are still in their original order, so that no two are swapped twice.
    cdef int right = operative(c, 1)
    cdef int left = operative(c, 2)
    if system.shape.front and must_break(system, c):
        return False
    return left >= 0 and left < right and not is_root_node(c, right)


# BREAK: Validity

cdef bint can_break(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # All words so far, and only these, belong to the sentence; no arc leads out of it.
    cdef int first = c.top if system.shape.front else unprocessed(c, 1)
    cdef int next_word = unprocessed(c, 1)
    if c.ended or first < 0 or is_root_node(c, first) or c.is_start[first] < 0:
        return False
    if not system.shape.front:
        return c.n_operative == 1 and first > c.furthest
    if c.head[first] != NONE or c.n_left[first] or c.n_right[first]:
        return False
    return first > c.start and first == c.furthest and (
        next_word == NONE or next_word > first)


cdef bint is_filled(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return c.n_operative + c.end_on_top >= system.fill or not can_shift(system, c)


cdef bint is_valid(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil:
    if not t.anchored and position != 1:
        return False
    if t.move == SHIFT:
        return can_shift(system, c)
    if t.move == BREAK:
        return can_break(system, c)
    if not is_filled(system, c):
        return False
    if t.move == REDUCE:
        return can_reduce(system, c, t, anchor)
    if t.move == UNSHIFT:
        return can_unshift(system, c)
    if t.move == SWAP:
        return can_swap(system, c)
    if t.anchored and position + t.left - 1 > system.capacity:
        return False
    return can_make_arc(system, c, t, anchor)


cdef bint is_legal(const SystemC* system, const ConfigurationC* c, const TransitionC* t,
                   int anchor, int position) noexcept nogil:
    return not is_terminal(system, c) and is_valid(system, c, t, anchor, position)


cdef int legal_transitions(const SystemC* system, const ConfigurationC* c, int anchor,
                           int position, int* legal) noexcept nogil:
    cdef int i, n = 0
    cdef bint terminal = is_terminal(system, c)
    for i in range(system.n_transitions):
        legal[i] = not terminal and is_valid(
            system, c, &system.transitions[i], anchor, position)
        n += legal[i]
    return n


# SHIFT: Action

cdef void shift(const SystemC* system, ConfigurationC* c, int label) noexcept nogil:
    # Non-monotonic REDUCE gives a headless word the label remembered here (Honnibal et
    # al. 2013, section 3.2).
    if system.reduce_attaches:
        c.remembered[c.top] = label
    push_next(c)


# LEFT, RIGHT: Action

cdef void make_arc(const SystemC* system, ConfigurationC* c, const TransitionC* t,
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


cdef bint can_follow(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    # The SHIFT that is part of an arc transition.
    if not system.shape.front:
        return can_shift(system, c)
    return not (c.end_on_top or c.top == NONE or is_root_node(c, c.top)
                or must_break(system, c))


# REDUCE: Action

cdef void reduce(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                 int anchor) noexcept nogil:
    cdef int word = operative_from(c, anchor, t.left)
    if c.head[word] == NONE and system.reduce_attaches:
        add_arc(c, c.below[word], word, c.remembered[word])
    take_out(c, word)


# BREAK: Action

cdef void break_sentence(const SystemC* system, ConfigurationC* c) noexcept nogil:
    if not system.shape.front:
        start_sentence(c, &system.shape)
        return
    c.limit = c.top
    push_back(c, c.top)
    c.n_waiting += c.n_unprocessed
    c.n_unprocessed = 0
    c.end_on_top = c.ended = c.more = True


cdef void apply_transition(const SystemC* system, ConfigurationC* c, const TransitionC* t,
                           int anchor, int label) noexcept nogil:
    if t.move == SHIFT:
        shift(system, c, label)
    elif t.move == REDUCE:
        reduce(system, c, t, anchor)
    elif t.move == UNSHIFT:
        c.end_on_top = False
    elif t.move == SWAP:
        push_back(c, operative(c, 2))
    elif t.move == BREAK:
        break_sentence(system, c)
    else:
        make_arc(system, c, t, anchor, label)
    if c.more and is_over(system, c):
        start_sentence(c, &system.shape)

"""The anchors of one sentence in a system with several; see anchors.pxd."""

from libc.math cimport INFINITY

from ..kernels.memory cimport BlockC, take_floats, take_ints
from ..machine.configuration cimport NONE, ConfigurationC, operative_from
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC, TransitionC, is_arc
from ..machine.transitions.dispatch cimport apply_transition, legal_transitions, n_anchors
from ..machine.transitions.shift cimport SHIFT
from .classes cimport best_class
from ..network.scorer cimport Scorer

cdef enum:
    FEW = 16    # with no more anchors than these, all are looked at after each transition


cdef void find_reach(TransitionSystem system, Scorer scorer, int* left, int* right):
    cdef int i, hops = 0, distance = 1
    for i in range(system.c.n_transitions):
        if is_arc(&system.c.transitions[i]):
            distance = max(distance, system.c.transitions[i].left
                           - system.c.transitions[i].right)
    # A feature may follow two arcs from a head or dependent to a word that stays in O.
    if system.parameters.keeps_dependents:
        hops = 2 * distance
    left[0] = max(scorer.c.reach_left + hops, distance)
    right[0] = scorer.c.reach_right + hops


cdef int count_leaves(int n_nodes) noexcept nogil:
    cdef int n = 1
    while n < n_nodes:
        n *= 2
    return n


cdef size_t anchors_size(const SystemC* system, int n_nodes) noexcept nogil:
    cdef AnchorsC a
    return lay_out(&a, system, n_nodes, NULL)


cdef size_t lay_out(AnchorsC* a, const SystemC* system, int n_nodes,
                    char* memory) noexcept nogil:
    # Lays out the arrays of the anchors; returns how many bytes they take.
    cdef size_t cells = <size_t>n_nodes * system.n_transitions
    cdef BlockC arrays = BlockC(memory, 0)
    a.n_leaves = count_leaves(n_nodes)
    a.n_transitions = system.n_transitions
    a.score = take_floats(&arrays, cells)
    a.best_class = take_ints(&arrays, cells)
    a.winners = take_floats(&arrays, 2 * <size_t>a.n_leaves)
    return arrays.size


cdef void start_anchors(AnchorsC* a, const SystemC* system, char* memory,
                        int n_nodes) noexcept nogil:
    cdef int i
    lay_out(a, system, n_nodes, memory)
    a.dirty_from = a.dirty_to = NONE
    for i in range(n_nodes):
        a.best_class[i * system.n_transitions] = NONE
    for i in range(2 * a.n_leaves):
        a.winners[i] = -INFINITY


cdef inline bint looks_at_all(const SystemC* system, const ConfigurationC* c) noexcept nogil:
    return system.capacity < c.n_nodes or c.n_operative <= FEW


cdef inline bint is_scored(const AnchorsC* a, int node) noexcept nogil:
    return a.best_class[node * a.n_transitions] != NONE


cdef int unscored_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                          int* nodes) noexcept nogil:
    cdef int n = 0
    cdef int node = c.top
    cdef int last = NONE
    cdef int remaining = n_anchors(system, c)
    if a.dirty_from != NONE and not looks_at_all(system, c):
        node = a.dirty_from
        last = c.below[a.dirty_to]
    while node != NONE and node != last and remaining > 0:
        if not is_scored(a, node):
            nodes[n] = node
            n += 1
        node = c.below[node]
        remaining -= 1
    return n


cdef void keep_scores(AnchorsC* a, TransitionSystem system, int node,
                      const float* scores) noexcept nogil:
    cdef int t, k
    cdef int cell = node * a.n_transitions
    for t in range(a.n_transitions):
        k = best_class(system, t, scores, NONE)
        a.best_class[cell + t] = k
        a.score[cell + t] = scores[k]


cdef int best_transition(const AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                         int node, int position) noexcept nogil:
    # The best legal transition at an anchor, or NONE.
    cdef int legal[MAX_TRANSITIONS]
    cdef const float* score = a.score + node * a.n_transitions
    cdef int t, best = NONE
    if legal_transitions(system, c, node, position, legal) == 0:
        return NONE
    for t in range(a.n_transitions):
        if legal[t] and (best == NONE or score[t] > score[best]):
            best = t
    return best


cdef void set_leaf(AnchorsC* a, int node, float value) noexcept nogil:
    cdef int i = a.n_leaves + node
    a.winners[i] = value
    while i > 1:
        i //= 2
        a.winners[i] = max(a.winners[2 * i], a.winners[2 * i + 1])


cdef void refresh(AnchorsC* a, const SystemC* system, const ConfigurationC* c, int node,
                  int position) noexcept nogil:
    cdef int t = best_transition(a, system, c, node, position)
    set_leaf(a, node, -INFINITY if t == NONE else a.score[node * a.n_transitions + t])


cdef void refresh_anchors(AnchorsC* a, const SystemC* system,
                          const ConfigurationC* c) noexcept nogil:
    cdef int node, position, last = NONE
    cdef int remaining = n_anchors(system, c)
    node = c.top
    position = 1
    if a.dirty_from != NONE and not looks_at_all(system, c):
        # The second anchor from the right may have been the first before.
        refresh(a, system, c, c.top, 1)
        refresh(a, system, c, c.below[c.top], 2)
        node = a.dirty_from
        last = c.below[a.dirty_to]
        position = 1 if node == c.top else 2
    while node != NONE and node != last and remaining > 0:
        refresh(a, system, c, node, position)
        node = c.below[node]
        position += 1
        remaining -= 1
    if node != NONE and remaining == 0:
        set_leaf(a, node, -INFINITY)     # no longer an anchor
    a.dirty_from = a.dirty_to = NONE


cdef int best_of_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                         int* anchor) noexcept nogil:
    cdef int node, t
    cdef float value
    while True:
        node = find_winner(a)
        t = best_transition(a, system, c, node, position_of(system, c, node))
        value = -INFINITY if t == NONE else a.score[node * a.n_transitions + t]
        if value == a.winners[a.n_leaves + node]:
            anchor[0] = node
            return a.best_class[node * a.n_transitions + t]
        # A far-away arc has made a transition here illegal, since it would now close a cycle.
        set_leaf(a, node, value)


cdef inline int find_winner(const AnchorsC* a) noexcept nogil:
    cdef int i = 1
    while i < a.n_leaves:
        i = 2 * i + (a.winners[2 * i + 1] == a.winners[i])
    return i - a.n_leaves


cdef int position_of(const SystemC* system, const ConfigurationC* c, int node) noexcept nogil:
    cdef int position = 1
    cdef int other = c.top
    if system.capacity >= c.n_nodes:
        return 1 if node == c.top else 2
    while other != node:
        other = c.below[other]
        position += 1
    return position


cdef void apply_at_anchor(AnchorsC* a, const SystemC* system, ConfigurationC* c,
                          const TransitionC* t, int anchor, int label, int reach_left,
                          int reach_right) noexcept nogil:
    cdef bint pending = a.dirty_from != NONE
    cdef int removed = word_taken_out(c, t, anchor)
    cdef int right, left
    changed_tokens(c, t, anchor, reach_left, reach_right, &right, &left)
    forget(a, c, right, left)
    apply_transition(system, c, t, anchor, label)
    if removed != NONE:
        set_leaf(a, removed, -INFINITY)
        # The links of a removed token still lead to its former neighbours in O.
        right = c.below[right] if right == removed else right
        left = c.above[left] if left == removed else left
    if t.shifts or t.move == SHIFT:
        right = c.top
    a.dirty_from = right
    a.dirty_to = c.top if t.move == SHIFT and left == NONE else left
    if pending:
        a.dirty_from, a.dirty_to = c.top, c.bottom


cdef void changed_tokens(const ConfigurationC* c, const TransitionC* t, int anchor,
                         int reach_left, int reach_right, int* right,
                         int* left) noexcept nogil:
    # An anchor sees a changed token from up to reach_left tokens right of it and
    # reach_right tokens left of it.
    right[0] = left[0] = NONE
    if t.move != SHIFT:
        right[0] = walk_right(c, anchor, reach_left)
        left[0] = last_to_left(c, anchor, max(t.left, 2) + reach_right)


cdef inline int word_taken_out(const ConfigurationC* c, const TransitionC* t,
                               int anchor) noexcept nogil:
    return operative_from(c, anchor, t.takes_out) if t.takes_out else NONE


cdef inline int walk_right(const ConfigurationC* c, int node, int steps) noexcept nogil:
    while steps > 0 and c.above[node] != NONE:
        node = c.above[node]
        steps -= 1
    return node


cdef inline int last_to_left(const ConfigurationC* c, int node, int steps) noexcept nogil:
    while steps > 0 and c.below[node] != NONE:
        node = c.below[node]
        steps -= 1
    return node


cdef void forget(AnchorsC* a, const ConfigurationC* c, int right, int left) noexcept nogil:
    # Drops the scores of the tokens from `right` to `left`, both included.
    while right != NONE:
        a.best_class[right * a.n_transitions] = NONE
        if right == left:
            return
        right = c.below[right]

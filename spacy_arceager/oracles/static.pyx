"""Static oracle: a canonical derivation for every gold tree that the system can derive.

(1) A gold arc, if its dependent has all its own dependents or stays in O, and the front of
the buffer, where it is shifted with the arc, has all its others with words of the stack;
(2) SWAP of two words that stand the other way round in the projective order (Nivre 2009,
section 4); (3) REDUCE of a word that has its head and all its dependents; (4) SHIFT. A canonical transition costs 0, all others
1; off the derivation of the gold tree the costs mean little.

When (2) comes is a choice, and every gold tree is rebuilt with each. Eager: before (1), as
soon as the words meet (Nivre 2009). Arcs first: as above. Lazy: (2) also waits until the
right word has made all it can of its maximal projective component (Nivre, Kuhlmann and
Hall 2009, section 3), so that a word passes a component in one step.

With several anchors every gold arc of (1) is canonical, whichever comes first. The rule
fails exactly where the system cannot derive the gold tree.
"""

from ..machine.configuration cimport (
    NONE,
    OPERATIVE,
    ConfigurationC,
    is_root_node,
    operative,
    operative_from,
    unprocessed,
)
from ..machine.transitions cimport (
    MAX_TRANSITIONS,
    REDUCE,
    SHIFT,
    SWAP,
    SystemC,
    TransitionC,
    arc_dependent,
    arc_head,
    first_anchor,
    is_arc,
    is_legal,
    legal_transitions,
    n_anchors,
)
from .gold cimport GoldC
from .oracle cimport ILLEGAL


cdef bint is_complete(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    cdef int child = gold.first_child[word]
    while child != NONE:
        if c.head[child] != word:
            return False
        child = gold.next_child[child]
    return True


cdef inline bint waits_on_stack(const ConfigurationC* c, int front, int node) noexcept nogil:
    return (node >= 0 and node != front and not is_root_node(c, node)
            and c.place[node] == OPERATIVE)


cdef bint front_is_done(const ConfigurationC* c, const GoldC* gold,
                        int dependent) noexcept nogil:
    # The front is shifted with an arc: it has made all its others with words of the stack.
    cdef int front = operative(c, 1)
    cdef int child
    if front < 0:
        return True
    if front != dependent and c.head[front] == NONE and waits_on_stack(
            c, front, gold.head[front]):
        return False
    child = gold.first_child[front]
    while child != NONE:
        if child != dependent and c.head[child] == NONE and waits_on_stack(c, front, child):
            return False
        child = gold.next_child[child]
    return True


# When SWAP comes.
cdef enum SwapOrder:
    EAGER
    ARCS_FIRST
    LAZY


cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil:
    cdef int word = operative(c, 1)
    cdef int following = unprocessed(c, 1)
    if system.shape.front:
        # LEFT will take it. With its head to the left, it has to stand next to that now.
        return gold.component[word] != word and gold.head[word] > word
    return following != NONE and gold.component[word] == gold.component[following]


cdef bint is_canonical(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       const TransitionC* t, int anchor,
                       SwapOrder swaps) noexcept nogil:
    cdef int word
    if is_arc(t):
        word = arc_dependent(c, t, anchor)
        if gold.head[word] != arc_head(c, t, anchor):
            return False
        if t.shifts and system.shape.front and not front_is_done(c, gold, word):
            return False
        return not t.reduces or is_complete(c, gold, word)
    if t.move == REDUCE:
        word = operative_from(c, anchor, t.left)
        return c.head[word] != NONE and is_complete(c, gold, word)
    if t.move == SWAP:
        return (gold.order[operative(c, 2)] > gold.order[operative(c, 1)]
                and not (swaps == LAZY and is_growing(system, c, gold)))
    return False


cdef int rank(const TransitionC* t, SwapOrder swaps) noexcept nogil:
    # In which order canonical transitions are tried.
    if t.move == REDUCE:
        return 3
    if t.move == SWAP:
        return 0 if swaps == EAGER else 2
    return 1


cdef int first_canonical(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                         int anchor, const int* legal, SwapOrder swaps) noexcept nogil:
    cdef int i, chosen = NONE
    for i in range(system.n_transitions):
        if legal[i] and is_canonical(system, c, gold, &system.transitions[i], anchor, swaps):
            if chosen == NONE or (rank(&system.transitions[i], swaps)
                                  < rank(&system.transitions[chosen], swaps)):
                chosen = i
    return chosen


cdef int fallback(const SystemC* system, const int* legal) noexcept nogil:
    # SHIFT, or whatever is legal.
    cdef int i, chosen = NONE
    for i in range(system.n_transitions - 1, -1, -1):
        if legal[i] and (chosen == NONE or system.transitions[i].move == SHIFT):
            chosen = i
    return chosen


cdef bint some_anchor_has_arc(const SystemC* system, const ConfigurationC* c,
                              const GoldC* gold) noexcept nogil:
    cdef int anchor = first_anchor(system, c)
    cdef int position, i
    cdef const TransitionC* t
    for position in range(1, n_anchors(system, c) + 1):
        for i in range(system.n_transitions):
            t = &system.transitions[i]
            if t.anchored and is_legal(system, c, t, anchor, position) and is_canonical(
                    system, c, gold, t, anchor, ARCS_FIRST):
                return True
        anchor = c.below[anchor]
    return False


cdef void find_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     int anchor, int position, SwapOrder swaps, int* costs) noexcept nogil:
    cdef int legal[MAX_TRANSITIONS]
    cdef int i, chosen
    legal_transitions(system, c, anchor, position, legal)
    chosen = first_canonical(system, c, gold, anchor, legal, swaps)
    if chosen == NONE and position == 1 and not (
            system.anchored and some_anchor_has_arc(system, c, gold)):
        chosen = fallback(system, legal)
    for i in range(system.n_transitions):
        costs[i] = i != chosen if legal[i] else ILLEGAL
        if legal[i] and system.transitions[i].anchored and is_canonical(
                system, c, gold, &system.transitions[i], anchor, swaps):
            costs[i] = 0


cdef void static_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int* scratch, int* costs) noexcept nogil:
    find_costs(system, c, gold, anchor, position, ARCS_FIRST, costs)


cdef void eager_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                      int anchor, int position, int* scratch, int* costs) noexcept nogil:
    find_costs(system, c, gold, anchor, position, EAGER, costs)


cdef void lazy_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     int anchor, int position, int* scratch, int* costs) noexcept nogil:
    find_costs(system, c, gold, anchor, position, LAZY, costs)

"""Static oracle: a canonical derivation for every gold tree that the system can derive.

The first of these that is possible is canonical:

1. a gold arc, if its dependent is complete or stays in O and, should the arc shift the front of the
   buffer, the front has all its other gold arcs with words of the stack;
2. SWAP of two words that stand the other way round in the projective order (Nivre 2009, section 4);
3. REDUCE of a word that has its head and all its dependents;
4. SHIFT.

A canonical transition costs 0, all others 1. The costs mean little in configurations that the
derivation of the gold tree does not pass.

The option `swap_order` says when SWAP is taken. Every gold tree is rebuilt with each of its
values:

- "arcs_first": in the order above;
- "eager": before the gold arcs, as soon as the two words are next to each other (Nivre 2009);
- "lazy": after the gold arcs, and only when the right word has made all arcs that it can make
  within its maximal projective component (Nivre, Kuhlmann and Hall 2009, section 3). Other words
  then pass the component as a whole, which takes fewer SWAPs.

In a system with several anchors, a gold arc is canonical at each anchor at which it is possible.
The findings in `STATIC` say which trees the rules rebuild.
"""

from ...machine.configuration cimport (
    NONE, OPERATIVE, UNPROCESSED, ConfigurationC, is_root_node, operative, operative_from,
    unprocessed,
)
from ...machine.transitions.arc cimport arc_dependent, arc_head
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.dispatch cimport first_anchor, is_legal, n_anchors, next_anchor
from ...machine.transitions.reduce cimport REDUCE
from ...machine.transitions.shift cimport SHIFT
from ...machine.transitions.swap cimport SWAP
from ..costs cimport ILLEGAL, QuestionC, wrapped
from ..gold cimport GoldC

from ..rows import TREES_ALONE, OracleOption, Row


cdef bint is_complete(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    # Whether a word has all its gold dependents.
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
    # Whether the front has all its gold arcs with words of the stack, except an arc to `dependent`,
    # which is about to be made, and shifts the front.
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


cdef inline bint is_to_be_repaired(const SystemC* system, const ConfigurationC* c,
                                   const GoldC* gold, int word) noexcept nogil:
    # Whether a wrong RIGHT has pushed a word, since the system has no SHIFT, and LEFT will take it.
    cdef int head = gold.head[word]
    return (system.left_replaces_head and head >= 0 and c.head[word] != head
            and (head == c.top or c.place[head] == UNPROCESSED))


# The place of SWAP among the canonical transitions.
cdef enum SwapTime:
    EAGER
    ARCS_FIRST
    LAZY


cdef bint is_growing(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil:
    cdef int word = operative(c, 1)
    cdef int following = unprocessed(c, 1)
    if system.shape.front:
        # LEFT will take a front with its head on the right. A front with its head on the left has
        # to come next to that head, so SWAP cannot wait.
        return gold.component[word] != word and gold.head[word] > word
    return following != NONE and gold.component[word] == gold.component[following]


cdef bint is_canonical(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       const TransitionC* t, int anchor,
                       SwapTime swaps) noexcept nogil:
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
        return (c.head[word] != NONE and is_complete(c, gold, word)
                and not is_to_be_repaired(system, c, gold, word))
    if t.move == SWAP:
        return (gold.order[operative(c, 2)] > gold.order[operative(c, 1)]
                and not (swaps == LAZY and is_growing(system, c, gold)))
    return False


cdef int rank(const TransitionC* t, SwapTime swaps) noexcept nogil:
    # The order in which canonical transitions other than REDUCE are tried.
    if t.move == SWAP:
        return 0 if swaps == EAGER else 2
    return 1


cdef int first_canonical(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                         int anchor, const int* costs, SwapTime swaps) noexcept nogil:
    cdef int i, chosen = NONE
    cdef const TransitionC* t
    for i in range(system.n_transitions):
        t = &system.transitions[i]
        if costs[i] == ILLEGAL or t.move == REDUCE:
            continue
        if ((chosen == NONE or rank(t, swaps) < rank(&system.transitions[chosen], swaps))
                and is_canonical(system, c, gold, t, anchor, swaps)):
            chosen = i
    if chosen != NONE:
        return chosen
    # REDUCE looks at all dependents of its word, so it is asked only where nothing else is left.
    for i in range(system.n_transitions):
        t = &system.transitions[i]
        if costs[i] != ILLEGAL and t.move == REDUCE and is_canonical(
                system, c, gold, t, anchor, swaps):
            return i
    return NONE


cdef int fallback(const SystemC* system, const int* costs) noexcept nogil:
    # The legal transition to take where none is canonical: SHIFT, or the transition that pushes
    # words in a system without SHIFT, or else the last one.
    cdef int i, chosen = NONE
    cdef const TransitionC* t
    for i in range(system.n_transitions - 1, -1, -1):
        t = &system.transitions[i]
        if costs[i] != ILLEGAL and (chosen == NONE or t.move == SHIFT
                                    or (t.shifts and not system.shift_is_choice)):
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
        anchor = next_anchor(c, anchor)
    return False


cdef void find_costs(const QuestionC* q, SwapTime swaps, int* costs) noexcept nogil:
    cdef const SystemC* system = q.system
    cdef int i
    cdef int chosen = first_canonical(system, q.c, q.gold, q.anchor, costs, swaps)
    if chosen == NONE and q.position == 1 and not (
            system.anchored and some_anchor_has_arc(system, q.c, q.gold)):
        chosen = fallback(system, costs)
    for i in range(system.n_transitions):
        if costs[i] == ILLEGAL:
            continue
        costs[i] = i != chosen and not (
            system.transitions[i].anchored and is_canonical(
                system, q.c, q.gold, &system.transitions[i], q.anchor, swaps))


cdef void arcs_first_costs(const QuestionC* q, int* costs) noexcept nogil:
    find_costs(q, ARCS_FIRST, costs)


cdef void eager_costs(const QuestionC* q, int* costs) noexcept nogil:
    find_costs(q, EAGER, costs)


cdef void lazy_costs(const QuestionC* q, int* costs) noexcept nogil:
    find_costs(q, LAZY, costs)


cdef dict BY_SWAP_ORDER = {
    "lazy": wrapped(lazy_costs, NULL),
    "eager": wrapped(eager_costs, NULL),
    "arcs_first": wrapped(arcs_first_costs, NULL),
}


STATIC = Row(
    name="static",
    method="one derivation: gold arcs whose dependent is complete, SWAP by the projective "
           "order, REDUCE, SHIFT",
    needs=(TREES_ALONE,),
    costs=lambda options: BY_SWAP_ORDER[options["swap_order"]],
    findings=(
        ("every system that builds trees",
         "rebuilds exactly the trees that the system derives (n ≤ 5). Some systems that are not in "
         "the catalogue lose trees of three or four words: with arcs at the left end of the active "
         "tokens, with SWAP and arcs of one direction, or with a front and LEFT that shifts"),
    ),
    options=(
        OracleOption(
            "swap_order", "lazy",
            "when SWAP is taken: before gold arcs (`eager`, Nivre 2009), after them "
            "(`arcs_first`), or as late as possible, which takes fewer (`lazy`, Nivre, "
            "Kuhlmann and Hall 2009)",
            "with SWAP", tuple(BY_SWAP_ORDER),
        ),
    ),
    follow_only=True,
    takes_any_transitions=True,
    also_knows=("SWAP",),
)

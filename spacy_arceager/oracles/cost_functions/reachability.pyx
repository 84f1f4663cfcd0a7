"""Dynamic oracle for any control parameters: a sum over arcs.

A gold arc is obtainable as long as its dependent has no head and the system has a way left
to join its two words; a transition costs the arcs that were obtainable and are no longer
(Goldberg and Nivre 2013, section 4, call systems arc-decomposable where the sum is exact).
It is exact for arc-hybrid and for easy-first without capacity. In other systems a SHIFT can also
push words out of reach, and `shift_cost` counts the commonest cases.

Under the tree constraint, an arc between two words of the stack is obtainable if the upper word
has no head, since UNSHIFT makes it the front again. A SHIFT that leaves such an arc to UNSHIFT
still costs one, so that training does not rely on UNSHIFT.

It is not made for SWAP, graphs and non-monotonic transitions.
"""

from ...machine.configuration cimport (
    NONE, OPERATIVE, ConfigurationC, is_ahead, is_root_node, operative, operative_from, unprocessed,
)
from ...machine.transitions.arc cimport LEFT, RIGHT, arc_dependent, arc_head
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.dispatch cimport first_anchor, is_legal, n_anchors, next_anchor
from ...machine.transitions.reduce cimport REDUCE
from ...machine.transitions.shift cimport SHIFT
from ..costs cimport ILLEGAL, CostFunction, QuestionC, wrapped
from ..gold cimport GoldC, is_below, is_root_head

from ..rows import PREFER_MONOTONIC, TREES_ALONE, Need, Row, everywhere, nowhere


# How a system joins words. `front`, where functions below take it, is O[1] in front systems; NONE
# in other systems, and once no word is left in the buffer.
cdef struct ReachC:
    bint front
    bint rights_on_stack     # some RIGHT joins two words of the stack
    bint lefts_on_stack      # some LEFT does
    bint clears_between      # words between two words of the stack can be taken out
    bint keeps_dependents
    bint roots_stay          # a word without head can end up under the root, wherever it is
    bint unshifts            # after the end, a headless word can be the front again


cdef ReachC reach_of(const SystemC* system) noexcept nogil:
    cdef ReachC reach
    cdef const TransitionC* t
    cdef int i
    reach.front = system.shape.front
    reach.unshifts = system.tree_constraint
    reach.roots_stay = system.stops_at_end or reach.unshifts or not reach.front
    reach.rights_on_stack = reach.lefts_on_stack = reach.clears_between = False
    reach.keeps_dependents = False
    for i in range(system.n_transitions):
        t = &system.transitions[i]
        if not is_arc(t):
            continue
        reach.keeps_dependents = reach.keeps_dependents or not t.reduces
        if t.move == LEFT:
            reach.lefts_on_stack = reach.lefts_on_stack or t.right >= 2
            reach.clears_between = reach.clears_between or t.left >= 3
        elif t.right >= 2:
            reach.rights_on_stack = True
        elif t.reduces:
            # O[2] becomes the front again.
            reach.rights_on_stack = reach.lefts_on_stack = reach.clears_between = True
    return reach


cdef inline int front_of(const ReachC* reach, const ConfigurationC* c) noexcept nogil:
    return max(operative(c, 1), NONE) if reach.front else NONE


cdef inline bint is_alive(const ConfigurationC* c, int node) noexcept nogil:
    return c.place[node] == OPERATIVE or is_ahead(c, node)


cdef inline bint is_on_stack(const ConfigurationC* c, int node, int front) noexcept nogil:
    return c.place[node] == OPERATIVE and node != front


cdef bint root_is_obtainable(const ReachC* reach, const ConfigurationC* c, int word,
                             int front) noexcept nogil:
    # Any word in the buffer can become the root; on a stack, only the lowest word can.
    if reach.roots_stay or reach.clears_between or not is_on_stack(c, word, front):
        return True
    return c.below[word] == NONE or is_root_node(c, c.below[word])


cdef bint can_join_on_stack(const ReachC* reach, const ConfigurationC* c, int head,
                            int dependent) noexcept nogil:
    # Words further left on a stack are lower: SWAP aside, O is in the order of the words.
    if reach.unshifts:
        return c.head[max(head, dependent)] == NONE
    if head < dependent:
        return reach.rights_on_stack and (
            reach.clears_between or c.below[dependent] == head)
    return reach.lefts_on_stack


cdef bint is_obtainable(const ReachC* reach, const ConfigurationC* c, const GoldC* gold,
                        int word, int front) noexcept nogil:
    # Whether a word can still get its gold head. front: the front of the buffer, or NONE.
    cdef int head = gold.head[word]
    if head == NONE or c.head[word] != NONE or not is_alive(c, word):
        return False
    if is_root_head(c, head):
        return root_is_obtainable(reach, c, word, front)
    if not is_alive(c, head):
        return False
    if reach.keeps_dependents and is_below(c, c.head, head, word):
        return False
    if reach.front and is_on_stack(c, word, front) and is_on_stack(c, head, front):
        return can_join_on_stack(reach, c, head, word)
    return True


cdef int obtainable_dependents(const ReachC* reach, const ConfigurationC* c,
                               const GoldC* gold, int word, int front) noexcept nogil:
    cdef int n = 0
    cdef int child = gold.first_child[word]
    while child != NONE:
        n += is_obtainable(reach, c, gold, child, front)
        child = gold.next_child[child]
    return n


# Arcs

cdef int cycle_cost(const ReachC* reach, const ConfigurationC* c, const GoldC* gold,
                    int head, int dependent, bint is_closed, int front) noexcept nogil:
    # The word on top of the head's tree can no longer go below the dependent. is_closed:
    # the dependent's own arcs are counted elsewhere.
    cdef int top = head
    while not is_root_node(c, top) and c.head[top] != NONE:
        top = c.head[top]
    if is_root_node(c, top) or (is_closed and gold.head[top] == dependent):
        return False
    return (is_obtainable(reach, c, gold, top, front)
            and is_below(c, c.head, gold.head[top], dependent))


cdef int arc_cost(const ReachC* reach, const ConfigurationC* c, const GoldC* gold,
                  const TransitionC* t, int anchor, int front) noexcept nogil:
    cdef int head = arc_head(c, t, anchor)
    cdef int dependent = arc_dependent(c, t, anchor)
    cdef bint front_is_shifted = t.shifts and reach.front and front != NONE
    cdef bint is_closed
    cdef int cost = 0
    if gold.head[dependent] != head:
        cost += is_obtainable(reach, c, gold, dependent, front)
    if t.reduces:
        cost += obtainable_dependents(reach, c, gold, dependent, front)
    if reach.keeps_dependents:
        is_closed = t.reduces or (front_is_shifted and dependent == front)
        cost += cycle_cost(reach, c, gold, head, dependent, is_closed, front)
    if front_is_shifted:
        cost += shifted_front_cost(reach, c, gold, dependent, t, front)
    return cost


cdef int shifted_front_cost(const ReachC* reach, const ConfigurationC* c, const GoldC* gold,
                            int dependent, const TransitionC* t, int front) noexcept nogil:
    # A SHIFT follows; the dependent's own arc is counted already.
    cdef int cost
    if t.reduces and dependent == front:
        return 0
    cost = front_cost(reach, c, gold, front)
    if dependent == front:
        return cost - is_lost(reach, c, gold, front, front)
    if gold.head[dependent] == front and t.reduces:
        cost -= is_lost(reach, c, gold, dependent, front)
    return cost


# SHIFT

cdef bint is_lost(const ReachC* reach, const ConfigurationC* c, const GoldC* gold, int word,
                  int front) noexcept nogil:
    # Whether an arc with the front is lost once the front is on the stack. UNSHIFT might still make
    # it, but is a repair that training should not rely on.
    cdef int other = gold.head[word] if word == front else word
    if not is_obtainable(reach, c, gold, word, front):
        return False
    if reach.unshifts:
        return other >= 0 and is_on_stack(c, other, front)
    return not is_obtainable(reach, c, gold, word, NONE)


cdef int front_cost(const ReachC* reach, const ConfigurationC* c, const GoldC* gold,
                    int front) noexcept nogil:
    cdef int cost = is_lost(reach, c, gold, front, front)
    cdef int child = gold.first_child[front]
    while child != NONE:
        cost += is_lost(reach, c, gold, child, front)
        child = gold.next_child[child]
    return cost


cdef bint is_free_gold(const SystemC* system, const ReachC* reach, const ConfigurationC* c,
                       const GoldC* gold, const TransitionC* t, int anchor,
                       int position) noexcept nogil:
    # A gold arc that costs nothing.
    return (is_arc(t) and is_legal(system, c, t, anchor, position)
            and gold.head[arc_dependent(c, t, anchor)] == arc_head(c, t, anchor)
            and arc_cost(reach, c, gold, t, anchor, NONE) == 0)


cdef bint is_trapped_by_stack(const SystemC* system, const ReachC* reach,
                              const ConfigurationC* c, const GoldC* gold, int anchor,
                              int next_word) noexcept nogil:
    # Whether a free gold arc that can only be made at O[1] would have to wait until the next word
    # is reduced. It does not matter if the arc's right word waits for the next word, too.
    cdef bint trapped = False
    cdef const TransitionC* t
    cdef int i
    for i in range(system.n_transitions):
        t = &system.transitions[i]
        if not t.anchored and is_free_gold(system, reach, c, gold, t, anchor, 1):
            if is_below(c, gold.head, next_word, operative_from(c, anchor, t.right)):
                return False
            trapped = True
    return trapped


cdef bint is_trapped_by_capacity(const SystemC* system, const ReachC* reach,
                                 const ConfigurationC* c, const GoldC* gold,
                                 int next_word) noexcept nogil:
    # Whether O[K] would leave the active tokens although it has a free gold arc, and no other free
    # arc would make room.
    cdef bint trapped = False
    cdef int anchor = first_anchor(system, c)
    cdef const TransitionC* t
    cdef int i, position, stays
    if c.n_operative < system.capacity:
        return False
    for position in range(1, n_anchors(system, c) + 1):
        for i in range(system.n_transitions):
            t = &system.transitions[i]
            if not t.anchored or not is_free_gold(system, reach, c, gold, t, anchor, position):
                continue
            if position + t.left - 1 < system.capacity:
                return False
            stays = operative_from(c, anchor, t.right)
            if is_below(c, gold.head, next_word, stays):
                return False
            trapped = True
        anchor = next_anchor(c, anchor)
    return trapped and not next_word_is_joined(system, reach, c, gold, next_word)


cdef bint some_word_is_open(const ReachC* reach, const ConfigurationC* c,
                            const GoldC* gold) noexcept nogil:
    # Some word of O can still get a gold arc.
    cdef int word = c.top
    while word != NONE:
        if not is_root_node(c, word) and is_obtainable(reach, c, gold, word, NONE):
            return True
        if obtainable_dependents(reach, c, gold, word, NONE):
            return True
        word = c.below[word]
    return False


cdef bint some_reduce_is_free(const SystemC* system, const ReachC* reach,
                              const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    # Whether some REDUCE costs nothing. SHIFT before it could push words that still wait for arcs
    # out of the active tokens.
    cdef int anchor = first_anchor(system, c)
    cdef const TransitionC* t
    cdef int i, position
    for position in range(1, n_anchors(system, c) + 1):
        for i in range(system.n_transitions):
            t = &system.transitions[i]
            if t.move == REDUCE and is_legal(system, c, t, anchor, position):
                if obtainable_dependents(
                        reach, c, gold, operative_from(c, anchor, t.left), NONE) == 0:
                    return True
        anchor = next_anchor(c, anchor)
    return False


cdef bint next_word_is_joined(const SystemC* system, const ReachC* reach,
                              const ConfigurationC* c, const GoldC* gold,
                              int next_word) noexcept nogil:
    # A gold arc of the next word that would cost nothing after the SHIFT.
    cdef const TransitionC* t
    cdef int i, other
    for i in range(system.n_transitions):
        t = &system.transitions[i]
        if not is_arc(t):
            continue
        other = operative(c, t.left - 1)
        if other < 0:
            continue
        if t.move == LEFT and gold.head[other] == next_word:
            if obtainable_dependents(reach, c, gold, other, NONE) == 0:
                return True
        if t.move == RIGHT and gold.head[next_word] == other:
            if obtainable_dependents(reach, c, gold, next_word, NONE) == 0:
                return True
    return False


cdef int shift_cost(const SystemC* system, const ReachC* reach, const ConfigurationC* c,
                    const GoldC* gold, int anchor, int front) noexcept nogil:
    cdef int next_word
    if reach.front:
        return 0 if front == NONE else front_cost(reach, c, gold, front)
    next_word = unprocessed(c, 1)
    if is_trapped_by_stack(system, reach, c, gold, anchor, next_word):
        return True
    if reach.keeps_dependents and some_reduce_is_free(system, reach, c, gold) and (
            some_word_is_open(reach, c, gold)):
        return True
    return system.anchored and is_trapped_by_capacity(system, reach, c, gold, next_word)


cdef int cost_of(const ReachC* reach, const QuestionC* q, const TransitionC* t,
                 int front) noexcept nogil:
    if is_arc(t):
        return arc_cost(reach, q.c, q.gold, t, q.anchor, front)
    if t.move == SHIFT:
        return shift_cost(q.system, reach, q.c, q.gold, q.anchor, front)
    if t.move == REDUCE:
        return obtainable_dependents(
            reach, q.c, q.gold, operative_from(q.c, q.anchor, t.left), front)
    return 0


cdef void reachability_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef ReachC reach = reach_of(q.system)
    cdef int front = front_of(&reach, q.c)
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = cost_of(&reach, q, &q.system.transitions[i], front)


cdef int count_lost(const QuestionC* q) noexcept nogil:
    cdef ReachC reach = reach_of(q.system)
    cdef int front = front_of(&reach, q.c)
    cdef int word, head
    cdef int n = 0
    for word in range(q.c.start, q.c.limit):
        head = q.gold.head[word]
        if head == NONE or q.c.head[word] == head:
            continue
        if q.c.head[word] != NONE:
            n += 1
        elif not is_root_head(q.c, head):
            n += not is_obtainable(&reach, q.c, q.gold, word, front)
    return n


cdef CostFunction SUM = wrapped(reachability_costs, NULL)


# The sum over arcs is not made for graphs and repairs.
ARCS_ALONE = (
    TREES_ALONE, Need("non_monotonic=[]", lambda parameters: not parameters.non_monotonic),
)


def reduces_without_swap(parameters: SystemParameters) -> bool:
    """Whether every arc takes its dependent out of O, and the system has no SWAP."""
    return parameters.reduces_at_once and not parameters.swap


def sums_are_exact(parameters: SystemParameters) -> bool:
    """Whether the sum over arcs is exact for projective gold trees."""
    return reduces_without_swap(parameters) and (
        parameters.fills_at_once or parameters.is_arc_hybrid
    )


EXACT_SUMS = Need(
    "arc-hybrid without SWAP, or easy-first with capacity=None and fill=None", sums_are_exact
)
METHOD = "sum over arcs (Goldberg & Nivre 2013), ours for any control parameters"
REACHABILITY = Row(
    name="reachability",
    method=METHOD,
    needs=ARCS_ALONE,
    costs=lambda options: SUM,
    findings=(
        ("Attardi, bounded easy-first",
         "bounded easy-first 99 to 100 %, Attardi 92 to 93 % of costs, n = 4; costly "
         "transition offered in at most 0.25 % of states, n = 5"),
        ("arc-eager with tree constraint, also with `distance = 2`",
         "costly transition offered in 0.14 % of states; with `distance = 2` in 0.03 %, trees "
         "that are not projective 0.44 %, n = 4"),
        ("dependents that stay on a stack without front",
         "costly transition offered in at most 0.75 % of states, n = 4"),
        ("other parameters",
         "with a front, or with arcs at different ends of the active tokens, a costly "
         "transition is offered in up to 37 % of states, n = 4: use the static oracle"),
    ),
    options=(PREFER_MONOTONIC,),
    is_exact=sums_are_exact,
    # Arc-eager over other words; arc-eager itself has an exact one.
    is_advised=lambda parameters: parameters.has_arc_eager_arcs and not parameters.is_arc_eager,
)
DYNAMIC, EXACT = (
    Row(
        name=name,
        method=METHOD,
        needs=(EXACT_SUMS, *ARCS_ALONE),
        costs=lambda options: SUM,
        findings=(("arc-hybrid; easy-first, K = ∞", "projective trees, n ≤ 5, every root"),),
        is_exact=everywhere,
        is_advised=everywhere if name == "exact" else nowhere,
    )
    for name in ("dynamic", "exact")
)

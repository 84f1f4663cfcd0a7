"""Dynamic oracle for arc-eager systems: a sum over arcs.

Goldberg and Nivre (2012) with the correction of Honnibal, Goldberg and Johnson (2013,
footnote 4), and the latter's section 5.2 for the non-monotonic transitions, with one
term more: REDUCE of a headless word whose gold head is in the buffer costs one.
Exact for the systems without tree constraint; with it, an approximation.

Names: s0 is the top of the stack, s1 the word below it, b the front of the buffer.
"""

from ...machine.configuration cimport (
    NONE, ROOT_LEFT, ConfigurationC, in_buffer, is_ahead, is_root_node, on_stack, operative,
)
from ...machine.transitions.arc cimport LEFT, RIGHT
from ...machine.transitions.attach cimport ATTACH
from ...machine.transitions.declarations cimport SystemC, TransitionC
from ...machine.transitions.reduce cimport REDUCE
from ...machine.transitions.shift cimport SHIFT
from ..costs cimport ILLEGAL, CostFunction, QuestionC, wrapped
from ..gold cimport ROOT_HEAD, GoldC

from ..rows import PREFER_MONOTONIC, Need, Row, everywhere


cdef int dependents_in_buffer(const ConfigurationC* c, const GoldC* gold,
                              int word) noexcept nogil:
    cdef int n = 0
    cdef int child = gold.first_child[word]
    while child != NONE:
        n += in_buffer(c, child)
        child = gold.next_child[child]
    return n


cdef int dependents_on_stack(const SystemC* system, const ConfigurationC* c,
                             const GoldC* gold, int word) noexcept nogil:
    # Counts the gold dependents that `word`, as the front, can take by LEFT. Each has no head or a
    # wrong one, since its gold head, `word`, is still in the buffer.
    cdef int n = 0
    cdef int child = gold.first_child[word]
    while child != NONE:
        if on_stack(c, child) and (c.head[child] == NONE or system.left_replaces_head):
            n += 1
        child = gold.next_child[child]
    return n


cdef inline int gold_head(const SystemC* system, const ConfigurationC* c,
                          const GoldC* gold, int word) noexcept nogil:
    # Under the tree constraint, the artificial root takes the word that gets no other head.
    cdef int head = gold.head[word]
    return ROOT_HEAD if system.tree_constraint and is_root_node(c, head) else head


cdef inline bint is_root_of_rest(const SystemC* system, const ConfigurationC* c,
                                 int head) noexcept nogil:
    # Whether a word with this gold head is right if it never gets a head.
    return head == ROOT_HEAD or (is_root_node(c, head) and system.shape.root == ROOT_LEFT)


cdef int shift_cost(const SystemC* system, const ConfigurationC* c,
                    const GoldC* gold) noexcept nogil:
    cdef int b = operative(c, 1)
    cdef int head = gold_head(system, c, gold, b)
    cdef int cost = dependents_on_stack(system, c, gold, b)
    if is_root_of_rest(system, c, head):
        return cost
    cost += on_stack(c, head)
    if system.reduce_attaches and head >= 0 and head == operative(c, 2):
        cost -= 1
    return cost


cdef int right_cost(const SystemC* system, const ConfigurationC* c,
                    const GoldC* gold) noexcept nogil:
    cdef int b = operative(c, 1)
    cdef int head = gold_head(system, c, gold, b)
    cdef int cost = dependents_on_stack(system, c, gold, b)
    if is_root_of_rest(system, c, head):
        cost += head != operative(c, 2)
    elif is_ahead(c, head):
        cost += not system.left_replaces_head
    elif on_stack(c, head):
        cost += head != operative(c, 2)
    return cost


cdef int left_cost(const SystemC* system, const ConfigurationC* c,
                   const GoldC* gold) noexcept nogil:
    cdef int s0 = operative(c, 2)
    cdef int head = gold_head(system, c, gold, s0)
    cdef int cost = dependents_in_buffer(c, gold, s0)
    if system.tree_constraint and is_root_node(c, operative(c, 1)):
        return 0   # the last word: nothing else is legal
    if c.head[s0] != NONE:
        cost += c.head[s0] == head or is_ahead(c, head)
    else:
        cost += is_root_of_rest(system, c, head) or is_ahead(c, head)
        cost += system.reduce_attaches and head >= 0 and head == operative(c, 3)
    return cost


cdef int reduce_cost(const SystemC* system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil:
    cdef int s0 = operative(c, 2)
    cdef int head = gold_head(system, c, gold, s0)
    cdef int cost = dependents_in_buffer(c, gold, s0)
    cdef bint head_in_buffer = in_buffer(c, head)
    if c.head[s0] == NONE:
        cost += head == ROOT_HEAD or head_in_buffer
    elif system.left_replaces_head:
        cost += head_in_buffer
    return cost


cdef int cost_of(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                 const TransitionC* t) noexcept nogil:
    if t.move == SHIFT:
        return shift_cost(system, c, gold)
    if t.move == LEFT:
        return left_cost(system, c, gold)
    if t.move == RIGHT:
        return right_cost(system, c, gold)
    if t.move == REDUCE or t.move == ATTACH:
        return reduce_cost(system, c, gold)
    return 0   # UNSHIFT is legal only where nothing else is


cdef void arc_eager_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = cost_of(q.system, q.c, q.gold, &q.system.transitions[i])


cdef CostFunction SUM = wrapped(arc_eager_costs, NULL)


METHOD = "sum over arcs (Goldberg & Nivre 2012; Honnibal et al. 2013)"
DYNAMIC = Row(
    name="dynamic",
    method=METHOD,
    needs=(Need(
        "arc-eager with distance=1 and left.reduce=true, and no 'unshift' in non_monotonic",
        lambda parameters: parameters.is_arc_eager and not parameters.unshifts_early,
    ),),
    costs=lambda options: SUM,
    findings=(
        ("arc-eager with tree constraint, also non-monotonic",
         "inexact: 11.6 % of costs wrong, by at most 3; a costly transition is offered in "
         "0.7 % of states (4.6 % non-monotonic), n = 4"),
        ("arc-eager without tree constraint, also non-monotonic", "projective trees, n ≤ 5"),
    ),
    options=(PREFER_MONOTONIC,),
    is_exact=lambda parameters: not parameters.tree_constraint,
)
EXACT = Row(
    name="exact",
    method=METHOD,
    needs=(Need(
        "arc-eager with distance=1, left.reduce=true and tree_constraint=false",
        lambda parameters: parameters.is_arc_eager and not parameters.tree_constraint,
    ),),
    costs=lambda options: SUM,
    findings=(
        ("arc-eager without tree constraint, also non-monotonic", "projective trees, n ≤ 5"),
    ),
    options=(PREFER_MONOTONIC,),
    is_exact=everywhere,
    is_advised=everywhere,
)

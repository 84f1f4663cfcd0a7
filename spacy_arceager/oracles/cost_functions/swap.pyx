"""Dynamic oracles for arc-hybrid with SWAP: sums over arcs.

A gold arc can still be made if its dependent has no head yet, both words are there, and
not both are on the stack; or else if the head is just below the dependent, or the upper of
the two can be *lifted*: SWAP can take it back to the buffer. A word can be the root if it
is in the buffer or at the bottom of the stack, or can be lifted. The cost of a transition
is the number of gold arcs for which that ceases to be so.

Static-dynamic (de Lhoneux, Stymne and Nivre 2017, figure 1): SWAP is taken where the two
words stand the other way round in the projective order, and only there. So a word can be
lifted if a later word in the buffer comes before it in that order. Their sets of reachable
dependents say the same, but need the history; and they leave out that SHIFT over a stack
that is not empty costs the root its arc. Exact in its own regime, shown by exhaustive
search in the tests.

Lazy: the same, but SWAP waits for gold arcs and while the front of the buffer will be taken
by a later word (compare Nivre, Kuhlmann and Hall 2009). Far fewer SWAPs, easier to learn.

Dynamic: SWAP is free wherever it is legal, so a word can be lifted if any later word is in
the buffer. This over-estimates what can be had: the word that passes may come to stand
between two others. Ties are then best broken by the projective order.

A configuration takes time linear in the dependents of s0 and b and in the words swapped
back; where SHIFT takes the last word of the sentence, in all words on the stack.

Names: s0 is the top of the stack, s1 the word below it, b the front of the buffer.
"""

from ...machine.configuration cimport (
    NONE,
    TOP,
    ConfigurationC,
    is_root_node,
    operative,
)
from ...machine.transitions.arc cimport arc_head
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.shift cimport SHIFT
from ...machine.transitions.swap cimport SWAP
from ..costs cimport ILLEGAL, CostFunction, QuestionC, unexplored, wrapped
from ..gold cimport GoldC
from ..places cimport in_buffer, is_root_head, on_stack
from .static cimport is_growing

from ..rows import OracleOption, Row, everywhere


# Which words can be lifted. The buffer is b, words that were swapped back, and the words
# that have not been seen, all of them later than any on the stack.

cdef inline bint some_unseen(const ConfigurationC* c) noexcept nogil:
    return c.n_unprocessed > 0 and c.furthest + 1 < c.limit


cdef int latest_ahead(const ConfigurationC* c) noexcept nogil:
    # The latest word behind b.
    cdef int i, word, latest = NONE
    if some_unseen(c):
        return c.limit - 1
    for i in range(c.n_waiting, c.n_waiting + c.n_unprocessed):
        word = c.unprocessed[i]
        if not is_root_node(c, word):
            latest = max(latest, word)
    return latest


cdef bint is_asked(const GoldC* gold, int word, int passing) noexcept nogil:
    # SWAP of these two is what the projective order asks for.
    return word < passing < gold.n_words and gold.order[passing] < gold.order[word]


cdef bint is_asked_ahead(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    # The same, with some word behind b.
    cdef int i
    if some_unseen(c) and gold.earliest[c.furthest + 1] < gold.order[word]:
        return True
    for i in range(c.n_waiting + c.n_unprocessed - 1, c.n_waiting - 1, -1):
        if c.unprocessed[i] > c.furthest:
            return False
        if is_asked(gold, word, c.unprocessed[i]):
            return True
    return False


cdef int arc_cost(const ConfigurationC* c, const GoldC* gold, int head,
                  bint liftable) noexcept nogil:
    # LEFT or RIGHT of s0: its dependents, and its gold head if that is another one.
    cdef int s0 = operative(c, 2)
    cdef int below = operative(c, 3)
    cdef int gold_head = gold.head[s0]
    cdef int cost = 0
    cdef int child = gold.first_child[s0]
    while child != NONE:
        cost += in_buffer(c, child) or (liftable and on_stack(c, child))
        child = gold.next_child[child]
    if gold_head == head:
        return cost
    if is_root_head(c, gold.head[s0]):
        return cost + (liftable or below == NONE or is_root_node(c, below))
    if on_stack(c, gold_head):
        return cost + (liftable or gold_head == below)
    return cost + in_buffer(c, gold_head)


cdef int shift_cost(const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    # Of a word that cannot be lifted again.
    cdef int b = operative(c, 1)
    cdef int s0 = operative(c, 2)
    cdef int cost = 0
    cdef int child = gold.first_child[b]
    while child != NONE:
        cost += on_stack(c, child)
        child = gold.next_child[child]
    if is_root_head(c, gold.head[b]):
        return cost + (s0 != NONE and not is_root_node(c, s0))
    return cost + (on_stack(c, gold.head[b]) and gold.head[b] != s0)


# SHIFT of the latest word in the buffer: words on the stack can no longer be lifted either.

cdef int settling_cost(const ConfigurationC* c, const GoldC* gold, int latest,
                       int* height) noexcept nogil:
    # latest: the latest word that stays in the buffer.
    cdef int b = operative(c, 1)
    cdef int word = c.bottom
    cdef int n = 0, cost = 0
    while word != b:
        height[word] = n
        n += 1
        word = c.above[word]
    word = c.bottom
    while word != b:
        if latest < word < b:
            cost += settled_arcs(c, gold, word, height)
        word = c.above[word]
    return cost


cdef int settled_arcs(const ConfigurationC* c, const GoldC* gold, int word,
                      const int* height) noexcept nogil:
    # Gold arcs between `word` and words below it that only lifting it would make.
    cdef int below = c.below[word]
    cdef int head = gold.head[word]
    cdef int cost = 0
    cdef int child = gold.first_child[word]
    while child != NONE:
        cost += on_stack(c, child) and height[child] < height[word]
        child = gold.next_child[child]
    if is_root_head(c, gold.head[word]):
        return cost + (below != NONE and not is_root_node(c, below))
    return cost + (on_stack(c, head) and height[head] < height[word] and head != below)


cdef int find_move(const SystemC* system, int move) noexcept nogil:
    cdef int i
    for i in range(system.n_transitions):
        if system.transitions[i].move == move:
            return i
    return NONE


cdef bint swap_is_asked(const QuestionC* q) noexcept nogil:
    return is_asked(q.gold, operative(q.c, 2), operative(q.c, 1))


# Static-dynamic

cdef void static_dynamic_costs(const QuestionC* q, bint lazy, int* costs) noexcept nogil:
    # Lazy: SWAP and SHIFT wait for gold arcs that cost nothing, and SWAP while the front of
    # the buffer goes on to be part of a larger tree.
    cdef int swap = find_move(q.system, SWAP)
    cdef int shift = find_move(q.system, SHIFT)
    cdef bint asked = costs[swap] != ILLEGAL and swap_is_asked(q)
    cdef int i
    fill_costs(q, costs)
    if costs[swap] != ILLEGAL:
        costs[swap] = unexplored(q.c)
    if lazy and gold_arc_is_free(q, costs):
        costs[shift] = max(costs[shift], 1)
    elif asked and not (lazy and is_growing(q.system, q.c, q.gold)):
        for i in range(q.system.n_transitions):
            if costs[i] != ILLEGAL:
                costs[i] += unexplored(q.c)
        costs[swap] = 0


cdef void fill_costs(const QuestionC* q, int* costs) noexcept nogil:
    # Of all but SWAP.
    cdef const ConfigurationC* c = q.c
    cdef const GoldC* gold = q.gold
    cdef int b = operative(c, 1)
    cdef int s0 = operative(c, 2)
    cdef bint liftable = s0 >= 0 and (is_asked(gold, s0, b) or is_asked_ahead(c, gold, s0))
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] == ILLEGAL:
            continue
        if q.system.transitions[i].move == SHIFT:
            costs[i] = 0 if is_asked_ahead(c, gold, b) else shift_cost(c, gold)
        elif is_arc(&q.system.transitions[i]):
            costs[i] = arc_cost(c, gold, arc_head(c, &q.system.transitions[i], TOP), liftable)


cdef bint gold_arc_is_free(const QuestionC* q, const int* costs) noexcept nogil:
    cdef int gold_head = q.gold.head[operative(q.c, 2)]
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] == 0 and is_arc(&q.system.transitions[i]) and (
                gold_head == arc_head(q.c, &q.system.transitions[i], TOP)):
            return True
    return False


cdef void eager_costs(const QuestionC* q, int* costs) noexcept nogil:
    static_dynamic_costs(q, False, costs)


cdef void lazy_costs(const QuestionC* q, int* costs) noexcept nogil:
    static_dynamic_costs(q, True, costs)


# Dynamic

cdef void swap_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef const ConfigurationC* c = q.c
    cdef int b = operative(c, 1)
    cdef int s0 = operative(c, 2)
    cdef int latest = latest_ahead(c)
    cdef bint liftable = s0 < latest or (s0 < b and not is_root_node(c, b))
    cdef const TransitionC* t
    cdef int i
    for i in range(q.system.n_transitions):
        t = &q.system.transitions[i]
        if costs[i] == ILLEGAL:
            continue
        if is_arc(t):
            costs[i] = arc_cost(c, q.gold, arc_head(c, t, TOP), liftable)
        elif t.move == SHIFT and b > latest:
            costs[i] = shift_cost(c, q.gold) + settling_cost(c, q.gold, latest, q.scratch)


cdef void swap_costs_with_ties(const QuestionC* q, int* costs) noexcept nogil:
    swap_costs(q, costs)
    prefer_projective_order(q, costs)


cdef void prefer_projective_order(const QuestionC* q, int* costs) noexcept nogil:
    cdef int swap = find_move(q.system, SWAP)
    cdef bint asked
    cdef int i
    if costs[swap] != 0:
        return
    asked = swap_is_asked(q)
    for i in range(q.system.n_transitions):
        if i != swap and costs[i] == 0:
            costs[i if asked else swap] = 1


cdef size_t heights_size(const SystemC* system, int n_words) noexcept nogil:
    return n_words + 1


cdef CostFunction EAGER = wrapped(eager_costs, NULL)
cdef CostFunction LAZY = wrapped(lazy_costs, NULL)
cdef CostFunction ALL = wrapped(swap_costs, heights_size)
cdef CostFunction ALL_WITH_TIES = wrapped(swap_costs_with_ties, heights_size)


def needs(parameters):
    if parameters.swap and parameters.is_arc_hybrid:
        return None
    return "an arc-hybrid system with SWAP"


PROJECTIVE_TIES = OracleOption(
    "projective_ties", True,
    "the projective order decides about a SWAP that is as cheap as another transition",
    "with SWAP",
)
STATIC_DYNAMIC = Row(
    name="static_dynamic",
    method="dynamic but for SWAP (de Lhoneux, Stymne & Nivre 2017), or with far fewer SWAPs, "
           "ours",
    needs=needs,
    costs=lambda options: LAZY if options["swap_order"] == "lazy" else EAGER,
    findings=(
        ("arc-hybrid + SWAP",
         "`eager`: exact as long as SWAP follows the projective order, and training stays "
         "there (all trees n ≤ 4, samples n = 5); a truly costly transition, to all that SWAP "
         "could still repair, is offered in 2.1 % of states (1.2 % with an artificial root), "
         "n = 4"),
    ),
    options=(
        OracleOption(
            "swap_order", "lazy",
            "when SWAP is forced: as soon as the projective order asks for it (`eager`, de "
            "Lhoneux et al.), or as late as possible (`lazy`)",
            "with SWAP", ("lazy", "eager"),
        ),
    ),
    is_advised=everywhere,
    also_knows=("SWAP",),
)
DYNAMIC = Row(
    name="dynamic",
    method="sum over arcs, SWAP too",
    needs=needs,
    costs=lambda options: ALL_WITH_TIES if options["projective_ties"] else ALL,
    findings=(("arc-hybrid + SWAP", "inexact; never only costly transitions (n = 4)"),),
    options=(PROJECTIVE_TIES,),
    also_knows=("SWAP",),
)

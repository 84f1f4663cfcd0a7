"""Dynamic oracles for arc-hybrid with SWAP: sums over arcs.

A gold arc can still be made if its dependent has no head yet, neither word has been reduced, and
one of these holds: a word is in the buffer; the head lies just below the dependent on the stack; or
the upper word can be *lifted*, which means that SWAP can take it back to the buffer. A word can be
the root if it is in the buffer or at the bottom of the stack, or can be lifted. The cost of a
transition is the number of gold arcs that can be made before it but not after it.

Static-dynamic (de Lhoneux, Stymne and Nivre 2017, figure 1): SWAP is taken where the two
words stand the other way round in the projective order, and only there. So a word can be
lifted if a later word in the buffer comes before it in that order. The sets of reachable dependents
in the paper say the same, but depend on the history. The paper leaves out that SHIFT over a stack
that is not empty costs the root its arc. The tests show by exhaustive search that the costs are
exact as long as SWAP is taken in this way.

Lazy: SWAP also waits for gold arcs, and for the front of the buffer if a later word will be its
head (compare Nivre, Kuhlmann and Hall 2009). It takes far fewer SWAPs, which are easier to learn.

Dynamic: SWAP is free wherever it is legal, so a word can be lifted if any later word is in
the buffer. This over-estimates which arcs can be made, as the word that passes may come to stand
between two others. So ties are best broken by the projective order.

A configuration takes time linear in the dependents of s0 and b and in the words swapped
back; where SHIFT takes the last word of the sentence, in all words on the stack.

Names: s0 is the top of the stack, s1 the word below it, b the front of the buffer.
"""

from ...machine.configuration cimport (
    NONE, TOP, ConfigurationC, in_buffer, is_root_node, on_stack, operative,
)
from ...machine.transitions.arc cimport arc_head
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.shift cimport SHIFT
from ..costs cimport ILLEGAL, CostFunction, QuestionC, unexplored, wrapped
from ..gold cimport GoldC, is_root_head
from .static cimport is_growing

from ..rows import Need, OracleOption, Row, everywhere


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
    return word < passing < gold.n_words and gold.order[passing] < gold.order[word]


cdef bint is_asked_ahead(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    # Whether SWAP with some word behind b brings a word into the projective order.
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
    # What LEFT or RIGHT of s0 costs: its gold dependents, and its gold head if it gets another.
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
    # What SHIFT costs if the shifted word cannot be lifted again.
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
    # Gold arcs between `word` and words below it that can be made only if it is lifted.
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


cdef bint swap_is_asked(const QuestionC* q) noexcept nogil:
    return is_asked(q.gold, operative(q.c, 2), operative(q.c, 1))


# Static-dynamic

cdef void static_dynamic_costs(const QuestionC* q, bint lazy, int* costs) noexcept nogil:
    # Lazy: SWAP and SHIFT wait for gold arcs that cost nothing, and SWAP while the front of
    # the buffer goes on to be part of a larger tree.
    cdef int swap = q.system.i_swap
    cdef int shift = q.system.i_shift
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
    # Fills in the costs of all transitions but SWAP.
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
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] == 0 and is_arc(&q.system.transitions[i]) and (
                q.gold.head[operative(q.c, 2)] == arc_head(q.c, &q.system.transitions[i], TOP)):
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
    cdef int swap = q.system.i_swap
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

ARC_HYBRID = Need(
    "an arc-hybrid system with SWAP",
    lambda parameters: parameters.swap and parameters.is_arc_hybrid,
)
PROJECTIVE_TIES = OracleOption(
    "projective_ties", True,
    "the projective order decides about a SWAP that is as cheap as another transition",
    "with SWAP",
)
STATIC_DYNAMIC = Row(
    name="static_dynamic",
    method="dynamic but for SWAP (de Lhoneux, Stymne & Nivre 2017), or with far fewer SWAPs, "
           "ours",
    needs=(ARC_HYBRID,),
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
    needs=(ARC_HYBRID,),
    costs=lambda options: ALL_WITH_TIES if options["projective_ties"] else ALL,
    findings=(
        ("arc-hybrid + SWAP", "inexact: a costly transition is offered in 1.6 % of states, n = 4"),
    ),
    options=(PROJECTIVE_TIES,),
    also_knows=("SWAP",),
)

"""Oracles for systems that build graphs (Sagae and Tsujii 2008; Bohnet et al. 2016, 4.5).

The value of a configuration is the number of gold arcs in the best graph that can still be
built, minus the number of its wrong arcs; a transition costs what the value loses by it.

A missing gold arc is open while one of its words is in the buffer and the other is not yet
reduced. An arc leaves both words in O, so no open arc of a graph without crossing arcs
prevents another, and the costs are a sum over arcs: SHIFT loses the open arcs
between the front and the stack, REDUCE those between its word and the buffer, LEFT and
RIGHT cost one for a wrong arc. For such graphs this is exact where every word can be
reduced and arcs may close cycles, shown by exhaustive search in the tests.

Where arcs cross, the front reaches a word on the stack only if those above it are reduced,
which loses their arcs to words behind the front. `net_gain` weighs the two; it does not
look beyond the present front.

With `acyclic`, an open arc is also lost if it would close a cycle. The oracle does not see a cycle
that several open arcs would close together. With the published precondition of REDUCE, a headless
word blocks all words below it on the stack, unless it gets a wrong arc. The oracle does not see
which words will be blocked by words that are still in the buffer.
"""

from ...machine.configuration cimport NONE, TOP, ConfigurationC, has_graph_arc, in_buffer, operative
from ...machine.transitions.arc cimport arc_dependent, arc_head, graph_takes
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.reduce cimport REDUCE
from ...machine.transitions.shift cimport SHIFT
from ..costs cimport ILLEGAL, CostFunction, QuestionC, costs_by_trial, one_configuration, wrapped
from ..gold cimport GoldArcC, GoldC, find_gold_arc

from ..rows import Need, Row, everywhere


cdef int count_open(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                    int arc, bint outgoing) noexcept nogil:
    # Counts the missing gold arcs in a linked list whose other word is in the buffer.
    cdef const GoldArcC* gold_arc
    cdef int n = 0
    while arc != NONE:
        gold_arc = &gold.arcs[arc]
        if in_buffer(c, gold_arc.dependent if outgoing else gold_arc.head):
            n += graph_takes(system, c, gold_arc.head, gold_arc.dependent)
        arc = gold_arc.next_out if outgoing else gold_arc.next_in
    return n


cdef int open_heads(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                    int word) noexcept nogil:
    # Missing gold arcs to `word` from words of the buffer.
    return count_open(system, c, gold, gold.first_in[word], False)


cdef int open_arcs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                   int word) noexcept nogil:
    # Missing gold arcs between a word on the stack and the buffer.
    return (open_heads(system, c, gold, word)
            + count_open(system, c, gold, gold.first_out[word], True))


cdef bint makes_gold_arc(const ConfigurationC* c, const GoldC* gold, const TransitionC* t,
                         int anchor) noexcept nogil:
    return find_gold_arc(gold, arc_head(c, t, anchor), arc_dependent(c, t, anchor)) != NULL


# Dynamic

cdef void dynamic_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef int i
    if q.system.checks_cycles or not q.system.reduce_headless:
        costs_by_trial(q, loss, costs)
        return
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = sum_over_arcs(q.system, q.c, q.gold, &q.system.transitions[i], q.anchor)


cdef int sum_over_arcs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       const TransitionC* t, int anchor) noexcept nogil:
    cdef int s0 = operative(c, 2)
    cdef int now
    if t.move == SHIFT:
        return net_gain(system, c, gold, s0)
    if t.move == REDUCE:
        now = arcs_with_front(c, gold, s0)
        return now + max(0, open_arcs(system, c, gold, s0) - now
                         - net_gain(system, c, gold, c.below[s0]))
    return not makes_gold_arc(c, gold, t, anchor)


cdef int arcs_with_front(const ConfigurationC* c, const GoldC* gold,
                         int word) noexcept nogil:
    # Missing gold arcs between a word and the front of the buffer.
    cdef int front = operative(c, 1)
    if front < 0:
        return 0
    return ((find_gold_arc(gold, front, word) != NULL and not has_graph_arc(c, front, word))
            + (find_gold_arc(gold, word, front) != NULL and not has_graph_arc(c, word, front)))


cdef int net_gain(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                  int top) noexcept nogil:
    # The most that the front can gain from a word on the stack and those below it: its arcs
    # down to some place, minus the other open arcs of the words above that place.
    cdef int word = c.bottom
    cdef int now, later, gain = 0
    while top != NONE:
        now = arcs_with_front(c, gold, word)
        later = open_arcs(system, c, gold, word) - now
        gain = now + max(0, gain - later)
        if word == top:
            break
        word = c.above[word]
    return gain


cdef int loss(const QuestionC* q, ConfigurationC* c) noexcept nogil:
    # The loss is minus the value of the configuration.
    cdef int word, n = 0
    for word in range(c.n_words):
        n += value_of_made_arcs(c, q.gold, word)
        if in_buffer(c, word):
            n += open_heads(q.system, c, q.gold, word)
    return -n - value_of_stack(q.system, c, q.gold)


cdef int value_of_made_arcs(const ConfigurationC* c, const GoldC* gold,
                            int dependent) noexcept nogil:
    cdef int n = 0
    cdef int arc = c.first_arc[dependent]
    while arc != NONE:
        n += 1 if find_gold_arc(gold, c.arc_head[arc], dependent) != NULL else -1
        arc = c.next_arc[arc]
    return n


cdef int value_of_stack(const SystemC* system, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil:
    # The open arcs of the words above some place of the stack, minus a wrong arc for each of these
    # words that cannot be reduced without one. The best place counts.
    cdef int word = operative(c, 2)
    cdef int n = 0, best = 0
    while word != NONE:
        n += open_arcs(system, c, gold, word)
        best = max(best, n)
        if c.head[word] == NONE and not system.reduce_headless:
            n -= open_heads(system, c, gold, word) == 0
        word = c.below[word]
    return best


# Static: gold arcs, REDUCE where it costs nothing, SHIFT.

cdef bint is_canonical(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       const TransitionC* t) noexcept nogil:
    if is_arc(t):
        return makes_gold_arc(c, gold, t, TOP)
    return t.move == REDUCE and sum_over_arcs(system, c, gold, t, TOP) == 0


cdef int canonical_transition(const QuestionC* q, const int* costs) noexcept nogil:
    # Transitions are in the order SHIFT, LEFT, RIGHT, REDUCE, BREAK.
    cdef int i, chosen = NONE
    for i in range(q.system.n_transitions):
        if costs[i] == ILLEGAL:
            continue
        if is_canonical(q.system, q.c, q.gold, &q.system.transitions[i]):
            return i
        if chosen == NONE:
            chosen = i
    return chosen


cdef void static_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef int i
    cdef int chosen = canonical_transition(q, costs)
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = i != chosen


cdef CostFunction SUM = wrapped(dynamic_costs, one_configuration)
cdef CostFunction CANONICAL = wrapped(static_costs, NULL)

GRAPHS = Need("graph=true", lambda parameters: parameters.graph)
DYNAMIC = Row(
    name="dynamic",
    method="sum over arcs, less wrong arcs, ours",
    needs=(GRAPHS,),
    costs=lambda options: SUM,
    findings=(
        ("`dag`, cycles allowed", "graphs without crossing arcs, n ≤ 4"),
        ("`dag`, acyclic", "inexact: 0.3 % of costs wrong, a costly transition is offered in "
                           "0.01 % of states, n = 4"),
    ),
    is_advised=everywhere,
)
STATIC = Row(
    name="static",
    method="one derivation: gold arcs, REDUCE where it costs nothing, SHIFT",
    needs=(GRAPHS,),
    costs=lambda options: CANONICAL,
    findings=(("systems that build graphs", "derives what `dag` can of a gold graph"),),
    follow_only=True,
    takes_any_transitions=True,
)

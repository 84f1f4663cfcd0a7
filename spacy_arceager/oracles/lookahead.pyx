"""Dynamic oracle that parses on: what is really reached after each transition.

Where a sum over arcs is not exact, it is so for one step only: it does not see that two
gold arcs exclude each other. This oracle takes a transition, follows the reachability
oracle to the end of the sentence, and counts the words without their gold head. The value
found can be reached, so it errs only where the continuation does.

A transition takes time quadratic in the length of the sentence where there is no capacity,
else linear in it.
"""

from ..machine.configuration cimport NONE, ConfigurationC, is_root_node
from ..machine.transitions cimport (
    MAX_TRANSITIONS,
    SystemC,
    TransitionC,
    apply_transition,
    arc_dependent,
    arc_head,
    first_anchor,
    is_arc,
    is_terminal,
    n_anchors,
)
from .gold cimport GoldC
from .oracle cimport ILLEGAL
from .places cimport is_root_head
from .reachability cimport reachability_costs
from .trial cimport losses_after


cdef struct StepC:
    int transition
    int anchor
    int badness


cdef int badness(const ConfigurationC* c, const GoldC* gold, const TransitionC* t,
                 int anchor, int cost) noexcept nogil:
    # Cheapest first; of these a gold arc, then what makes no arc at all.
    if not is_arc(t):
        return 3 * cost + 1
    if gold.head[arc_dependent(c, t, anchor)] == arc_head(c, t, anchor):
        return 3 * cost
    return 3 * cost + 2


cdef StepC best_step(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     int* scratch) noexcept nogil:
    cdef int costs[MAX_TRANSITIONS]
    cdef int anchor = first_anchor(system, c)
    cdef int position, i, found
    cdef StepC best
    best.transition = best.anchor = NONE
    best.badness = 3 * ILLEGAL
    for position in range(1, n_anchors(system, c) + 1):
        reachability_costs(system, c, gold, anchor, position, scratch, costs)
        for i in range(system.n_transitions):
            if costs[i] == ILLEGAL:
                continue
            found = badness(c, gold, &system.transitions[i], anchor, costs[i])
            if found < best.badness:
                best.transition, best.anchor, best.badness = i, anchor, found
        if anchor >= 0:
            anchor = c.below[anchor]
    return best


cdef int count_wrong(const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    # A word without head is a root.
    cdef int n = 0
    cdef int word, head
    for word in range(c.n_words):
        head = c.head[word]
        if head == NONE or is_root_node(c, head):
            n += not is_root_head(c, gold.head[word])
        else:
            n += head != gold.head[word]
        n -= gold.head[word] == NONE
    return n


cdef int parse_on(const SystemC* system, ConfigurationC* c, const GoldC* gold,
                  int* scratch) noexcept nogil:
    # The words that get a wrong head.
    cdef StepC step
    while not is_terminal(system, c):
        step = best_step(system, c, gold, scratch)
        if step.transition == NONE:
            break
        apply_transition(system, c, &system.transitions[step.transition], step.anchor, NONE)
    return count_wrong(c, gold)


cdef void lookahead_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                          int anchor, int position, int* scratch, int* costs) noexcept nogil:
    losses_after(system, c, gold, anchor, position, parse_on, scratch, costs)

"""Static oracle: one canonical derivation for every gold tree that can be derived.

(1) A gold arc, if its dependent has all its own dependents or stays in O; (2) REDUCE of
a word that has its head and all its dependents; (3) SHIFT. The canonical transition
costs 0, all others 1; off the derivation of the gold tree the costs mean little.
"""

from ..machine.configuration cimport NONE, ConfigurationC, operative
from ..machine.transitions cimport (
    REDUCE,
    SHIFT,
    SystemC,
    TransitionC,
    arc_dependent,
    arc_head,
    is_arc,
    legal_transitions,
)
from .gold cimport ROOT_HEAD, GoldC
from .oracle cimport ILLEGAL


cdef bint is_complete(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    cdef int child = gold.first_child[word]
    while child != NONE:
        if c.head[child] != word:
            return False
        child = gold.next_child[child]
    return True


cdef bint is_canonical(const ConfigurationC* c, const GoldC* gold,
                       const TransitionC* t) noexcept nogil:
    cdef int word
    if is_arc(t):
        word = arc_dependent(c, t)
        if gold.head[word] != arc_head(c, t):
            return False
        return not t.reduces or is_complete(c, gold, word)
    if t.move == REDUCE:
        word = operative(c, t.left)
        return c.head[word] != NONE and is_complete(c, gold, word)
    return False


cdef void static_costs(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int* scratch, int* costs) noexcept nogil:
    cdef int i, chosen = NONE
    legal_transitions(system, c, costs)
    for i in range(system.n_transitions):
        if costs[i] and is_canonical(c, gold, &system.transitions[i]):
            chosen = i
            break
    if chosen == NONE:
        for i in range(system.n_transitions - 1, -1, -1):
            if costs[i] and (chosen == NONE or system.transitions[i].move == SHIFT):
                chosen = i
    for i in range(system.n_transitions):
        costs[i] = (i != chosen) if costs[i] else ILLEGAL

"""Dynamic oracle that parses on after each transition and counts the errors at the end.

A sum over arcs does not see that two gold arcs exclude each other. This oracle takes a transition,
follows the reachability oracle to the end of the sentence, and counts the words that have not got
their gold head. A parse with so few errors can really be reached, so the oracle errs only if the
reachability oracle makes a mistake on the way.

A transition takes time linear in the length of the sentence, or quadratic in it if the system has
no capacity. Two things spare most of it. Where only the cheapest ones matter, as in training, a
parse ends once it has lost more arcs than another one. And it ends in a configuration that an
earlier parse went through, as parses that begin side by side soon do.
"""

from libc.stdint cimport uint64_t

from ...machine.configuration cimport NONE, ConfigurationC, is_root_node
from ...machine.transitions.arc cimport arc_dependent, arc_head
from ...machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ...machine.transitions.dispatch cimport is_terminal
from ..costs cimport (
    ILLEGAL, CheapestC, CostFunction, QuestionC, first_cheapest, losses_after, one_configuration,
    wrapped,
)
from ..gold cimport GoldC, is_root_head
from ..known cimport (
    KeyC, KnownC, change, find_known, key_of, known_table, parts_of_all, remember, table_size,
)
from .reachability cimport count_lost, reachability_costs

from ..rows import PREFER_MONOTONIC, Need, Row
from .reachability import ARCS_ALONE, sums_are_exact


# Behind the block of a configuration come the keys of the present parse, and the table at the end.
cdef size_t memory_size(const SystemC* system, int n_words) noexcept nogil:
    cdef size_t path_size = longest_path(n_words) * sizeof(KeyC) // sizeof(int)
    return one_configuration(system, n_words) + path_size + table_size()


cdef inline int longest_path(int n_words) noexcept nogil:
    return 4 * n_words + 4


cdef int rank(const QuestionC* q, const TransitionC* t, int cost) noexcept nogil:
    # The cheapest comes first. Among equally cheap ones, gold arcs come before transitions that
    # make no arc, and these before other arcs. What costs nothing has a rank up to 2.
    if not is_arc(t):
        return 3 * cost + 1
    if q.gold.head[arc_dependent(q.c, t, q.anchor)] == arc_head(q.c, t, q.anchor):
        return 3 * cost
    return 3 * cost + 2


cdef int count_wrong(const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    # In the present sentence. A word without head is a root.
    cdef int n = 0
    cdef int word, head
    for word in range(c.start, c.limit):
        head = c.head[word]
        if head == NONE or is_root_node(c, head):
            n += not is_root_head(c, gold.head[word])
        else:
            n += head != gold.head[word]
        n -= gold.head[word] == NONE
    return n


cdef int parse_on(const QuestionC* q, ConfigurationC* c) noexcept nogil:
    # Parses to the end and returns how many words have a wrong head, or more than the bound.
    cdef KnownC* table = known_table(q)
    cdef KeyC* path = <KeyC*>q.scratch
    cdef QuestionC now = q[0]
    cdef CheapestC best
    cdef uint64_t parts = parts_of_all(c)
    cdef bint costly = True
    cdef int loss = NONE
    cdef int n = 0, i
    now.c = c
    while not is_terminal(q.system, c):
        path[n] = key_of(&now, parts)
        loss = find_known(table, path[n])
        if loss != NONE:
            break
        n += n + 1 < longest_path(c.n_words)
        if costly and q.bound != ILLEGAL and count_lost(&now) > q.bound:
            return q.bound + 1
        best = first_cheapest(reachability_costs, &now, rank)
        if best.transition == NONE:
            break
        parts ^= change(q.system, c, best)
        costly = best.rank > 2
    if loss == NONE:
        loss = count_wrong(c, q.gold)
    for i in range(n):
        remember(table, path[i], loss)
    return loss


# A cost is the number of wrong heads at the end, earlier mistakes included. So only the differences
# between costs mean something, also between anchors.
cdef void lookahead_costs(const QuestionC* q, int* costs) noexcept nogil:
    losses_after(q, parse_on, costs)


cdef CostFunction AHEAD = wrapped(lookahead_costs, memory_size)

# Other dynamic oracles are made for arc-eager and for systems with exact sums.
INEXACT_SUMS = Need(
    "neither arc-eager nor a system in which the sum over arcs is exact",
    lambda parameters: not (sums_are_exact(parameters) or parameters.is_arc_eager),
)
METHOD = "parses on after each transition, with the costs of the reachability oracle"
OTHERS = (
    "other parameters",
    "with a front, or with arcs at different ends of the active tokens, a costly transition is "
    "offered in up to 1.6 % of states, n = 4: use the static oracle",
)
LOOKAHEAD = Row(
    name="lookahead",
    method=METHOD,
    needs=ARCS_ALONE,
    costs=lambda options: AHEAD,
    findings=(
        ("arc-eager with tree constraint, also with `distance = 2`",
         "costly transition offered in no state; with `distance = 2` and trees that are not "
         "projective in 0.04 %, n = 4"),
        ("dependents that stay on a stack without front",
         "costly transition offered in at most 0.006 % of states, n = 4"),
        OTHERS,
    ),
    options=(PREFER_MONOTONIC,),
    is_relative=True,
)
DYNAMIC = Row(
    name="dynamic",
    method=METHOD,
    needs=(INEXACT_SUMS, *ARCS_ALONE),
    costs=lambda options: AHEAD,
    findings=(
        ("Attardi, bounded easy-first",
         "costly transition offered in at most 0.007 % (Attardi), 0 % (K = 3, 4) of states, "
         "n = 5"),
        ("arc-standard", "costly transition offered in no state, n = 4"),
        ("arc-eager with `distance = 2`",
         "costly transition offered in no state, for trees that are not projective in 0.04 %, "
         "n = 4"),
        OTHERS,
    ),
    options=(PREFER_MONOTONIC,),
    is_relative=True,
)

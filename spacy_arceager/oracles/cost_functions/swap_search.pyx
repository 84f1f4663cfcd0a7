"""Exact oracle for systems with SWAP: the true costs, by a bounded search.

No sum over arcs is exact for these systems, as each gold arc may be within reach, but not all of
them together. A sum over arcs is an upper bound of the arcs that can still be made, and the bound
is true at the end of the sentence. So the true loss of a transition is the least that this bound
loses on some way to the end. The search looks for a way that loses nothing, then for a way that
loses one arc, and so on. From nearly all configurations the first way that it tries is good enough:
an arc that loses nothing, else a SWAP that the projective order asks for, else SHIFT. If an arc of
arc-hybrid loses nothing, no other transition is tried. The tests show by exhaustive search that
this is exact.

For arc-hybrid, the bound is that of the dynamic oracle in swap.pyx. For arc-standard, it counts
every gold arc between two words that have not been reduced.

A configuration mostly takes time linear in the words that remain. After EFFORT steps for each of
them, but at most THOROUGH steps, the search gives up and returns the loss that it was trying.

If arcs are fixed in advance, it only matters whether one is lost, so the search tries a loss of
nothing alone. A beam comes to the same configurations again and again, so the search remembers from
which of them the end is reached. It gives up after FIXED_EFFORT steps for each word, but at least
FIXED_LEAST and at most THOROUGH: more of them mostly find nothing.
"""

from ...machine.configuration cimport (
    END, NONE, REDUCED, TOP, ConfigurationC, block_size, copy_configuration, is_root_node, lay_out,
    n_remaining, operative, push_back, push_next, take_out,
)
from ...machine.transitions.arc cimport LEFT, arc_dependent, arc_head
from ...machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC, TransitionC, is_arc
from ...machine.transitions.shift cimport SHIFT
from ...machine.transitions.swap cimport SWAP
from ..costs cimport ILLEGAL, CostFunction, QuestionC, ask, subtract_least, wrapped
from ..gold cimport GoldC, is_root_head
from ..known cimport (
    KeyC, KnownC, find_known, key_of, known_table, order_of, remember, table_size,
)
from .swap cimport heights_size, is_asked, prefer_projective_order, swap_costs

from ..rows import Need, Row, everywhere
from .swap import PROJECTIVE_TIES

cdef enum:
    EFFORT = 40
    THOROUGH = 2000
    FIXED_EFFORT = 10
    FIXED_LEAST = 500


cdef struct WayC:
    int transition
    int loss              # that is allowed after it


cdef struct SearchStepC:
    WayC way
    int word              # that it reduced or swapped
    int top               # what was O[1]
    int furthest
    KeyC key              # of the configuration after it, if arcs are fixed
    int n_ways            # that may lead on from there
    int n_tried


cdef struct SwapSearchC:
    const SystemC* system
    const GoldC* gold
    ConfigurationC c      # the only one: every step changes it and changes it back
    QuestionC q           # about it
    int steps             # that may still be taken
    SearchStepC* taken    # the steps to the present configuration
    int n_taken
    WayC* ways            # n_transitions for each of them
    KnownC* known         # loss 0: the end is reached from there, 1: it is not


# How much a transition lowers the bound.

cdef inline bint remains(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and node < c.limit and c.place[node] != REDUCED


cdef int reducing_loss(const ConfigurationC* c, const GoldC* gold, int word,
                       int head) noexcept nogil:
    cdef int gold_head = gold.head[word]
    cdef int loss = 0
    cdef int child = gold.first_child[word]
    while child != NONE:
        loss += remains(c, child)
        child = gold.next_child[child]
    if gold_head == head:
        return loss
    return loss + (is_root_head(c, gold_head)
                   or remains(c, gold_head))


cdef void find_losses(const QuestionC* q, int* losses) noexcept nogil:
    cdef const TransitionC* t
    cdef int i
    if q.system.shape.front:
        swap_costs(q, losses)
        return
    for i in range(q.system.n_transitions):
        t = &q.system.transitions[i]
        if losses[i] != ILLEGAL and is_arc(t):
            losses[i] = reducing_loss(
                q.c, q.gold, arc_dependent(q.c, t, TOP), arc_head(q.c, t, TOP))


# A step and its way back. Only the head of an arc is stored.

cdef void take(ConfigurationC* c, const TransitionC* t, int word) noexcept nogil:
    if t.move == SHIFT:
        push_next(c)
    elif t.move == SWAP:
        push_back(c, word)
    else:
        c.head[word] = arc_head(c, t, TOP)
        take_out(c, word)


cdef void take_back(ConfigurationC* c, const TransitionC* t, int word,
                    int top) noexcept nogil:
    # word: what was reduced or swapped; top: what was O[1].
    if t.move == SHIFT:
        c.ended = False
        if c.end_on_top:
            c.end_on_top = False
        else:
            push_back(c, c.top)
        return
    if t.move == SWAP:
        c.n_unprocessed -= 1
    else:
        c.head[word] = NONE
    if word != top:
        push_back(c, top)
    c.unprocessed[c.n_waiting + c.n_unprocessed] = word
    c.n_unprocessed += 1
    push_next(c)
    if word != top:
        push_next(c)


cdef bint is_decided(const SwapSearchC* s) noexcept nogil:
    # Only one transition is legal from here on.
    cdef int top = operative(&s.c, 1)
    return top == END or is_root_node(&s.c, top) or n_remaining(&s.c) <= 1


cdef bint is_safe(const SwapSearchC* s, const TransitionC* t) noexcept nogil:
    # An arc that loses nothing need not be put off. In arc-standard, RIGHT and wrong arcs
    # may take away a word that others could be swapped with; LEFT, too, where the later word
    # is taken, which is rare enough not to matter in training.
    return s.system.shape.front or (
        not s.q.oracle.constrained and t.move == LEFT
        and s.gold.head[operative(&s.c, 2)] == operative(&s.c, 1))


cdef int find_ways(SwapSearchC* s, int loss, WayC* ways) noexcept nogil:
    # The ways on from a configuration, in the order in which they are tried.
    cdef int losses[MAX_TRANSITIONS]
    cdef int swap = s.system.i_swap
    cdef int n = 0, i
    ask(find_losses, &s.q, losses)
    for i in range(s.system.n_transitions):
        if losses[i] == 0 and is_arc(&s.system.transitions[i]):
            ways[n] = WayC(i, loss)
            n += 1
            if is_safe(s, &s.system.transitions[i]):
                return n
            losses[i] = ILLEGAL     # is among them
    if losses[swap] == 0 and is_asked(s.gold, operative(&s.c, 2), operative(&s.c, 1)):
        ways[n] = WayC(swap, loss)
        n += 1
        losses[swap] = ILLEGAL
    for i in range(s.system.n_transitions):
        if losses[i] <= loss:
            ways[n] = WayC(i, loss - losses[i])
            n += 1
    return n


cdef WayC* ways_from_here(SwapSearchC* s) noexcept nogil:
    return s.ways + (s.n_taken - 1) * s.system.n_transitions


cdef bint go_on(SwapSearchC* s, WayC way) noexcept nogil:
    # Takes a step. True if it is known to lead to the end, or if no steps are left to find out.
    cdef const TransitionC* t = &s.system.transitions[way.transition]
    cdef int word = arc_dependent(&s.c, t, TOP) if is_arc(t) else operative(&s.c, 2)
    cdef SearchStepC* step = &s.taken[s.n_taken]
    cdef int known
    if s.steps <= 0:
        return True
    s.steps -= 1
    step.way, step.word, step.top, step.furthest = way, word, s.c.top, s.c.furthest
    step.n_ways = step.n_tried = 0
    s.n_taken += 1
    take(&s.c, t, word)
    if is_decided(s):
        return True
    if s.q.oracle.constrained:
        step.key = key_of(&s.q, order_of(&s.c))
        known = find_known(s.known, step.key)
        if known != NONE:
            s.steps += 1        # what is known is free
            return known == 0
    step.n_ways = find_ways(s, way.loss, ways_from_here(s))
    return False


cdef void go_back(SwapSearchC* s, bint reached) noexcept nogil:
    # Takes the last step back. reached: whether the end was, or no steps were left; which is
    # remembered only of the first step, as the next search from there would have no more.
    cdef SearchStepC* step = &s.taken[s.n_taken - 1]
    if s.q.oracle.constrained and step.n_ways and (
            s.steps > 0 or s.n_taken == 1 or not reached):
        remember(s.known, step.key, not reached)
    take_back(&s.c, &s.system.transitions[step.way.transition], step.word, step.top)
    s.c.furthest = step.furthest
    s.n_taken -= 1


cdef bint leads_to_end(SwapSearchC* s, int i, int loss) noexcept nogil:
    # Whether a transition leads to the end with this loss. True if no steps are left to find out.
    cdef bint reached = go_on(s, WayC(i, loss))
    cdef SearchStepC* step
    while not reached and s.n_taken:
        step = &s.taken[s.n_taken - 1]
        if step.n_tried < step.n_ways:
            step.n_tried += 1
            reached = go_on(s, ways_from_here(s)[step.n_tried - 1])
        else:
            go_back(s, False)
    while s.n_taken:
        go_back(s, True)
    return reached


cdef int allowed_steps(const SwapSearchC* s) noexcept nogil:
    if s.q.oracle.constrained:
        return max(<int>FIXED_LEAST, FIXED_EFFORT * n_remaining(&s.c))
    return EFFORT * n_remaining(&s.c)


cdef int least_loss(SwapSearchC* s, int i, int loss_now) noexcept nogil:
    # What a transition and the best ones after it lose; loss_now: what it loses itself.
    # More than every arc cannot be lost: where that leads nowhere, nothing does.
    cdef int most = 1 if s.q.oracle.constrained else s.c.n_words
    cdef int rest
    for rest in range(most):
        s.steps = min(<int>THOROUGH, allowed_steps(s))
        if leads_to_end(s, i, rest):
            return loss_now + rest
    return loss_now + most


cdef void searched_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef SwapSearchC s
    cdef int i
    s.system, s.gold, s.q = q.system, q.gold, q[0]
    s.q.c = &s.c
    s.q.scratch = q.scratch + block_size(&q.system.shape, q.c.n_words)
    s.taken = <SearchStepC*>(s.q.scratch + heights_size(q.system, q.c.n_words))
    s.n_taken = 0
    s.ways = <WayC*>(s.taken + THOROUGH)
    s.known = known_table(q)
    lay_out(&s.c, &q.system.shape, q.scratch, q.c.n_words)
    copy_configuration(&s.c, q.c, &q.system.shape)
    find_losses(&s.q, costs)
    for i in range(q.system.n_transitions):
        if costs[i] < ILLEGAL:
            costs[i] = least_loss(&s, i, costs[i])
    subtract_least(q, costs)


cdef void searched_costs_with_ties(const QuestionC* q, int* costs) noexcept nogil:
    searched_costs(q, costs)
    prefer_projective_order(q, costs)


# Behind the block of a configuration and the heights come the steps, and the table at the end.
cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil:
    cdef size_t step_size = sizeof(SearchStepC) + system.n_transitions * sizeof(WayC)
    return (block_size(&system.shape, n_words) + heights_size(system, n_words)
            + THOROUGH * step_size // sizeof(int) + table_size())


cdef CostFunction SEARCH = wrapped(searched_costs, scratch_size)
cdef CostFunction SEARCH_WITH_TIES = wrapped(searched_costs_with_ties, scratch_size)


EXACT = Row(
    name="exact",
    method="shortest way through the dynamic costs, by search, ours",
    needs=(Need(
        "arc-hybrid or arc-standard with SWAP",
        lambda parameters: parameters.swap
        and (parameters.is_arc_hybrid or parameters.is_arc_standard),
    ),),
    costs=lambda options: SEARCH_WITH_TIES if options["projective_ties"] else SEARCH,
    findings=(
        ("arc-hybrid, arc-standard + SWAP",
         "all trees, n ≤ 4, every root; arc-standard n = 5: 4 states of 115,540"),
    ),
    options=(PROJECTIVE_TIES,),
    is_exact=everywhere,
    # Not advised: where a SWAP costs nothing nearly everywhere, derivations with many are as good
    # as those with few.
    also_knows=("SWAP",),
)

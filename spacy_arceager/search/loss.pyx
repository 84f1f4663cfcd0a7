"""The loss of one configuration and its gradient; see loss.pxd."""

from libc.math cimport expf, log
from libc.string cimport memset
from cymem.cymem cimport Pool

from ..systems.parameters import Transition

from ..machine.configuration cimport NONE, TOP, ConfigurationC
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions.arc cimport arc_dependent, arc_head
from ..machine.transitions.declarations cimport SystemC, TransitionC, is_arc
from ..machine.transitions.dispatch cimport first_anchor, n_anchors, next_anchor
from ..machine.valid cimport is_valid
from ..oracles.gold cimport GoldArcC, GoldC, GoldTrees, find_gold_arc
from ..oracles.compiled cimport CompiledOracle, oracle_costs
from ..oracles.costs cimport ILLEGAL, OracleC
from ..oracles.oracle cimport Oracle
from .classes cimport n_classes_of
from ..kernels.kernels cimport add_scaled, exp_scores, find_highest
from .lockstep cimport check_gold
from .record cimport Record
from .ruled_targets cimport arcs_excluded

cdef enum:
    WRONG_LABEL = ILLEGAL - 2
    REFUSED = ILLEGAL - 1


cdef int allocate_state(StateC* state, Pool memory, const SystemC* system, size_t n,
                        int width) except -1:
    state.width = width
    state.candidates = <CandidateC*>memory.alloc(n, sizeof(CandidateC))
    state.costs = <int*>memory.alloc(n * system.n_transitions, sizeof(int))
    state.targets = <unsigned char*>memory.alloc(n * width, 1)
    state.totals = <int*>memory.alloc(n * width, sizeof(int))
    state.exps = <float*>memory.alloc(n * width, sizeof(float))
    state.optimal_alone = False
    return 0


cdef void list_candidates(StateC* state, const SystemC* system, const ConfigurationC* c,
                          const int* row_of, Record r) noexcept nogil:
    cdef int anchor = first_anchor(system, c)
    cdef int position
    cdef CandidateC* candidate
    state.n_candidates = n_anchors(system, c)
    for position in range(1, state.n_candidates + 1):
        candidate = &state.candidates[position - 1]
        candidate.anchor = anchor
        candidate.position = position
        candidate.row = row_of[0 if anchor == TOP else anchor]
        candidate.scores = r.scores + <size_t>candidate.row * state.width
        candidate.d_scores = r.d_scores + <size_t>candidate.row * state.width
        anchor = next_anchor(c, anchor)


cdef void find_targets(StateC* state, TransitionSystem system, const ConfigurationC* c,
                       const GoldC* gold, const OracleC* oracle) noexcept nogil:
    cdef int T = system.c.n_transitions
    cdef int i, t, best = ILLEGAL
    cdef int* costs
    # Rules add to costs, so that all must be exact. Without rules only the least ones matter.
    cdef bint exact = c.rules != NULL
    for i in range(state.n_candidates):
        costs = state.costs + i * T
        oracle_costs(oracle, c, gold, state.candidates[i].anchor, state.candidates[i].position,
                     ILLEGAL if exact else min(best, c.n_words), costs)
        for t in range(T):
            best = min(best, costs[t])
    state.highest = state.best_legal = state.best_optimal = state.best_costly = NONE
    # Arcs that are fixed in advance come before the rules.
    if c.rules != NULL and not oracle.constrained:
        best = find_totals(state, system, c, gold)
        if best < ILLEGAL:
            set_ruled_targets(state, system, best)
            return
        best = ILLEGAL      # the rules leave nothing, and yield
        for i in range(state.n_candidates * T):
            best = min(best, state.costs[i])
    for i in range(state.n_candidates):
        for t in range(T):
            set_targets(state, system, c, gold, i, t, best)


cdef int total_of(const StateC* state, TransitionSystem system, const ConfigurationC* c,
                  const GoldC* gold, int i, int k) noexcept nogil:
    # The cost of a class under rules, with what its label excludes. It is WRONG_LABEL for a label
    # other than a gold one that the arc may have, and REFUSED if the rules refuse the class.
    cdef int t = system.class_transition[k]
    cdef const TransitionC* transition = &system.c.transitions[t]
    cdef int cost = state.costs[i * system.c.n_transitions + t]
    cdef int anchor = state.candidates[i].anchor
    cdef int label = NONE
    if cost >= ILLEGAL:
        return ILLEGAL
    if not is_valid(&system.c, c, transition, anchor, system.class_label[k]):
        return REFUSED
    if not is_arc(transition):
        return cost
    label = gold_label(c, gold, transition, anchor)
    if label == system.class_label[k]:
        return cost
    if label != NONE and is_valid(&system.c, c, transition, anchor, label):
        return WRONG_LABEL
    return cost + arcs_excluded(c, gold, transition, arc_head(c, transition, anchor),
                                arc_dependent(c, transition, anchor), system.class_label[k])


cdef int find_totals(StateC* state, TransitionSystem system, const ConfigurationC* c,
                     const GoldC* gold) noexcept nogil:
    # Fills `totals` for all classes and returns the least.
    cdef int i, k, cell, best = ILLEGAL
    for i in range(state.n_candidates):
        for k in range(system.n_classes):
            cell = i * state.width + k
            state.totals[cell] = total_of(state, system, c, gold, i, k)
            if state.totals[cell] < WRONG_LABEL:
                best = min(best, state.totals[cell])
    return best


cdef void set_ruled_targets(StateC* state, TransitionSystem system, int best) noexcept nogil:
    cdef int i, k, cell
    for i in range(state.n_candidates):
        for k in range(system.n_classes):
            cell = i * state.width + k
            if state.totals[cell] >= ILLEGAL:
                state.targets[cell] = NOT_LEGAL
                continue
            state.targets[cell] = OPTIMAL if state.totals[cell] == best else COSTLY
            note_highest(state, cell)
            if state.totals[cell] < REFUSED:
                note_best(state, cell, state.targets[cell])


cdef void set_targets(StateC* state, TransitionSystem system, const ConfigurationC* c,
                      const GoldC* gold, int i, int t, int best) noexcept nogil:
    # A class is optimal if its transition is one of the cheapest, and its label does not contradict
    # a known gold label of the arc.
    cdef int cost = state.costs[i * system.c.n_transitions + t]
    cdef int n = n_classes_of(system, t)
    cdef int cell = i * state.width + system.first_class[t]
    cdef int label = NONE
    if cost >= ILLEGAL:
        set_all(state, cell, n, NOT_LEGAL)
        return
    if cost == best:
        label = gold_label(c, gold, &system.c.transitions[t], state.candidates[i].anchor)
    if label == NONE:
        set_all(state, cell, n, OPTIMAL if cost == best else COSTLY)
        return
    set_all(state, cell, label, COSTLY)
    set_all(state, cell + label, 1, OPTIMAL)
    set_all(state, cell + label + 1, n - label - 1, COSTLY)


cdef void set_all(StateC* state, int cell, int n, unsigned char target) noexcept nogil:
    # Gives n classes from a cell on the same target, and notes the best of them.
    cdef const float* scores
    if n <= 0:
        return
    memset(state.targets + cell, target, n)
    if target == NOT_LEGAL or (target == COSTLY and state.optimal_alone):
        return
    scores = state.candidates[cell // state.width].scores + cell % state.width
    cell += find_highest(scores, n)
    note_highest(state, cell)
    note_best(state, cell, target)


cdef int gold_label(const ConfigurationC* c, const GoldC* gold, const TransitionC* t,
                    int anchor) noexcept nogil:
    # The gold label of the arc that a transition makes, or NONE.
    cdef int word, head
    cdef const GoldArcC* arc
    if not is_arc(t):
        return NONE
    word = arc_dependent(c, t, anchor)
    head = arc_head(c, t, anchor)
    if gold.head[word] == head:
        return gold.label[word]
    arc = find_gold_arc(gold, head, word)
    return NONE if arc == NULL else arc.label


cdef inline void note_highest(StateC* state, int index) noexcept nogil:
    if state.highest == NONE or score_of(state, index) > score_of(state, state.highest):
        state.highest = index


cdef inline void note_best(StateC* state, int index, unsigned char target) noexcept nogil:
    cdef float value = score_of(state, index)
    if target == OPTIMAL and (state.best_optimal == NONE
                              or value > score_of(state, state.best_optimal)):
        state.best_optimal = index
    if target == COSTLY and (state.best_costly == NONE
                             or value > score_of(state, state.best_costly)):
        state.best_costly = index
    if state.best_legal == NONE or value > score_of(state, state.best_legal):
        state.best_legal = index


cdef double add_gradient(StateC* state, TransitionSystem system) noexcept nogil:
    # The exponentials of optimal classes are scaled by the best of these, since scaled by the best
    # of all classes they might be 0.
    cdef float highest = score_of(state, state.highest)
    cdef float highest_optimal = score_of(state, state.best_optimal)
    cdef double total = 0, total_optimal = 0
    cdef float p, p_optimal
    cdef int i, t, k, first, cell
    cdef const CandidateC* candidate
    for i in range(state.n_candidates):
        candidate = &state.candidates[i]
        for t in range(system.c.n_transitions):
            first = system.first_class[t]
            cell = i * state.width + first
            if state.targets[cell] == NOT_LEGAL:
                continue
            total += exp_scores(state.exps + cell, candidate.scores + first,
                                n_classes_of(system, t), highest)
            for k in range(n_classes_of(system, t)):
                if state.targets[cell + k] == OPTIMAL:
                    total_optimal += expf(candidate.scores[first + k] - highest_optimal)
    p = 1 / total
    p_optimal = 1 / total_optimal
    for i in range(state.n_candidates):
        candidate = &state.candidates[i]
        for t in range(system.c.n_transitions):
            first = system.first_class[t]
            cell = i * state.width + first
            if state.targets[cell] == NOT_LEGAL:
                continue
            add_scaled(candidate.d_scores + first, state.exps + cell, p, n_classes_of(system, t))
            for k in range(n_classes_of(system, t)):
                if state.targets[cell + k] == OPTIMAL:
                    candidate.d_scores[first + k] -= (
                        expf(candidate.scores[first + k] - highest_optimal) * p_optimal)
    return log(total / total_optimal) + highest - highest_optimal


def class_costs(
    Configuration configuration not None, GoldTrees gold not None, Oracle oracle not None,
) -> dict[tuple[Transition, str | None], int]:
    """What the valid classes of a configuration with rules cost in training.

    Args:
        configuration: one that `machine.valid.restrict` has given rules. ValueError for others.
        gold: the gold tree of its words.
        oracle: says what transitions cost; the costs add what labels exclude.

    Returns:
        The cost of each transition with its label, None if it makes no arc, without those whose
        label contradicts a gold label that the arc may have.
    """
    cdef TransitionSystem system = configuration.system
    cdef const ConfigurationC* c = &configuration.c
    cdef CompiledOracle ready
    cdef Pool memory = Pool()
    cdef StateC state
    cdef int i, k, cell, anchor = first_anchor(&system.c, c)
    if c.rules == NULL:
        raise ValueError("The configuration has no rules; see machine.valid.restrict")
    if gold.n_trees != 1:
        raise ValueError(f"{gold.n_trees} gold trees for one configuration")
    check_gold(system, gold, c.n_words)
    ready = oracle.compile(system, gold.longest)
    allocate_state(&state, memory, &system.c, c.n_nodes + 1, system.n_classes)
    state.n_candidates = n_anchors(&system.c, c)
    for i in range(state.n_candidates):
        state.candidates[i].anchor = anchor
        oracle_costs(&ready.c, c, gold.c, anchor, i + 1, ILLEGAL,
                     state.costs + i * system.c.n_transitions)
        anchor = next_anchor(c, anchor)
    ready.check()
    find_totals(&state, system, c, gold.c)
    costs = {}
    for i in range(state.n_candidates):
        for k in range(system.n_classes):
            cell = i * state.width + k
            if state.totals[cell] < WRONG_LABEL:
                transition, label = system.describe_class(k)
                costs[transition.at(i + 1), label] = state.totals[cell]
    return costs

"""The loss of one configuration over all anchors and classes, and its gradient."""

from cymem.cymem cimport Pool

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC
from ..oracles.gold cimport GoldC
from ..oracles.costs cimport OracleC
from .record cimport Record

# The kinds of classes that the loss distinguishes.
cdef enum:
    NOT_LEGAL = 0
    COSTLY = 1     # also a class that rules refuse, so that a parser learns to do without them
    OPTIMAL = 2

# One anchor of a configuration, and the recorded row that scored it.
cdef struct CandidateC:
    int anchor
    int position
    int row
    const float* scores       # (width,)
    float* d_scores           # (width,) the gradient so far

# A configuration to learn from. Classes are numbered through all candidates: class k of candidate i
# has the index i * width + k.
cdef struct StateC:
    int width
    int n_candidates
    CandidateC* candidates
    int* costs                # (n_candidates, n_transitions)
    unsigned char* targets    # (n_candidates, width)
    int* totals               # (n_candidates, width) the costs of classes, where there are rules
    float* exps               # (n_candidates, width)
    bint optimal_alone        # of the best-scored classes only `best_optimal` is asked for
    int highest               # the best-scored class, which rules may refuse
    int best_legal            # the best-scored legal class, the first of several, without refused
    int best_optimal          # the best-scored optimal class
    int best_costly           # the best-scored costly class, or NONE

# Allocates the arrays for up to n candidates; they live as long as `memory`.
cdef int allocate_state(StateC* state, Pool memory, const SystemC* system, size_t n,
                        int width) except -1

# Lists all anchors of a configuration with the rows that scored them. row_of: the row of each
# token; the first one is that of TOP.
cdef void list_candidates(StateC* state, const SystemC* system, const ConfigurationC* c,
                          const int* row_of, Record r) noexcept nogil

# Fills `targets` and the best-scored classes.
cdef void find_targets(StateC* state, TransitionSystem system, const ConfigurationC* c,
                       const GoldC* gold, const OracleC* oracle) noexcept nogil

# The score of a class, numbered through all candidates.
cdef inline float score_of(const StateC* state, int index) noexcept nogil:
    return state.candidates[index // state.width].scores[index % state.width]

# The cost of the transition of a class, numbered through all candidates.
cdef inline int cost_of(const StateC* state, TransitionSystem system, int index) noexcept nogil:
    return state.costs[index // state.width * system.c.n_transitions
                       + system.class_transition[index % state.width]]

# Adds the gradient to the candidates' d_scores and returns the loss: minus the logarithm of the
# probability of all optimal classes together.
cdef double add_gradient(StateC* state, TransitionSystem system) noexcept nogil

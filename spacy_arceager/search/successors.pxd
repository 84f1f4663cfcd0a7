"""The successors of the hypotheses of a beam: how they are scored, and which are the best.

The score of a derivation is the sum of the scores of its transitions. If a model was trained
greedily, these are the logarithms of its probabilities in each configuration. If it was trained
with a beam, they are its scores as they are (global normalisation, Andor et al. 2016).
"""

cimport cython
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from ..network.lower_layer cimport LowerC
from ..network.scorer cimport ScorerC
from ..oracles.gold cimport GoldC
from ..oracles.costs cimport OracleC
from .beam_state cimport BeamC, BeamState, HypothesisC, SuccessorC
from .loss cimport StateC
from .record cimport Record

# How to search.
cdef struct SearchOptionsC:
    bint normalised      # log probabilities instead of scores
    bint learning        # keep track of the correct derivations
    bint constrained     # follow only correct derivations
    double threshold     # successors are dropped below the best score plus this, which is negative
    const OracleC* oracle
    float dropout
    uint64_t random


@cython.final
cdef class BeamSearch(BeamState):
    cdef Record record
    cdef StateC state
    cdef vector[float] highest    # (rows, n_transitions) the best score of a transition's classes
    cdef vector[float] exps       # (rows, n_transitions) the sum of exp(score - highest) over them
    cdef double* best         # scratch: (width,)
    cdef size_t n_kept        # rows that were in use when rows were given back the last time
    cdef vector[int] new_row  # scratch: of each row

    # Gives the rows that no hypothesis needs any more to new ones.
    cdef int forget_rows(self, const ScorerC* scorer) except -1 nogil
    # Keeps the rows that `new_row` has not at NONE; there it says where each of them is then.
    cdef void keep_marked(self, const ScorerC* scorer) noexcept nogil
    cdef void _for_rows(self, bint mark) noexcept nogil
    # Scores all anchors that have no recorded row.
    cdef int score_new(self, const ScorerC* scorer, LowerC* lower,
                       SearchOptionsC* options) except -1 nogil
    # Fills the successors of a beam with the best ways to continue.
    cdef void expand(self, BeamC* beam, const SearchOptionsC* options,
                     const GoldC* gold) noexcept nogil
    cdef int _weigh_rows(self, size_t first, bint normalised) except -1 nogil
    cdef double _look_ahead(self, BeamC* beam, const SearchOptionsC* options) noexcept nogil
    cdef int _note_best(self, const HypothesisC* h, int width, int n) noexcept nogil
    cdef double _log_total(self, const HypothesisC* h) noexcept nogil
    cdef void _list_successors(self, BeamC* beam, double least, const SearchOptionsC* options,
                               const GoldC* gold) noexcept nogil
    cdef int step(self, BeamC* beam) except -1 nogil
    cdef size_t _most_unscored(self) noexcept nogil
    cdef int _n_anchors(self, const HypothesisC* h) noexcept nogil
    cdef int _find_row(self, const ScorerC* scorer, const BeamC* beam, int k, int cell,
                       int ahead) noexcept nogil
    cdef bint _is_legal(self, const HypothesisC* h, int i, int t) noexcept nogil
    cdef float _highest(self, int i, int t) noexcept nogil
    cdef bint _add_all(self, BeamC* beam, SuccessorC* successor, bint judged, bint ruled,
                       const SearchOptionsC* options) noexcept nogil
    cdef bint _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              bint judged, bint ruled,
                              const SearchOptionsC* options) noexcept nogil
    cdef void _describe(self, const BeamC* beam, SuccessorC* successor, int i, int k,
                        bint correct) noexcept nogil
    cdef void _expand_one(self, BeamC* beam, int source, const SearchOptionsC* options,
                          const GoldC* gold) noexcept nogil
    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil
